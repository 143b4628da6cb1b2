# RUN: %python %s
"""`-` is the program on the standard input, for all commands that compile."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

PROGRAM = """composite Main {
  graph
    stream<int32 n> S = Beacon() { param iterations : 2u; output S : n = (int32) IterationCount(); }
    () as P = Custom(S) { logic onTuple S : printStringLn(show(n)); }
}
rstring show(int32 n) { return "n is " + (rstring) n; }
"""


def piped(text, *words):
    return subprocess.run(
        ["sluice", *words],
        input=text,
        capture_output=True,
        text=True,
        cwd=FOLDER,
        timeout=TIMEOUT,
        check=False,
    )


def both(what, out, code, part):
    expect(what, out.returncode, code)
    expect_in(what, part, out.stdout + out.stderr)


both("check", piped(PROGRAM, "check", "-"), 0, "")
both("run", piped(PROGRAM, "run", "-"), 0, "n is 0\nn is 1\n")
both("a value that it has not", piped(PROGRAM, "run", "-", "x=1"), 2, "no submission-time value")
both("ir", piped(PROGRAM, "ir", "-", "--stop-after=flat"), 0, 'stream.operator "S"')
both("ast", piped(PROGRAM, "ir", "-", "--emit=ast"), 0, "Main")
both("graph", piped(PROGRAM, "graph", "-"), 0, 'digraph "Main"')
both("explain", piped(PROGRAM, "explain", "-"), 0, "<stdin>:4")
both("build", piped(PROGRAM, "build", "-"), 2, "`build -` needs `-o PROGRAM`")
expect("build -o", piped(PROGRAM, "build", "-", "-o", "app").returncode, 0)
out = subprocess.run([os.path.join(FOLDER, "app")], capture_output=True, text=True, check=False)
expect("what it built", out.stdout, "n is 0\nn is 1\n")
both("an error", piped(PROGRAM.replace("2u", "true"), "check", "-"), 1, "<stdin>:3:55: error: ")
both("no program", piped("", "check", "-"), 1, "<stdin>:1:1: error: ")
both("the difference of phases", piped(PROGRAM, "ir", "-", "--diff=flat,placed"), 2, "twice")
failing = PROGRAM.replace('return "n is "', 'return substring("a", 5, 1)')
both("a failure while it runs", piped(failing, "run", "-"), 1, "<stdin>:6:")

# What an editor has saved of the program is not a second one; other files are seen.
write("Main.spl", PROGRAM.replace("n is ", "saved: "))
both("a saved version", piped(PROGRAM, "run", "-"), 0, "n is 0\nn is 1\n")
write("Other.spl", 'rstring other(int32 n) { return "other " + (rstring) n; }\n')
both("another file", piped(PROGRAM.replace("show(n)", "other(n)"), "run", "-"), 0, "other 0\n")
write("Data.spl", PROGRAM.replace("composite Main", "composite Data"))
expect("by its name", sluice("run", "Data.spl", "--main=Data").returncode, 0)
out = subprocess.run(
    ["sh", "-c", "exec sluice check - <&-"], capture_output=True, text=True, cwd=FOLDER, check=False
)
expect("a closed standard input", out.returncode, 1)
finish()
