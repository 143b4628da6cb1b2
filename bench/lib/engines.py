"""Batch engines on W8: DuckDB, Polars and (W8e) DataFusion, on tables in memory (batch/windows.py).
"""

import os
import statistics
import subprocess
import sys

from programs import HERE
from timing import expect, run, say

ENGINES = ("duckdb", "polars", "datafusion")
NEEDED = {
    "duckdb": "duckdb, polars, numpy, pyarrow",
    "polars": "polars, numpy",
    "datafusion": "datafusion, numpy, pyarrow",
}


def has(engine, config):
    """Whether an engine was given a query for a workload."""
    return config.engines and (engine != "datafusion" or config.name.startswith("W8e"))


def command(engine):
    """The words that start it, or None (and a message) if it is not installed."""
    modules = NEEDED[engine]
    probe = subprocess.run([sys.executable, "-c", f"import {modules}"], capture_output=True)
    if probe.returncode:
        say(f"{engine} is left out: {sys.executable} needs the packages {modules}")
        return None
    return [sys.executable, os.path.join(HERE, "batch", "windows.py"), engine]


def measure(config, engine, words, passes):
    """Passes over the same tuples, all in one process, which measures them itself. The first one,
    in which it gets warm, does not count."""
    sample = run([*words, config.name, str(passes + 1)])
    for length, *expected in config.known:
        expect(f"{config.name} ({engine}, {length} tuples)", sample, *expected)
    count, _, *times = sample.lines
    rates = [[int(count) / float(seconds) for seconds in line.split()] for line in times]
    return {
        "median_cpu": statistics.median(cpu for cpu, _ in rates),
        "median_wall": statistics.median(wall for _, wall in rates),
        "samples": [{"rate_cpu": cpu, "rate_wall": wall} for cpu, wall in rates],
    }
