# REQUIRES: slow
# RUN: %python %s
"""What takes more than two seconds says what it does, on a terminal only; the line is erased."""

import os
import pty
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

PROGRAM = """composite Main {
  graph
    stream<int32 n> S = Beacon() { param iterations : 1u; }
    () as P = Custom(S) { logic onTuple S : println(n); }
}
"""
ERASE = b"\r\033[K"


def on_terminal(command, text, slow, **environment):
    """Runs it with a terminal as standard error. If `slow`, what it reads comes after its progress
    shows. Returns the exit code, its standard output, and what the terminal got."""
    ours, theirs = pty.openpty()
    env = dict(os.environ, TERM="xterm", **environment)
    run = subprocess.Popen(
        ["sluice", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=FOLDER,
        env=env,
    )
    os.close(theirs)
    seen, end = b"", time.time() + TIMEOUT
    while slow and b" s" not in seen and time.time() < end:
        if select.select([ours], [], [], 1)[0]:
            seen += os.read(ours, 4096)
    out, _ = run.communicate(text.encode())
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return run.returncode, out.decode(), seen


code, out, seen = on_terminal(["run", "-"], PROGRAM, True)
expect("it runs", (code, out), (0, "0\n"))
expect_in("what it does", b"<stdin>: reading, 2 s", seen)
expect("the line is erased", seen.endswith(ERASE), True)
code, _, seen = on_terminal(["check", "-"], PROGRAM.replace("println", "prlntn"), True)
before, _, after = seen.rpartition(ERASE)
expect("an error", code, 1)
expect_in("an error follows the erased line", b"<stdin>:4:", after.splitlines()[0])
code, out, seen = on_terminal(["graph", "-"], PROGRAM, True)
expect("the output is whole", out.startswith("digraph"), True)
expect("and behind the erased line", seen.endswith(ERASE), True)
expect("what is quick says nothing", on_terminal(["run", "-"], PROGRAM, False)[2], b"")
with open(write("Main.spl", PROGRAM), encoding="utf-8") as file:
    out = subprocess.run(
        ["sh", "-c", "(sleep 2.5; cat Main.spl) | sluice check -"],
        capture_output=True,
        cwd=FOLDER,
        check=False,
    )
expect("without a terminal", (out.returncode, out.stderr), (0, b""))

# --- colours ---
for wish, coloured in (("", True), ("1", False)):
    text = PROGRAM.replace("println", "prlntn")
    _, _, seen = on_terminal(["check", "-"], text, False, NO_COLOR=wish)
    expect(f"NO_COLOR={wish}", b"\033[" in seen.replace(ERASE, b""), coloured)

# --- where the executable is ---
out = sluice("build", "Main.spl")
expect("build", (out.returncode, out.stdout, out.stderr), (0, "", "sluice: Main is written\n"))
expect("it is there", os.access(os.path.join(FOLDER, "Main"), os.X_OK), True)
out = sluice("build", "Main.spl", "-o", "app")
expect("build -o", (out.returncode, out.stdout, out.stderr), (0, "", ""))
finish()
