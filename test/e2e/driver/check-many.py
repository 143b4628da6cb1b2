# RUN: %python %s
"""`sluice check` of several files and of folders."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

GOOD = "composite %s {\n  graph\n    stream<int32 x> S = Beacon() { param iterations : 1u; }\n}\n"
write("src/A.spl", GOOD % "A")
write("src/deep/B.spl", GOOD % "B")
write("src/deep/C.spl", GOOD % "C" + "type T = tuple<Unknown u>;\n")
write("src/.hidden/D.spl", "composite {")
write("src/notes.txt", "composite {")
os.mkdir(os.path.join(FOLDER, "empty"))


def check(*words):
    return sluice("check", "-w", *words)


def last(out):
    return out.stderr.strip().split("\n")[-1]


out = check("src/A.spl", "src/deep/B.spl")
expect("two files", (out.returncode, out.stderr), (0, "sluice: 2 files checked, 0 with errors\n"))
out = check("src")
expect("a folder", (out.returncode, last(out)), (1, "sluice: 3 files checked, 1 with errors"))
expect_in("a folder: the error", "C.spl:5:16: error: ", out.stderr)
out = check("src/deep", "src/A.spl")
expect("both", (out.returncode, last(out)), (1, "sluice: 3 files checked, 1 with errors"))
expect("one file says nothing", (check("src/A.spl").stderr), "")

# What two programs use is told once, and both fail.
write("lib/lib/F.spl", "namespace lib;\npublic int32 f(int32 x) { return x + y; }\n")
use = "use lib::f;\ncomposite %s {\n  graph\n    stream<int32 x> S = Beacon() {\n"
use += "      param iterations : 1u;\n      output S : x = f(1);\n    }\n}\n"
write("lib/P.spl", use % "P")
write("lib/Q.spl", use % "Q")
out = check("lib")
expect("a library", (out.returncode, last(out)), (1, "sluice: 3 files checked, 3 with errors"))
expect("its error", out.stderr.count("F.spl:2:38: error: "), 1)
out = check("lib", "--json")
expect("as JSON", (out.returncode, out.stderr, out.stdout.count('"severity":"error"')), (1, "", 1))

for words, code, message in (
    (["empty"], 2, "there is no file *.spl in the folder `empty`"),
    (["src/A.spl", "nosuch.spl"], 1, "nosuch.spl"),
    (["src/A.spl", "-"], 2, "`-` is checked alone"),
    (["src/A.spl", "src/notes.txt"], 1, "notes.txt"),
):
    out = check(*words)
    expect(f"{words}", out.returncode, code)
    expect_in(f"{words}", message, out.stderr)
finish()
