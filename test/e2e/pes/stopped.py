# REQUIRES: slow
# RUN: %python %s
"""A PE that stands still for 30 seconds: nothing is lost, and nobody gives up."""

import os
import signal
import time

from Inputs.jobs import build, end, pes, start
from Inputs.support import expect, finish

app = build()
OPTIONS = ([], ["--transport=socket"], ["--receive=interrupt", "--restart=1"])
jobs = [start(app, "count=12000", "period=0.001", *options) for options in OPTIONS]
stopped = [pes(job)[number] for number, job in enumerate(jobs)]
time.sleep(1)
for pe in stopped:
    os.kill(pe, signal.SIGSTOP)
time.sleep(30)
for pe in stopped:
    os.kill(pe, signal.SIGCONT)
for job in jobs:
    expect("after 30 s", end(job), ("count 12000 last 11999 gaps 0\n", "", 0))
finish()
