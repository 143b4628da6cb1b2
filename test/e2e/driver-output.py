# REQUIRES: slow
# RUN: %python %s
"""Where the driver's commands write: to pipes, files, descriptors that are full or closed. And what
it says of commands and options that it does not know."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 x> S = Beacon() { param iterations : 1u; }
    () as P = Custom(S) { logic onTuple S : abort(); }
}
""",
)
COMMANDS = [["ir", "Main.spl", f"--emit={kind}"] for kind in ("ast", "mlir", "llvm", "asm", "obj")]
COMMANDS += [["graph", "Main.spl", f"--format={f}"] for f in ("dot", "json", "svg")]
COMMANDS += [["explain", "Main.spl"], ["version"], ["--help"], ["help", "run"]]


def to(target, command):
    return subprocess.run(
        ["sluice", *command],
        stdout=target,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        cwd=FOLDER,
        timeout=TIMEOUT,
    )


for command in COMMANDS:
    text = " ".join(command)
    piped = to(subprocess.PIPE, command)
    expect(text + " to a pipe", (piped.returncode, piped.stderr), (0, b""))
    expect(text + " says something", bool(piped.stdout), True)
    if command[1:2] == ["Main.spl"]:
        out = to(subprocess.PIPE, [*command, "-o", "out"])
        expect(text + " -o", (out.returncode, out.stdout, out.stderr), (0, b"", b""))
        with open(os.path.join(FOLDER, "out"), "rb") as file:
            expect(text + " to a file", file.read(), piped.stdout)
        out = to(subprocess.PIPE, [*command, "-o", "nowhere/out"])
        expect(text + " to no folder", out.returncode, 1)
        expect_in(text, "cannot write nowhere/out: No such file", out.stderr.decode())
    with open("/dev/full", "wb") as full:
        out = to(full, command)
    expect(text + " to a full disk", out.returncode, 1)
    expect_in(text, "cannot write standard output: No space left", out.stderr.decode())
    out = subprocess.run(
        ["sh", "-c", 'exec sluice "$@" >&-', "sh", *command],
        stderr=subprocess.PIPE,
        cwd=FOLDER,
        timeout=TIMEOUT,
        check=False,
    )
    expect(text + " to a closed descriptor", out.returncode, 1)
    expect_in(text, "cannot write standard output: Bad file", out.stderr.decode())

# Machine code is not for a terminal; text is.
for kind, code in (("obj", 2), ("ast", 0)):
    ours, theirs = os.openpty()
    out = to(theirs, ["ir", "Main.spl", f"--emit={kind}"])
    os.close(theirs)
    refused = b"no terminal" in out.stderr
    expect(kind + " to a terminal", (out.returncode, refused), (code, code > 0))
    os.close(ours)

# A program's name without its ending.
for name in ("Main", "./Main"):
    out = sluice("check", name)
    expect(name, out.returncode, 1)
    expect_in(name, f"did you mean `{name}.spl`?", out.stderr)
out = sluice("check", "Other")
expect("nothing is like it", (out.returncode, "did you mean" in out.stderr), (1, False))

# Where a parent ignores SIGPIPE, a reader that wants no more is no failure.
out = subprocess.run(
    ["sh", "-c", "trap '' PIPE; (sleep 0.2; sluice ir Main.spl --emit=llvm; echo $? >code) | true"],
    stderr=subprocess.PIPE,
    cwd=FOLDER,
    timeout=TIMEOUT,
    check=False,
)
with open(os.path.join(FOLDER, "code"), encoding="utf-8") as file:
    expect("to a pipe that is closed", (file.read(), out.stderr), ("0\n", b""))

# A short option and its value may be one word, as compilers have it.
for words in (["-ojoined"], ["-o=joined"], ["-o", "joined"]):
    for level in (["-O0"], ["-O=0"], ["-O", "0"]):
        out = sluice("ir", "Main.spl", "--stop-after=graph", *words, *level)
        path = os.path.join(FOLDER, "joined")
        found = (out.returncode, out.stderr, os.path.exists(path))
        expect(f"{words} {level}", found, (0, "", True))
        os.remove(path)

