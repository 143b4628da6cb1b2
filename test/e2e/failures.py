# REQUIRES: slow
# RUN: %python %s
"""A tuple that fails at the first, a middle and the last row of a batch: the same
output, files, message and exit code whatever the size of the batches."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, MODES, expect, expect_in, finish, sluice, write  # noqa: E402

PROGRAM = """
composite Main {
  param expression<int64> $bad : (int64) getSubmissionTimeValue("bad");
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 3000u;
      output Numbers : n = (int64) IterationCount();
    }
    %s
    stream<int64 q> Quotients = Custom(Numbers) {
      logic
        state : mutable int64 seen = 0l;
        onTuple Numbers : {
          seen++;
          submit({q = seen}, Quotients);
          submit({q = 1000l / (n - $bad)}, Quotients);
        }
    }
    () as Print = Custom(Quotients) {
      logic onTuple Quotients : println(q);
    }
    () as Keep = FileSink(Quotients) {
      param file : "out.csv"; format : csv;
    }
}
"""


def lines_until(bad, caught):
    """What the program prints, computed here."""
    lines = []
    for n in range(3000):
        lines.append(n + 1)
        if n == bad:
            if not caught:
                break
            continue
        q = 1000 // abs(n - bad)
        lines.append(q if n > bad else -q)
    return "".join(f"{line}\n" for line in lines)


for caught in (False, True):
    source = write("Main.spl", PROGRAM % ("@catch(exception = all)" if caught else ""))
    for bad in (0, 1023, 1024, 1500, 2047, 2999, 5000):
        for mode, options in MODES.items():
            what = f"row {bad}, {'caught' if caught else 'not caught'}, {mode}"
            out = sluice("run", source, "--data-dir", DATA, *options, f"bad={bad}")
            failing = bad < 3000
            expect(what + ": exit code", out.returncode, 1 if failing and not caught else 0)
            wanted = lines_until(bad, caught)
            if out.stdout != wanted:
                expect(what + ": lines", len(out.stdout.splitlines()), len(wanted.splitlines()))
                expect(what + ": stdout", out.stdout[-60:], wanted[-60:])
            with open(os.path.join(DATA, "out.csv")) as file:
                expect(what + ": out.csv as stdout", file.read() == wanted, True)
            if failing:
                expect_in(what, "Main.spl:16:", out.stderr)
                expect_in(
                    what,
                    "operator Quotients: division by zero" + (" (caught)" if caught else ""),
                    out.stderr,
                )
                expect_in(what, "1000l / (n - $bad)", out.stderr)
            else:
                expect(what + ": stderr", out.stderr, "")
finish()
