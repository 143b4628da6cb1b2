# RUN: %python %s
"""sluice jobs, stats and stop find programs that run, of one process and of several."""

import os
import re

from Inputs.support import expect, expect_in, finish, sluice
from Inputs.watching import ENVIRONMENT, RUNTIME, Program, until

INPUTS = os.path.join(os.path.dirname(__file__), "..", "Inputs")
SOURCE = os.path.join(INPUTS, "pipeline.spl")


def ask(*command):
    return sluice(*command, env=ENVIRONMENT)


def threads(process):
    """How many it has, once they are all there."""
    seen = []

    def look():
        seen.append(len(os.listdir(f"/proc/{process}/task")))
        return len(seen) > 20 and len(set(seen[-20:])) == 1 and seen[-1] > 2

    until("its threads", look)
    return seen[-1]


expect_in("nothing runs", "no program runs\n", ask("jobs").stdout)
out = ask("stats", "Pipeline")
NONE = "sluice: no job `Pipeline` runs: `sluice jobs` lists those that do\n"
expect("no job", (out.returncode, out.stderr), (1, NONE))

with Program("sluice", "run", SOURCE, "--elastic=off") as program:
    entry = until("an entry", lambda: [n for n in os.listdir(RUNTIME) if n.endswith(".job")])[0]
    number = entry.split(".")[0]
    expect("its number", entry, f"{program.process.pid}.{program.process.pid}.job")
    before = threads(number)
    sockets = [n for n in os.listdir(RUNTIME) if not n.endswith(".job")]
    expect("nobody looks: no socket", sockets, [])
    line = rf"^{number} +1  [-\d]+ [:\d]+ +[\d.]+( [kMG])?  Pipeline: "
    until("a rate", lambda: re.search(line, ask("jobs").stdout, re.M))
    expect("who looks has a thread", threads(number), before + 1)
    out = ask("stats", "Pipeline")
    expect("stats", out.returncode, 0)
    for name in ("Numbers", "Heavy", "Sink"):
        expect_in("an operator", f"\n{name} ", out.stdout)
    expect("by number", ask("stats", number).returncode, 0)
    out = ask("stop", "Pipeline")
    expect("stop", (out.returncode, out.stdout), (0, "Pipeline has ended\n"))
    expect("it ended in order", program.process.wait(60), 0)
expect("no entry is left", os.listdir(RUNTIME), [])

with Program("sluice", "run", SOURCE, "--elastic=off") as program:
    until("an entry", lambda: os.listdir(RUNTIME))
    program.process.kill()
    program.process.wait()
    expect_in("who was killed does not run", "no program runs\n", ask("jobs").stdout)
expect("no entry is left of it", os.listdir(RUNTIME), [])

with Program("sluice", "run", SOURCE, "--pes=2") as program:
    number = program.process.pid
    until("both PEs", lambda: re.search(rf"^{number} +2  ", ask("jobs").stdout, re.M))
    names = until(
        "names of PEs",
        lambda: sorted(
            open(f"/proc/{n.split('.')[1]}/comm", encoding="utf-8").read()
            for n in os.listdir(RUNTIME)
            if n.endswith(".job")
        ),
    )
    expect("what ps shows", names, ["pe0 Pipeline\n", "pe1 Pipeline\n"])
    until("of both", lambda: re.search("PE 0\n.*PE 1\n", ask("stats", "Pipeline").stdout, re.S))
    expect("stop", ask("stop", str(number)).stdout, "Pipeline has ended\n")
finish()
