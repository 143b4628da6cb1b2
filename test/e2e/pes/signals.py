# REQUIRES: slow
# RUN: %python %s
"""Ctrl-C and SIGTERM drain all PEs, a PE that stands still holds the others up, and nothing is left
over when they have ended, or when the launcher was killed."""

import os
import re
import signal
import time

from Inputs.jobs import build, end, pes, start, until
from Inputs.support import FOLDER, expect, files_below, finish

app = build()
runtime = os.path.join(FOLDER, "runtime")
os.mkdir(runtime, 0o700)
os.environ["XDG_RUNTIME_DIR"] = runtime
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup programs ignore it
ENDLESS = [app, "count=4000000000", "says=true", "--receive=auto"]
SLOW = ENDLESS + ["period=0.001"]


def connected(launcher):
    """Its PEs, when a tuple has come through all of them."""
    found = pes(launcher)
    expect("it has begun", launcher.stdout.readline(), "begun\n")
    return found


def drained(what, process, code=0):
    out, errors, got = end(process)
    match = re.fullmatch(r"count (\d+) last (-?\d+) gaps 0\n", out)
    expect(what + ": exit code", got, code)
    if not match:
        return expect(what + ": output", (out, errors), "a count")
    expect(what + ": nothing is lost", int(match[1]), int(match[2]) + 1)
    expect(what + ": it ran", int(match[1]) > 0, True)
    expect(what + ": left over", files_below(runtime), [])


for command in (ENDLESS, SLOW):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = start(*command)
        connected(process)
        process.send_signal(number)
        drained(f"{number.name} to the launcher", process)
    process = start(*command, start_new_session=True)
    connected(process)
    os.killpg(process.pid, signal.SIGINT)
    drained("SIGINT to all", process)

# The launcher passes on what its PEs have got already, but later: that is one signal to them.
process = start(*SLOW, start_new_session=True)
found = connected(process)
for stopped in (process.pid, found[1]):
    os.kill(stopped, signal.SIGSTOP)
os.killpg(process.pid, signal.SIGINT)
for stopped in (process.pid, found[1]):
    time.sleep(0.5)
    os.kill(stopped, signal.SIGCONT)
drained("SIGINT to all, passed on late", process)

# A signal before the PEs have met.
for delay in (0, 0.005, 0.01, 0.02, 0.05, 0.1):
    process = start(*SLOW)
    pes(process)
    time.sleep(delay)
    process.send_signal(signal.SIGTERM)
    out, errors, code = end(process)
    expect(f"a signal after {delay} s", ("error" in errors, code), (False, 0))
    expect(f"a signal after {delay} s: left over", files_below(runtime), [])

# Each of the PEs stands still for a while.
for pe in range(3):
    process = start(*ENDLESS)
    found = connected(process)
    os.kill(found[pe], signal.SIGSTOP)
    time.sleep(1)
    os.kill(found[pe], signal.SIGCONT)
    time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    drained(f"PE {pe} stood still", process)

# It is told to end while it stands still.
process = start(*SLOW)
found = connected(process)
os.kill(found[1], signal.SIGSTOP)
process.send_signal(signal.SIGTERM)
time.sleep(0.5)
expect("the job waits for it", process.poll(), None)
os.kill(found[1], signal.SIGCONT)
drained("told while it stood still", process)

# The launcher is killed: its PEs end, and take the directory along.
for command in (ENDLESS, SLOW):
    process = start(*command)
    found = connected(process)
    process.kill()
    process.communicate()
    until("the PEs end", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in found))
    expect("after the launcher", files_below(runtime), [])

# Two jobs at the same time, of one program.
jobs = [start(app) for _ in range(2)]
for process in jobs:
    expect("two jobs", end(process), ("count 20000 last 19999 gaps 0\n", "", 0))
expect("two jobs: left over", files_below(runtime), [])
finish()
