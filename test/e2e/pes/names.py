# RUN: %python %s
"""Names of processes tell the PEs of a job apart, as `ps` and `top` show them."""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, TIMEOUT, expect, finish, sluice, write  # noqa: E402

source = write(
    "Named.spl",
    """composite Named {
  graph
    stream<int64 n> S = Beacon() { param period : 0.01; }
    () as Out = Custom(S) {
      logic onTuple S : { if (n == 0l) appTrc(Trace.debug, "n"); }
      config placement : partitionIsolation;
    }
}
""",
)
sluice("build", source, "--pes=2", "-o", "named")


def names(parent):
    """Of the processes that `parent` has started, without it."""
    with open(f"/proc/{parent}/task/{parent}/children", encoding="utf-8") as file:
        children = file.read().split()
    found = []
    for child in children:
        with open(f"/proc/{child}/comm", encoding="utf-8") as file:
            found.append(file.read().strip())
    return sorted(found)


for what, command in (
    ("run", ["sluice", "run", source, "--pes=2"]),
    ("built", [os.path.join(FOLDER, "named")]),
):
    job = subprocess.Popen([*command, "--data-dir", DATA], cwd=FOLDER)
    wanted, seen, end = ["pe0 Named", "pe1 Named"], [], time.monotonic() + TIMEOUT
    while seen != wanted and time.monotonic() < end:
        time.sleep(0.05)
        seen = names(job.pid)
    expect(what, seen, wanted)
    job.terminate()
    job.wait(TIMEOUT)
finish()
