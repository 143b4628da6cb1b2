# RUN: %python %s
# REQUIRES: slow
"""ExternalSort keeps within its memory: little of it, long keys, many blocks."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, finish, sluice, write  # noqa: E402

MIB = 1 << 20
source = write(
    "Sorted.spl",
    """use sluice.external::*;
composite Sorted {
  param
    expression<uint32> $rows : (uint32) getSubmissionTimeValue("rows");
    expression<rstring> $memory : getSubmissionTimeValue("memory");
  graph
    stream<rstring key, uint64 n> In = Beacon() {
      param iterations : $rows;
      output In : n = IterationCount(),
        key = (rstring) hashCode(IterationCount()) + "-" + (rstring) hashCode(IterationCount() + 7ul);
    }
    stream<In> Out = ExternalSort(In) { param key : key; memory : $memory; }
    () as Last = Custom(Out) {
      logic state : { mutable uint64 rows = 0; mutable rstring last = ""; mutable boolean good = true; }
      onTuple Out : {
        rows++;
        good = good && key >= last;
        last = key;
      }
      onPunct Out : if (currentPunct() == Sys.FinalMarker) println({r = rows, o = good});
    }
}
""",
)
program = os.path.join(FOLDER, "sorted")
expect("build", sluice("build", source, "-o", program).stderr, "")


def peak(rows, memory):
    """Bytes of memory that a run holds at its peak."""
    pipe = os.pipe()
    process = os.fork()
    if not process:
        os.dup2(pipe[1], 1)
        # No arenas of malloc for threads: what they keep is not the operator's.
        os.execve(program, [program, f"rows={rows}", f"memory={memory}MiB"],
                  {**os.environ, "MALLOC_ARENA_MAX": "1"})
    os.close(pipe[1])
    with os.fdopen(pipe[0]) as out:
        expect("sorts", out.read(), f"{{r={rows},o=true}}\n")
    _, status, usage = os.wait4(process, 0)
    expect("exit code", status, 0)
    return usage.ru_maxrss * 1024


for memory, rows in ((8, 1500000), (16, 3000000), (64, 3000000)):
    used = peak(rows, memory) - peak(10, memory)
    moved = rows * 60 // MIB
    print(f"{memory} MiB, about {moved} MiB of rows: {used / MIB:.1f} MiB more than for 10 rows")
    expect(f"within {memory} MiB and a tenth", used <= 1.1 * memory * MIB, True)
finish()
