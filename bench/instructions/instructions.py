"""Instructions a tuple, counted by callgrind: the same on a busy machine as on a quiet one.

A program is built for x86-64-v3, which valgrind knows, and run with two inputs. What the longer run
has more counts, so that start-up drops out. bench/instructions/kernels.tsv says what is expected."""

import os
import re
import shutil
import subprocess

import workloads
from programs import HERE
from timing import BenchError

TABLE = os.path.join(HERE, "instructions", "kernels.tsv")
TOLERANCE = 0.03
BUILT = ["--cpu=x86-64-v3"]
# No thread is added and no queue placed: what is counted is one thread.
RUN = ["--elastic=off"]
SHORT, LONG = 20_000, 120_000  # tuples; lines of W6


def table():
    """Workload -> instructions a tuple, as bench/instructions/kernels.tsv has it."""
    with open(TABLE, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {name: float(count) for name, count in rows}


def write(expected):
    with open(TABLE, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(TABLE, "w", encoding="utf-8") as file:
        file.writelines(head)
        file.writelines(f"{name}\t{count:.1f}\n" for name, count in expected.items())


def available():
    return bool(shutil.which("valgrind"))


def collected(command):
    """The instructions of one run."""
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    out = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = re.search(r"Collected\s*:\s*(\d+)", out.stderr)
    if out.returncode or not found:
        raise BenchError(f"`{' '.join(words)}` failed:\n{out.stderr[-2000:]}")
    return int(found.group(1))


def lengths(config, programs):
    """The arguments of a short and a long run."""
    if config is workloads.VWAP:
        return [programs.input("ticks", n) for n in (SHORT, LONG)]
    return [config.warm + n for n in (SHORT, LONG)]


def measure(name, programs):
    """Instructions that ours takes for a tuple (of W6: a line)."""
    config = next((c for c in workloads.ALL if c.name == name), None)
    if not config:
        raise BenchError(f"no instructions are counted of {name}")
    program = programs.sluice(config, BUILT)[0]
    short, long = (
        collected([program, *config.sluice_arguments(n), *RUN]) for n in lengths(config, programs)
    )
    return (long - short) / (LONG - SHORT)


def problem(name, count, expected):
    """What is wrong with a count, or None. `expected`: None if it is not in the table."""
    if expected is None or abs(count / expected - 1) <= TOLERANCE:
        return None
    change = count / expected - 1
    return (
        f"{name}: {count:.1f} instructions a tuple, {change:+.1%} of the {expected:.1f} in"
        " bench/instructions/kernels.tsv"
    )
