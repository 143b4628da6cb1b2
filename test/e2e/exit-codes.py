# RUN: %python %s
"""Exit codes and messages: 0, 1 for an error of the user's or the data's, 2 for
wrong usage."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402


def check(what, out, code, *parts):
    expect(what + ": exit code", out.returncode, code)
    for part in parts:
        expect_in(what, part, out.stderr)


# --- the program ---
malformed = write(
    "Malformed.spl", "composite Main {\n  graph\n    stream<int32 x> S = Beacon( { }\n}\n"
)
COMMANDS = (["check"], ["run"], ["build"], ["ir", "--emit=llvm"], ["graph"])
for command in COMMANDS:
    check(f"malformed, {command[0]}", sluice(*command, malformed), 1, "Malformed.spl:3:", "error: ")
mistyped = write(
    "Mistyped.spl",
    "composite Main {\n  graph\n    stream<int32 x> S = Beacon() { output S : x = 1.5; }\n}\n",
)
for command in COMMANDS:
    check(f"mistyped, {command[0]}", sluice(*command, mistyped), 1, "Mistyped.spl:3:")
check("no such source", sluice("run", "Nowhere.spl"), 1, "Nowhere.spl")
expect("nothing is built from it", os.path.exists(os.path.join(FOLDER, "Mistyped")), False)

# --- the command line ---
hello = write(
    "Hello.spl",
    """composite Hello {
  graph
    stream<int32 x> S = Beacon() { param iterations : 2u; }
    () as P = Custom(S) { logic onTuple S : println(S); }
}
""",
)
for words in (
    ["frobnicate"],
    ["run"],
    ["run", hello, "--frobnicate"],
    ["run", hello, "stray"],
    ["check", hello, "-O2"],
    ["ir", hello, "--stop-after=soup"],
    ["ir", hello, "--emit=soup"],
    ["graph", hello, "--format=svgz"],
    ["build", hello, "-o"],
    ["run", hello, "--batch-rows", "0"],
    ["run", hello, "--batch-rows", "x"],
    ["run", hello, "--trace-level", "loud"],
):
    check("wrong usage: " + " ".join(words), sluice(*words), 2, "--help")
for words in (["--help"], ["run", "--help"], ["--version"], ["check", hello], ["run", hello]):
    check("right usage: " + " ".join(words), sluice(*words), 0)
version = sluice("--version").stdout
for part in ("sluice 0.1\n", "LLVM 22.", "x86_64-linux-gnu", "workers: "):
    expect_in("--version", part, version)

# --- submission-time values ---
values = write(
    "Values.spl",
    """composite Values {
  param
    expression<int32> $n : (int32) getSubmissionTimeValue("n");
    expression<rstring> $s : getSubmissionTimeValue("s", "text");
  graph
    stream<int32 x> S = Beacon() { param iterations : 1u; output S : x = $n; }
    () as P = Custom(S) { logic onTuple S : printStringLn((rstring) x + $s); }
}
""",
)
out = sluice("run", values, "n=3")
check("a value", out, 0)
expect("a value", out.stdout, "3text\n")
check("a value that is missing", sluice("run", values), 1, "n")
check("a value that nobody reads", sluice("run", values, "n=3", "m=4"), 2, "m")
check("a value given twice", sluice("run", values, "n=3", "n=4"), 2, "twice")
check(
    "a value that is no number",
    sluice("run", values, "n=three"),
    1,
    "three",
    "int32",
    "Values.spl:3:",
)

# --- files ---
reader = write(
    "Reader.spl",
    """composite Reader {
  graph
    stream<int32 id, float64 v> Rows = FileSource() {
      param file : getSubmissionTimeValue("file"); format : csv;
    }
    () as P = Custom(Rows) { logic onTuple Rows : println(Rows); }
}
""",
)
with open(os.path.join(DATA, "rows.csv"), "w") as file:
    file.write("1,1.5\n2,2.5\n3,many\n4,4.5\n")
check(
    "no such file",
    sluice("run", reader, "--data-dir", DATA, "file=nowhere.csv"),
    1,
    "nowhere.csv",
    "No such file or directory",
    "Reader.spl:3:",
    "operator Rows",
)
out = sluice("run", reader, "--data-dir", DATA, "file=rows.csv")
check("a bad row", out, 1, "rows.csv:3:3", "'many' is no float64", "attribute v")
expect("the rows before the bad one", out.stdout, "{id=1,v=1.5}\n{id=2,v=2.5}\n")

# --- a full disk ---
writer = write(
    "Writer.spl",
    """composite Writer {
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 100000u;
      output Numbers : n = (int64) IterationCount();
    }
    () as Out = FileSink(Numbers) { param file : "out.csv"; }
}
""",
)
program = os.path.join(FOLDER, "writer")
check("building", sluice("build", writer, "-o", program), 0)
out = subprocess.run(
    ["bash", "-c", 'ulimit -f 1; trap "" XFSZ; exec "$0" --data-dir "$1"', program, DATA],
    capture_output=True,
    text=True,
)
check("a full disk", out, 1, "out.csv", "File too large", "operator Out")
out = subprocess.run(
    ["bash", "-c", 'ulimit -f 1; exec "$0" --data-dir "$1"', program, DATA],
    capture_output=True,
    text=True,
)
check("a file too large", out, 1, "out.csv", "File too large")
with open("/dev/full", "w") as full:
    out = subprocess.run(["sluice", "run", hello], stdout=full, stderr=subprocess.PIPE, text=True)
check("stdout is full", out, 1, "No space left on device")
for limit in range(5, 12):  # enough or not: never the fault of Sluice
    script = f'ulimit -n {limit}; exec "$0" run "$1"'
    out = subprocess.run(["bash", "-c", script, "sluice", hello], capture_output=True)
    expect(f"{limit} open files", out.returncode in (0, 1), True)
# Messages that cannot be written change no exit code.
WARNS = "composite W { graph () as A = Custom() { logic onProcess : { int32 x = 1; print(2); } } }"
for text, code in ((WARNS, 0), ("composite W { graph () as A = Nothing() {} }", 1)):
    source = write("stderr.spl", text)
    with open("/dev/full", "w") as full:
        out = subprocess.run(["sluice", "run", source], stdout=subprocess.PIPE, stderr=full)
    expect("stderr is full", out.returncode, code)
finish()
