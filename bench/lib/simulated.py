"""Policies on simulated machines: what sluice-sim makes of the paper's figures 9 to 12 and 15."""

import csv
import os

from programs import call
from timing import say

FIGURES = (9, 10, 11, 12, 15)
TRIES = 10  # of the oracle's search
POLICIES = ("paper", "model")


def rows_of(path):
    """A record for each graph and machine: throughput of each contender as a part of the oracle's,
    and the seconds until a policy had settled."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in csv.DictReader(file):
            key = line["graph"], line["machine"]
            of = found.setdefault(key, {"graph": key[0], "machine": key[1], "figures": {}})
            name = line["contender"]
            of["figures"][name] = float(line["of_oracle"])
            if name in POLICIES:
                of["figures"][f"{name} settles"] = float(line["settling_seconds"])
    return list(found.values())


def measure(programs, quick):
    """The same on any machine; nothing is timed."""
    records = []
    for figure in FIGURES:
        say(f"simulated: figure {figure}")
        path = programs.path(f"figure-{figure}")
        command = [os.path.join(programs.build, "bin", "sluice-sim"), "paper"]
        command += ["--figure", str(figure), "--tries", str(TRIES), "-o", path]
        call([*command, *(["--quick"] if quick else [])], f"figure {figure}")
        records += rows_of(path + ".csv")
    return records
