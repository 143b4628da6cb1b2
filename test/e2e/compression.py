# RUN: %python %s
"""compression : gzip, in and out; two members; a file cut off."""

import gzip
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, MODES, expect, expect_in, finish, sluice, write  # noqa: E402

source = write(
    "Copy.spl",
    """composite Copy {
  graph
    stream<int64 n, rstring s> Rows = FileSource() {
      param file : "in.gz"; format : csv; compression : gzip;
    }
    () as Out = FileSink(Rows) {
      param file : "out.gz"; format : csv; compression : gzip;
    }
}
""",
)
rows = "".join(f'{n},"row {n * n}"\n' for n in range(30000)).encode()
half = rows.index(b"\n", len(rows) // 2) + 1
packed = gzip.compress(rows[:half]) + gzip.compress(rows[half:])
for mode, options in MODES.items():
    with open(os.path.join(DATA, "in.gz"), "wb") as file:
        file.write(packed)
    out = sluice("run", source, "--data-dir", DATA, *options)
    expect(mode + ": exit code", (out.returncode, out.stderr), (0, ""))
    with gzip.open(os.path.join(DATA, "out.gz")) as file:
        expect(mode + ": the rows", file.read() == rows, True)
    with open(os.path.join(DATA, "in.gz"), "wb") as file:
        file.write(packed[: len(packed) // 3])
    out = sluice("run", source, "--data-dir", DATA, *options)
    expect(mode + ": cut off: exit code", out.returncode, 1)
    expect_in(mode + ": cut off", "in.gz", out.stderr)
    expect_in(mode + ": cut off", "operator Rows", out.stderr)
finish()
