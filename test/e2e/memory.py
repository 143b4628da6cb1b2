# UNSUPPORTED: sanitized
# REQUIRES: slow
# RUN: %python %s
"""What queues hold stays below --memory: a loop that multiplies tuples ends with an
error that names it, and a slow consumer holds its producer back."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, expect, expect_in, finish, sluice, write  # noqa: E402

multiply = write(
    "Multiply.spl",
    """composite Multiply {
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 10u;
      output Numbers : n = (int64) IterationCount();
    }
    (stream<int64 n> Again; stream<int64 n> Out) = Custom(Numbers, Again as In) {
      logic onTuple In : {
        submit(In, Again);
        submit(In, Again);
        submit(In, Out);
      }
    }
    () as Sink = Custom(Out) {
      logic state : mutable int64 count = 0l;
            onTuple Out : count++;
    }
}
""",
)
out = sluice("run", multiply, "--memory=16")
expect("a loop that multiplies: exit code", out.returncode, 1)
expect_in(
    "a loop that multiplies",
    "operator Again: the feedback loop that this operator's output port 0 closes multiplies tuples:"
    " the queue at operator Again has reached the memory budget",
    out.stderr,
)

slow = write(
    "Slow.spl",
    """composite Slow {
  graph
    stream<rstring text> Lines = Beacon() {
      output Lines : text = "a line that is longer than a view of a string can hold: " + (rstring) IterationCount();
    }
    stream<rstring text> Passed = Custom(Lines) {
      logic onTuple Lines : submit(Lines, Passed);
    }
    () as Sink = FileSink(Late) { param file : "late.txt"; format : txt; flush : 1u; }
    stream<rstring text> Late = Throttle(Passed) { param rate : 2000.0; }
}
""",
)

# The same with large rows, made by several workers at once.
wide = write(
    "Wide.spl",
    """composite Wide {
  graph
    stream<rstring text, int64 n> Lines = Beacon() {
      output Lines : text = "a line that is longer than a view of a string can hold", n = (int64) IterationCount();
    }
    stream<rstring text, int64 n> Large = Custom(Lines) {
      logic onTuple Lines : {
        mutable rstring long = text;
        for (int32 i in range(10)) long = long + long;
        submit({text = long, n = n}, Large);
      }
    }
    stream<rstring text, int64 n> Passed = Functor(Large) { output Passed : text = text + "!"; }
    () as Sink = FileSink(Late) { param file : "late.txt"; format : txt; flush : 1u; }
    stream<rstring text, int64 n> Late = Throttle(Passed) { param rate : 100.0; }
}
""",
)


def resident(source, *options):
    """MiB that a program has in memory after two seconds."""
    program = os.path.join(os.path.dirname(source), "slow")
    built = sluice("build", source, "-o", program, "--boundaries=all")
    expect("building", (built.returncode, built.stderr), (0, ""))
    process = subprocess.Popen(
        [program, "--queues=all", "--memory=16", "--data-dir", DATA, *options]
    )
    time.sleep(2)
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        kib = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    process.send_signal(signal.SIGKILL)
    process.wait()
    return kib / 1024


for source, most, options in (
    (slow, 100, []),
    (slow, 100, ["--width=4", "--threads=4"]),
    (wide, 150, ["--width=4", "--threads=4"]),
):
    amount = resident(source, *options)
    print(f"{os.path.basename(source)} {options}: {amount:.0f} MiB")
    expect(
        f"a slow consumer holds its producer back: {os.path.basename(source)} {options}: MiB below"
        f" {most}",
        amount < most,
        True,
    )
finish()
