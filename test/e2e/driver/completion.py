# RUN: %python %s
"""What bash and zsh offer for values of options: each word is one that the driver takes."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import expect, expect_in, finish, sluice, write  # noqa: E402

bash = write("completion.bash", sluice("--completion=bash").stdout)


def complete(*words):
    """What bash offers for the last of these words."""
    quoted = " ".join(f"'{word}'" for word in words)
    text = f"""source '{bash}'
COMP_WORDS=({quoted}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_sluice 2>/dev/null; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True).stdout.split()


PHASES = ["graph", "flat", "placed", "lowered", "llvm"]
VALUES = {
    ("graph", "--format"): ["dot", "json", "svg"],
    ("ir", "--emit"): ["ast", "mlir", "llvm", "asm", "obj"],
    ("ir", "--stop-after"): PHASES,
    ("build", "--target"): ["x86_64-linux-gnu", "powerpc64le-linux-gnu", "flink", "flink-all"],
    ("build", "--cpu"): ["native", "baseline", "levels"],
    ("graph", "--pes"): ["auto", "all"],
    ("run", "--elastic"): ["model", "paper", "threads", "off"],
    ("run", "--clock"): ["real", "virtual", "jumping"],
    ("run", "--queues"): ["all", "none"],
    ("run", "--float-text"): ["spl", "shortest"],
    ("run", "--trace-level"): ["off", "error", "warn", "info", "debug", "trace"],
    ("run", "--profiler"): ["cycles", "sampling"],
    ("run", "--delivery"): ["at-most-once", "at-least-once"],
    ("run", "--receive"): ["auto", "poll", "interrupt", "sleep"],
    ("run", "--transport"): ["auto", "shm", "socket", "ucx"],
    ("run", "--exchange"): ["on", "off"],
}
zsh = sluice("--completion=zsh").stdout
for (command, option), words in VALUES.items():
    expect(f"{command} {option}", complete("sluice", command, "x.spl", option, "="), words)
    expect(f"{command} {option} VALUE", complete("sluice", command, option, ""), words)
    expect_in(f"zsh: {command} {option}", f"'{option}=[", zsh)
    line = next(line for line in zsh.splitlines() if line.strip().startswith(f"'{option}=["))
    expect_in(f"zsh: {option}", f":({' '.join(words)})'", line)
expect("one of them", complete("sluice", "graph", "--format", "=", "s"), ["svg"])

# Options in whose help words stand with bars are among these.
listed = set(re.findall(r"^ +(--[\w-]+)=\S*[a-z]\S*\|", sluice("run", "--help").stdout, re.M))
known = {option for _, option in VALUES} | {"--boundaries", "--merge-order"}
expect("options of run with words", listed - known, set())

# --- the driver and programs take them ---
source = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 n> S = Beacon() { param iterations : 2u; output S : n = 1; }
    () as Sink = Custom(S) { logic onTuple S : println(n); }
}
""",
)
for (command, option), words in VALUES.items():
    for word in words:
        more = ["--restart=1", "--pes=2"] if word == "at-least-once" else []
        if option in ("--target", "--cpu"):  # `ir` makes no executable
            command, more = "ir", ["--stop-after=graph"]
        if word != "levels":  # of build alone
            out = sluice(command, source, f"{option}={word}", *more)
            expect(f"{command} {option}={word}: {out.stderr}", out.returncode, 0)
if shutil.which("zsh"):
    expect("zsh", subprocess.run(["zsh", "-n", "-c", zsh]).returncode, 0)
finish()
