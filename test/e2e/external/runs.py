# RUN: %python %s %source
"""Distribute: what is really read and written without a seek is what the formula says."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, expect, finish, sluice, write  # noqa: E402

MIB = 1 << 20
ROWS = 1000000
CLOSE = 0.05
iolog = os.path.join(sys.argv[1], "tools", "io", "iolog.py")
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
if not shutil.which("strace"):
    sys.exit("strace is missing")
for buckets in (16, 64, 256):
    log = os.path.join(FOLDER, "log")
    command = [iolog, "record", "-o", log, program, f"buckets={buckets}", "--data-dir", DATA]
    expect("runs", subprocess.run(command, capture_output=True, text=True).stderr, "")
    out = subprocess.run([iolog, "replay", log, "--under", DATA], capture_output=True, text=True)
    mean = float(out.stdout.split("mean run ")[1].split(" ")[0]) * 1e6
    formula = 4 * MIB / (buckets**0.5 + 1) ** 2
    print(f"{buckets} buckets: mean run {mean:.0f}, formula {formula:.0f}")
    expect(f"mean run of {buckets}", abs(mean / formula - 1) < CLOSE, True)
finish()
