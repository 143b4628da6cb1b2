# REQUIRES: slow
# RUN: %python %s
"""Three PEs whose ports change between called and queued at random while tuples flow: nothing is
lost, doubled or reordered, as every stage knows which number must come next.

With a number as argument it goes on until there were so many switches, and prints them.
"""

import os
import random
import re
import sys

from Inputs.jobs import build, run
from Inputs.support import expect, finish

E2E = os.path.join(os.path.dirname(__file__), "..")
FEW = 100_000
wanted = max([FEW, *(int(a) for a in sys.argv[1:] if a.isdigit())])

# Each PE has several ports that switch; its numbers are checked where they leave and arrive.
CHAIN = """type T = int64 n, rstring text;
composite Stage(input In; output Out) {
  graph
    stream<T> Half = Custom(In) {
      logic state : mutable int64 next = 0l;
            onTuple In : { assert(n == next); next++; submit(In, Half); }
    }
    stream<T> Mid = Functor(Half) {}
    stream<T> Out = Custom(Mid) {
      logic state : mutable int64 next = 0l;
            onTuple Mid : {
              assert(n == next && text == "a text that is not short: " + (rstring) n);
              next++;
              submit(Mid, Out);
            }
    }
}
composite Chain {
  param expression<uint32> $count : (uint32) getSubmissionTimeValue("count");
  graph
    stream<T> In = Beacon() {
      param iterations : $count;
      output In : n = (int64) IterationCount(),
        text = "a text that is not short: " + (rstring) IterationCount();
      config placement : partitionColocation("a");
    }
    stream<T> A = Stage(In) { config placement : partitionColocation("a"); }
    stream<T> B = Stage(A) { config placement : partitionColocation("b"); }
    stream<T> C = Stage(B) { config placement : partitionColocation("c"); }
    () as Sink = Custom(C) {
      logic state : mutable int64 next = 0l;
            onTuple C : { assert(n == next); next++; }
            onPunct C : if (currentPunct() == Sys.FinalMarker) println(next);
      config placement : partitionColocation("c");
    }
}
"""


def text(name):
    with open(os.path.join(E2E, name), encoding="utf-8") as file:
        return file.read()


def program(name, source):
    return build(name, source, pes=3, options=["--boundaries=all"])


BRANCHES = "branches: 137144 of 137144 rows, 82 marks\n"
CHANNELS = "channels: 68572 of 68572 rows\n"
PROGRAMS = [
    (program("chain", CHAIN), ["count=200000"], ["200000\n"]),
    (program("merge", text("switching.spl")), ["count=100000"],
     ["66668 of 200000, 2 marks\n", "the rest: 133332\n"]),
    (program("regions", text("switching-regions.spl")), [], [BRANCHES, CHANNELS]),
]  # fmt: skip
total = runs = 0
while total < wanted:
    for path, values, lines in PROGRAMS:
        seed, threads = random.randrange(1, 1_000_000), random.choice((3, 6, 9))
        options = [f"--chaos={seed}", f"--threads={threads}", "--trace-level=info"]
        out, errors, code = run(path, *options, *values)
        what = f"{os.path.basename(path)} {options}"
        expect(what, (sorted(out.splitlines(True)), code), (sorted(lines), 0))
        found = [int(n) for n in re.findall(r"info: (\d+) switches of \d+ port", errors)]
        expect(f"{what}: PEs that switch", len(found) >= 2, True)
        if path == PROGRAMS[0][0]:
            expect(f"{what}: PEs that switch", len(found), 3)
        total += sum(found)
        runs += 1
print(f"{total} switches in {runs} runs of three PEs: nothing lost, doubled or reordered")
finish()
