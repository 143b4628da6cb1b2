# RUN: %python %s
"""The options of the transport change no result, and are the same in all PEs."""

import os

from Inputs.jobs import build, end, run, start
from Inputs.support import FOLDER, expect, expect_in, finish, sluice

app = build()
RESULT = ("count 20000 last 19999 gaps 0\n", "", 0)
for options in (
    "--receive=poll",
    "--receive=interrupt",
    "--receive=sleep",
    "--receive=sleep=500us",
    "--receive=auto --latency=1ms",
    "--transport=shm",
    "--transport=socket",
    "--transport=ucx",
    "--transport-option checksum=off",
    "--transport-option pool=off",
    "--transport-option in-place=off",
    "--transport-option lazy=off",
    "--transport-option=pool=off --transport-option=in-place=off --transport-option=lazy=off"
    " --transport=socket",
    "--transport-option=ring=1 --transport-option=grant=1 --transport-option=window=1"
    " --transport-option=low=0",
    "--transport-option ring=3 --transport-option grant=2 --transport-option window=3"
    " --transport-option low=2 --transport=socket",
):
    expect(options, run(app, *options.split()), RESULT)

for options, part in {
    "--receive=often": "--receive needs poll, interrupt, sleep",
    "--receive=sleep=10": "needs a time like 10ms",
    "--receive=sleep=20s": "needs a time like 10ms, up to 10s",
    "--transport=rdma": "--transport needs auto, shm, socket or ucx",
    "--transport-option ring": "ring needs a number from 1 to 10000",
    "--transport-option ring=0": "ring needs a number from 1 to 10000",
    "--transport-option ring=1.5": "ring needs a number from 1 to 10000",
    "--transport-option ring=10001": "ring needs a number from 1 to 10000",
    "--transport-option low=-1": "low needs a number from 0 to 10000",
    "--transport-option low=10": "low is below window, which is 10",
    "--transport-option grant=101": "at most ring, which is 100",
    "--transport-option window=101": "at most ring, which is 100",
    "--transport-option checksum=maybe": "needs checksum=on|off",
    "--transport-option pool": "pool=on|off, in-place=on|off, lazy=on|off",
    "--transport-option size=1": "not 'size=1'",
}.items():
    out, errors, code = run(app, *options.split())
    expect(options, (out, code), ("", 2))
    expect_in(options, part, errors)

# One that was started otherwise is refused, in words, and says so itself.
expect("sluice job", sluice("job", app, "-o", "job.toml").returncode, 0)
with open(os.path.join(FOLDER, "job.toml"), "r+") as file:
    text = file.read()
    for pe in range(3):
        text = text.replace(f"localhost:{7400 + pe}", f"unix:pe{pe}")
    file.seek(0)
    file.truncate()
    file.write(text)
for options in (["--transport=socket"], ["--transport-option=ring=50"], ["count=5"]):
    pes = [start(app, f"--pe={pe}", "--job=job.toml") for pe in (1, 2)]
    out, errors, code = end(start(app, "--pe=0", "--job=job.toml", *options))
    expect(f"{options}: exit code", code, 1)
    expect_in(f"{options}", "cannot connect to PE 1", errors)
    expect_in(f"{options}", "other submission-time values or options of the transport", errors)
    for pe in pes:
        pe.kill()
    expect_in(f"{options}", "PE 1 refused a connection", end(pes[0])[1])
    end(pes[1])
finish()
