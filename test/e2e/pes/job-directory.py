# REQUIRES: slow
# RUN: %python %s
"""Where the PEs of a job on one machine meet: the first directory named, and nothing stays."""

import glob
import os

from Inputs.jobs import build, end, pes, start
from Inputs.support import FOLDER, expect, finish

app = build()
runtime, other = os.path.join(FOLDER, "r"), os.path.join(FOLDER, "t")
deep = os.path.join(FOLDER, "d" * 100)
for folder in (runtime, other, deep):
    os.mkdir(folder)
plain = {k: v for k, v in os.environ.items() if k not in ("XDG_RUNTIME_DIR", "TMPDIR")}


def directories():
    return {
        folder: len(glob.glob(folder + "/sluice-job-*"))
        for folder in ("/tmp", runtime, other, deep)
    }


for variables, where in (
    ({}, "/tmp"),
    ({"TMPDIR": other}, other),
    ({"XDG_RUNTIME_DIR": runtime, "TMPDIR": other}, runtime),
    ({"XDG_RUNTIME_DIR": "", "TMPDIR": other}, other),
    ({"TMPDIR": deep}, "/tmp"),  # the name of a socket would not fit
    ({"XDG_RUNTIME_DIR": deep, "TMPDIR": other}, other),
):
    before = directories()
    process = start(app, "count=2000", "period=0.0005", env={**plain, **variables})
    pes(process, 3)
    after = directories()
    if where != "/tmp":  # other jobs may be there
        expect(f"{variables}", after[where], before[where] + 1)
    elsewhere = [f for f in (runtime, other, deep) if f != where and after[f] != before[f]]
    expect(f"{variables}: elsewhere", elsewhere, [])
    expect(f"{variables}: result", end(process), ("count 2000 last 1999 gaps 0\n", "", 0))
    expect(f"{variables}: afterwards", [directories()[f] for f in (runtime, other, deep)], [0] * 3)
finish()
