# REQUIRES: slow
# RUN: %python %s
"""Compressed files, in and out: two members, padding, no bytes at all; a file cut off; both
operators of spl.utility, whose output other programs read."""

import bz2
import gzip
import os
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, MODES, expect, expect_in, finish, sluice, write  # noqa: E402

PROGRAM = """composite %s {
  graph
    stream<int64 n, rstring s> Rows = FileSource() {
      param file : "in"; format : csv; compression : %s;
    }
    () as Out = FileSink(Rows) {
      param file : "out"; format : csv; compression : %s; flush : 1000u;
    }
    stream<blob d> Text = Format(Rows) { param format : csv; output Text : d = Output(); }
    stream<blob d> Packed = Compress(Text) { param compression : %s; }
    () as Pieces = FileSink(Packed) { param file : "pieces"; format : block; }
    stream<blob d> Blocks = FileSource() { param file : "in"; format : block; blockSize : 999u; }
    stream<blob d> Unpacked = Decompress(Blocks) { param compression : %s; }
    () as Plain = FileSink(Unpacked) { param file : "plain"; format : block; }
}
"""
KINDS = {
    "gzip": (gzip.compress, gzip.decompress),
    "bzip2": (bz2.compress, bz2.decompress),
    "zlib": (zlib.compress, zlib.decompress),
}
rows = "".join(f'{n},"row {n * n}"\n' for n in range(30000)).encode()
half = rows.index(b"\n", len(rows) // 2) + 1


def run(program, data, options):
    with open(os.path.join(DATA, "in"), "wb") as file:
        file.write(data)
    return sluice("run", program, "-O0", "--data-dir", DATA, *options)


def read(name):
    with open(os.path.join(DATA, name), "rb") as file:
        return file.read()


def check_good(what, program, data, wanted, unpack, options):
    out = run(program, data, options)
    expect(what + ": exit code", (out.returncode, out.stderr), (0, ""))
    if out.returncode:
        return
    for name in ("out", "pieces"):
        expect(f"{what}: {name}", unpack(read(name)) == wanted, True)
    expect(what + ": plain", read("plain") == wanted, True)


for kind, (pack, unpack) in KINDS.items():
    main = kind.capitalize()
    program = write(main + ".spl", PROGRAM % (main, kind, kind, kind, kind))
    packed = pack(rows[:half]) + bytes(700) + pack(rows[half:]) + bytes(512)
    for mode, options in MODES.items():
        check_good(f"{kind}: {mode}", program, packed, rows, unpack, options)
    check_good(kind + ": no rows", program, pack(b""), b"", unpack, [])
    check_good(kind + ": no bytes", program, b"", b"", unpack, [])
    for what, data in (("cut off", packed[: len(packed) // 3]), ("no compression", rows)):
        out = run(program, data, [])
        expect(f"{kind}: {what}: exit code", out.returncode, 1)
        expect_in(f"{kind}: {what}", "error: operator ", out.stderr)
    executable = os.path.join(FOLDER, main)
    out = sluice("build", program, "-o", executable)
    expect(f"{kind}: built", out.returncode, 0)
    if out.returncode == 0:
        with open(os.path.join(DATA, "in"), "wb") as file:
            file.write(packed)
        expect(f"{kind}: executable", os.system(f"{executable} --data-dir {DATA}"), 0)
        expect(f"{kind}: its file", unpack(read("out")) == rows, True)

# What a file seems to be is said.
plain = write(
    "Plain.spl",
    """composite Plain {
  graph
    stream<int64 n, rstring s> Rows = FileSource() { param file : "in"; }
    () as Out = Custom(Rows) {}
}
""",
)
for kind in ("gzip", "bzip2"):
    out = run(plain, KINDS[kind][0](rows), [])
    expect_in("a hint", f"read it with `compression : {kind}`", out.stderr)
finish()
