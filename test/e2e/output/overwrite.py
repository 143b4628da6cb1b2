# REQUIRES: slow
# RUN: %python %s
"""No output takes the place of the program or of what the program reads."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

COPY = """composite Main {
  graph
    stream<rstring line> In = FileSource() {
      param file : getSubmissionTimeValue("in", "in.txt"); format : line;
    }
    () as Out = FileSink(In) {
      param file : getSubmissionTimeValue("out", "out.txt"); format : line; MORE
    }
}
"""
BY_PORT = """composite Main {
  graph
    stream<rstring name> Names = Beacon() {
      param iterations : 1u;
      output Names : name = getSubmissionTimeValue("in", "in.txt");
    }
    stream<rstring line> In = FileSource(Names) { param format : line; }
    () as Out = FileSink(In) {
      param file : getSubmissionTimeValue("out", "out.txt"); format : line; MORE
    }
}
"""
TEXT = "one\ntwo\n"


def content(path):
    with open(os.path.join(FOLDER, path), encoding="utf-8") as file:
        return file.read()


def refused(code, *command, says, keeps):
    before = content(keeps)
    out = sluice(*command)
    what = " ".join(command)
    expect(what, (out.returncode, out.stdout), (code, ""))
    expect_in(what, says, out.stderr)
    expect(what + ": the file", content(keeps), before)


write("Main.spl", COPY.replace("MORE", ""))
write("data/in.txt", TEXT)
os.symlink("Main.spl", os.path.join(FOLDER, "link"))
os.link(os.path.join(FOLDER, "Main.spl"), os.path.join(FOLDER, "hard"))
os.symlink("in.txt", os.path.join(DATA, "link.txt"))

# --- commands ---
for output in ("Main.spl", "./Main.spl", "link", "hard", os.path.join(FOLDER, "Main.spl")):
    refused(2, "build", "Main.spl", "-o", output, says="is the program itself", keeps="Main.spl")
refused(2, "graph", "Main.spl", "-o", "Main.spl", "--format=dot", says="itself", keeps="Main.spl")
# The name of what is written may come from that of the program.
os.link(os.path.join(FOLDER, "Main.spl"), os.path.join(FOLDER, "bare"))
os.symlink("behind", os.path.join(FOLDER, "behind.spl"))
write("behind", COPY.replace("MORE", ""))
refused(2, "build", "bare", says="`bare` would be written, which is the program", keeps="bare")
refused(2, "build", "behind.spl", says="the program itself: give another name", keeps="behind")
write("trace.html", TEXT)
refused(2, "trace", "plot", "trace.html", says="which is the trace itself", keeps="trace.html")
write("Other.spl", "composite Other { }\n")
refused(1, "build", "Main.spl", "-o", "Other.spl", says="a program of SPL", keeps="Other.spl")

# --- options of running programs ---
for option in ("--trace", "--metrics-json"):
    for victim in ("Main.spl", "link", "data/in.txt"):
        refused(1, "run", "Main.spl", f"{option}={victim}", says="is there already", keeps=victim)
    for _ in ("new", "written again"):
        out = sluice("run", "Main.spl", f"{option}=report")
        expect(option, (out.returncode, out.stderr), (0, ""))
    os.remove(os.path.join(FOLDER, "report"))
    write("report", "")
    expect(option + ": an empty file", sluice("run", "Main.spl", f"{option}=report").returncode, 0)
    expect(option + ": a device", sluice("run", "Main.spl", f"{option}=/dev/null").returncode, 0)
    os.remove(os.path.join(FOLDER, "report"))

# --- files whose names are known when it runs ---
for program in (COPY, BY_PORT):
    for more in ("", "append : true;"):
        write("Main.spl", program.replace("MORE", more))
        says = "input file is output file"
        if program == COPY:
            for name in ("in.txt", "./in.txt", "link.txt", os.path.join(DATA, "in.txt")):
                refused(1, "run", "Main.spl", f"out={name}", says=says, keeps="data/in.txt")
        write("data/old.txt", TEXT)
        out = sluice("run", "Main.spl", "in=old.txt", "out=old.txt")
        expect("both", (out.returncode, says in out.stderr), (1, True))
        out = sluice("run", "Main.spl", "in=new.txt", "out=new.txt")
        expect("made by the sink", (out.returncode, out.stderr != ""), (1, True))
        for path in ("data/out.txt", "data/new.txt"):
            if os.path.exists(os.path.join(FOLDER, path)):
                os.remove(os.path.join(FOLDER, path))
        out = sluice("run", "Main.spl")
        expect("two files", (out.returncode, out.stderr), (0, ""))
        expect("the copy", content("data/out.txt"), TEXT)
out = sluice("run", "Main.spl", "in=/dev/null", "out=/dev/null")
expect("a device is no file", (out.returncode, out.stderr), (0, ""))
finish()
