# RUN: %python %s %source
"""Distribute: what is really read and written without a seek is what the formula says."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
sys.path.insert(0, os.path.join(sys.argv[1], "tools", "io"))
import iolog  # noqa: E402
from support import DATA, FOLDER, expect, finish, sluice, write  # noqa: E402

MIB = 1 << 20
ROWS = 1000000
CLOSE = 0.05
source = write(
    "Spread.spl",
    """use sluice.external::*;
composite Spread {
  param
    expression<uint32> $buckets : (uint32) getSubmissionTimeValue("buckets");
  graph
    stream<uint64 n, rstring text> In = FileSource() { param file : "in.csv"; format : csv; }
    () as Out = Distribute(In) {
      param key : n; directory : "out"; buckets : $buckets; memory : "1MiB";
    }
}
""",
)
write("data/in.csv", "".join(f'{n},"some text of row {n}"\n' for n in range(ROWS)))
program = os.path.join(FOLDER, "spread")
expect("build", sluice("build", source, "-o", program).stderr, "")
for buckets in (16, 64, 256):
    device = iolog.Replay(DATA)
    command = [program, f"buckets={buckets}", "--data-dir", DATA]
    expect("exit code", iolog.trace(command, device.take), 0)
    formula = 4 * MIB / (buckets**0.5 + 1) ** 2
    print(f"{buckets} buckets: mean run {device.mean_run():.0f}, formula {formula:.0f}")
    expect(f"mean run of {buckets}", abs(device.mean_run() / formula - 1) < CLOSE, True)
finish()