for words, code, message in [
    (["help", "Beacon"], 2, "`Beacon` is no command: `sluice doc Beacon` explains"),
    (["rnu"], 2, "unknown command `rnu` (did you mean `run`?)"),
    (["trace", "polt"], 2, "`trace` has no command `polt` (did you mean `plot`?)"),
    (["trace", "foo"], 2, "`trace` has no command `foo`: it has show, plot, replay, diff, "),
    (["help", "trace", "foo"], 2, "`trace` has no command `foo`: it has show"),
    (["help", "run", "x"], 2, "`x` is one word too many for `help`"),
    (["help", "trace", "plot", "x"], 2, "`x` is one word too many for `help`"),
    (["run", "Main.spl", "--n=3"], 2, "; a value of the program has no dashes: `n=3`"),
    (["check", "main.spl"], 1, "note: did you mean `Main.spl`?"),
    (["version", "x"], 2, "`version` takes no arguments"),
    (["ru"], 2, "unknown command `ru` (did you mean `run`?)"),
    (["trcae", "show"], 2, "unknown command `trcae` (did you mean `trace`?)"),
    (["graph", "Main.spl", "--format="], 2, "`--format` needs a value: dot|json|svg: "),
    (["run", "Main.spl", "--boundaries=al"], 2, "which takes none|auto|all"),
    (["check", "Main.spl", "-Werrors"], 2, "unknown option `-Werrors` (did you mean `-Werror`?)"),
    (["help", "biuld"], 2, "(did you mean `build`?)"),
    (["exp", "Main.spl"], 2, "unknown command `exp` (did you mean `explain`?)"),
    (["compile", "Main.spl"], 2, "unknown command `compile` (did you mean `build`?)"),
    (["run", "-v", "Main.spl"], 2, "unknown option `-v`: `--stats` shows what operators do"),
    (["check", "Main.spl", "--verbose"], 2, "unknown option `--verbose`: `--time` shows"),
    (["run", "Main.spl", "-o", "x"], 2, "`-o` is not an option of `sluice run`: `sluice build"),
    (["run", "Main.spl", "-P", "a=1"], 2, "unknown option `-P`: NAME=VALUE stands alone"),
    (["graph", "Main.spl", "--format=svgg"], 2, "`--format` (did you mean `svg`?)"),
    (["ir", "Main.spl", "--emit=mlri"], 2, "`--emit` (did you mean `mlir`?)"),
    (["ir", "Main.spl", "--stop-after=flatt"], 2, "(did you mean `flat`?)"),
    (["build", "Main.spl", "-Os"], 2, "`s` is no value for `-O`, which takes LEVEL: optimis"),
    (["build", "Main.spl", "-O="], 2, "`-O` needs a value: LEVEL"),
    (["build", "Main.spl", "-o="], 2, "`-o` needs a value: FILE"),
    (["check", "Main.spl", "-O2"], 2, "`-O` is not an option of `sluice check`"),
    (["run", "Main.spl", "-ox"], 2, "`-o` is not an option of `sluice run`: `sluice build"),
    (["build", "Main.spl", "-output=x"], 2, "unknown option `-output=x`: `-o FILE` says"),
    (["run", "Main.spl", "-threads=2"], 2, "option `-threads=2` (did you mean `--threads`?)"),
    (["check", "Main.spl", "-tnowhere"], 2, "`-t nowhere`: there is no such directory"),
    (["doc", "jobs"], 1, "have no `jobs`: `sluice jobs --help` explains that command"),
    (["check", "Main.spl", "--arg==x"], 2, "`=x` is no value for `--arg`"),
    (["frobnicate"], 2, "unknown command `frobnicate`\n"),
    (["graph", "Main.spl", "--fromat=dot"], 2, "`--fromat` (did you mean `--format`?)"),
    (["graph", "Main.spl", "--format=png"], 2, "`png` is no value for `--format`"),
    (["graph", "Main.spl", "--format=png"], 2, "which takes dot|json|svg: "),
    (["ir", "Main.spl", "--stop-after=flta"], 2, "takes graph|flat|placed|lowered|llvm: "),
    (["ir", "Main.spl", "--stop-after=flat", "--emit=asm"], 2, "give one of the two"),
    (["check", "Main.spl", "x=3"], 2, "`x=3` is a submission-time value, which only `run`"),
    (["graph", "Main.spl", "Other.spl"], 2, "`Other.spl` is one file too many"),
    (["run", "Main.spl", "Other.spl"], 2, "`Other.spl` is neither an option nor NAME=VALUE"),
    (["check", "Main.spl", "-t", "nowhere"], 2, "`-t nowhere`: there is no such directory"),
    (["check", "Main.spl", "--app-dir=nowhere"], 2, "there is no such directory"),
]:
    out = sluice(*words)
    expect(" ".join(words), out.returncode, code)
    expect_in(" ".join(words), message, out.stderr)

for word in ("help", "version"):
    expect_in("--help lists all commands", f"\n  {word} ", sluice("--help").stdout)
expect("help", sluice("help", "trace", "plot").stdout, sluice("trace", "plot", "--help").stdout)
finish()
