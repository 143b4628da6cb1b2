# REQUIRES: slow
# RUN: %python %s
"""The command line of checkpoints: what is refused and why, SIGTERM, a damaged and a changed
program, and `sluice checkpoint`."""

import glob
import os
import signal
import subprocess
import time

from Inputs.support import DATA, FOLDER, expect, expect_in, finish, sluice, write

PROGRAM = """composite Main {
  graph
    stream<int32 n> In = Custom() {
      logic onProcess : {
        mutable int32 i = 0;
        while (i < %d) {
          submit({n = i}, In);
          i++;
          block(0.01);
        }
      }
    }
    stream<int32 n, int64 sum> Sum = Custom(In) {
      logic
        state : { mutable %s sum = 0; mutable map<rstring, int32> seen = {}; }
        onTuple In : {
          sum += (%s) n;
          seen["n" + (rstring) (n %% 3)] = n;
          submit({n = n, sum = (int64) sum}, Sum);
        }
    }
    () as Out = FileSink(Sum) { param file : "out.csv"; }
}
"""
source = write("Main.spl", PROGRAM % (200, "int64", "int64"))
STATE = os.path.join(FOLDER, "state")


def go(*options, file=source):
    return sluice("run", file, f"--data-dir={DATA}", f"--checkpoint={STATE}", *options)


def rows():
    with open(os.path.join(DATA, "out.csv"), encoding="utf-8") as file:
        return file.read().splitlines()


wanted = [f"{n},{n * (n + 1) // 2}" for n in range(200)]

# Stopped by a signal, which loses nothing, and gone on with.
process = subprocess.Popen(
    ["sluice", "run", source, f"--data-dir={DATA}", f"--checkpoint={STATE}"]
    + ["--checkpoint-every=1000s"],
    stderr=subprocess.PIPE,
    text=True,
)
while not (os.path.exists(os.path.join(DATA, "out.csv")) and glob.glob(STATE + "/lock")):
    time.sleep(0.01)
time.sleep(0.2)
process.send_signal(signal.SIGTERM)
errors = process.communicate(timeout=60)[1]
expect("exit code of a stop", process.returncode, 0)
expect_in("a stop", "Main: stopped with checkpoint 1 in " + STATE, errors)
first = rows()
expect("rows until then", first, wanted[: len(first)])

out = go()
expect("without --resume", out.returncode, 1)
expect_in("without --resume", "holds checkpoints already: --resume goes on", out.stderr)
out = go("--resume-from=9")
expect_in("a number that is not there", "there is no checkpoint 9 in", out.stderr)
expect("nothing was written", rows(), first)

# What it looks like.
out = sluice("checkpoint", "list", STATE)
expect_in("list", "     1  20", out.stdout)
out = sluice("checkpoint", "show", STATE)
expect_in("show", "Sum\n  sum: int64 = ", out.stdout)
expect_in("show", '  seen: map<rstring, int32> = {"n', out.stdout)
expect_in("show", "  i: int32 = ", out.stdout)
out = sluice("checkpoint", "verify", STATE)
expect_in("verify", "checkpoint 1: 4 sections are right", out.stdout)
out = sluice("checkpoint", "show", STATE, "7")
expect_in("show what is not there", "there is no checkpoint `7` in", out.stderr)
out = sluice("checkpoint", "lits", STATE)
expect_in("a wrong word", "did you mean `list`", out.stderr)
out = sluice("checkpoint", "list", os.path.join(FOLDER, "nothing"))
expect("no directory", out.returncode, 1)

# A program that has changed.
other = write("other/Main.spl", PROGRAM % (200, "int32", "int32"))
out = go("--resume", file=other)
expect_in("another type", "the variable Sum.sum was a int64 and is a int32", out.stderr)
expect_in("another type", "--resume-drop=Sum.sum lets it go", out.stderr)
longer = write("longer/Main.spl", PROGRAM % (201, "int64", "int64"))
out = go("--resume", file=longer)
expect_in("another code", "the code of the source In has changed; --resume-drop=In", out.stderr)
renamed = write("renamed/Main.spl", (PROGRAM % (200, "int64", "int64")).replace("Out =", "To ="))
out = go("--resume", file=renamed)
expect_in("an operator that is gone", "the operator Out is gone; --resume-drop=Out", out.stderr)

# A damaged one is refused, and what it says helps.
state = os.path.join(STATE, "000001", "state")
with open(state, "rb") as file:
    bytes_before = file.read()
with open(state, "wb") as file:
    file.write(bytes_before[:-3] + b"xyz")
out = go("--resume")
expect("a damaged one", out.returncode, 1)
expect_in("a damaged one", "checkpoint 1 cannot be used: " + state, out.stderr)
out = sluice("checkpoint", "verify", STATE)
expect("verify a damaged one", out.returncode, 1)
with open(state, "wb") as file:
    file.write(bytes_before)

# A file that a sink has written and somebody has changed.
sums = os.path.join(DATA, "out.csv")
os.rename(sums, sums + ".kept")
out = go("--resume")
expect("a file that is shorter", out.returncode, 1)
expect_in("a file that is shorter", "at the checkpoint: it was changed meanwhile", out.stderr)
os.rename(sums + ".kept", sums)

# To the end, and beyond it.
out = go("--resume", "--stats")
expect("resumed", (out.returncode, rows()), (0, wanted))
expect_in("--stats", ", 0 given up; the last one, ", out.stderr)
out = go("--resume")
expect("resumed at its end", (out.returncode, rows()), (0, wanted))
expect_in("at its end", "at its end", sluice("checkpoint", "list", STATE).stdout)
write("state/Files.moved.1", "a file of an operator")
out = sluice("checkpoint", "remove", STATE)
expect("remove", (out.returncode, os.listdir(STATE)), (0, ["lock"]))

# What cannot be saved is named before anything runs.
unsaved = write(
    "Unsaved.spl",
    """composite Unsaved {
  graph
    stream<int32 n> In = Beacon() { param iterations : 3u; }
    () as Show = Custom(In) { logic onTuple In : println(n); }
    () as Log = FileSink(In) { param file : "log.gz"; compression : zlib; }
}
""",
)
out = go("--resume", file=unsaved)
expect("what cannot be saved", (out.returncode, out.stdout), (1, ""))
expect_in("what cannot be saved", "\n  Log, a spl.adapter::FileSink: a file of zlib", out.stderr)
out = sluice("run", source, "--resume")
expect_in("no directory", "--resume needs --checkpoint=DIR", out.stderr)
finish()
