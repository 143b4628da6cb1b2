# REQUIRES: slow
# RUN: %python %s
"""Traces of real runs replay to the byte: programs, policies and options of all kinds, also cut off
and paused."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

# Programs run until their policy has decided often enough, however fast the machine is.
SOURCE = """
    stream<uint64 n, uint64 h> %s = Custom() {
      logic onProcess : {
        mutable uint64 n = 0ul;
        for (int32 burst in range(%d)) {
          for (int32 i in range(400)) { submit({n = n, h = n}, %s); n++; }
          block(0.001);
          if (isShutdown()) break;
        }
      }
    }"""
WORK = """
    stream<uint64 n, uint64 h> %s = Custom(%s as I) {
      logic
        state : mutable uint64 sum = 0ul;
        onTuple I : {
          mutable uint64 x = h;
          for (int32 i in range(%d)) x = (x ^ (x >> 7ul)) * 31ul;
          sum += x;
          submit({n = n, h = sum}, %s);
        }
    }"""
SINK = """
    () as Sink = Custom(%s) {
      logic
        state : { mutable uint64 rows = 0ul; mutable uint64 sum = 0ul; }
        onTuple %s : { rows++; sum += h; }
        onPunct %s : if (currentPunct() == Sys.FinalMarker && rows + sum > 0ul) println(rows);
    }"""


def program(name, *parts):
    return write(
        name + ".spl",
        f"use spl.utility::*;\ncomposite {name} {{\n  graph" + "".join(parts) + "\n}\n",
    )


def work(name, source, steps):
    return WORK % (name, source, steps, name)


def sink(name):
    return SINK % (name, name, name)


def source(name, bursts=1000000):
    return SOURCE % (name, bursts, name)


names = [f"P{i}" for i in range(12)]
CHAIN = [
    *[work(n, p, 300 if i == 4 else 20) for i, (n, p) in enumerate(zip(names, ["S"] + names))],
    sink(names[-1]),
]
PIPELINE = program("Pipeline", source("S"), *CHAIN)
SHORT = program("Short", source("S", 300), *CHAIN)
FORK = program(
    "Fork",
    source("S"),
    work("A", "S", 50),
    work("B", "A", 100),
    work("C", "A", 200),
    work("D", "B, C", 20),
    sink("D"),
)
TWO = program(
    "Two",
    source("S"),
    source("T"),
    work("A", "S", 30),
    work("B", "T", 60),
    work("C", "A, B", 100),
    sink("C"),
)
PARALLEL = program(
    "Parallel",
    source("S"),
    """
    @parallel(width = 3, partitionBy = [{port = S, attributes = [n]}])""" + work("A", "S", 200),
    work("B", "A", 20),
    sink("B"),
)
LONG = program("Long", source("S"), work("A", "S", 50), work("B", "A", 100), sink("B"))

FAST = {
    "paper": ["period=0.01"],
    "threads": ["period=0.01"],
    "model": ["window=0.01", "warmUp=0.002", "watch=0.02", "settle=0.5"],
}


def options(policy, *more):
    constants = [word for constant in FAST[policy] for word in ("--elastic-option", constant)]
    return ["--boundaries=all", "--elastic", policy, *constants, *more]


DECISIONS = 30  # of each run, at least
RUNS = [
    (PIPELINE, options("paper")),
    (PIPELINE, options("model")),
    (PIPELINE, options("threads")),
    (
        PIPELINE,
        options(
            "paper",
            "--elastic-option",
            "metric=1",
            "--elastic-option",
            "groups=1",
            "--elastic-option",
            "history=0",
        ),
    ),
    (PIPELINE, options("model", "--threads=1")),
    (PIPELINE, options("paper", "--queues=all", "--threads=4")),
    (PIPELINE, options("model", "--profiler=sampling")),
    (FORK, options("paper", "--merge-order=any")),
    (FORK, options("model", "--merge-order=any", "--threads=8")),
    (FORK, options("model")),
    (TWO, options("paper", "--threads=3")),
    (TWO, options("model", "--queues=A", "--batch-rows=7")),
    (PARALLEL, options("paper")),
    (PARALLEL, options("model", "--threads=3")),
]


def lines(trace):
    with open(trace, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n")[:-1]]


def replay(what, trace, least, warnings=False):
    out = sluice("trace", "replay", trace)
    expect(f"{what}: replay", (out.returncode, "" if warnings else out.stderr), (0, ""))
    expect_in(what, "the same\n", out.stdout)
    decisions = sum(line["line"] == "decision" for line in lines(trace))
    expect_in(what, f"{decisions} decision", out.stdout)
    expect(f"{what}: {decisions} decisions are enough", decisions >= least, True)


def run_until(trace, file, words, *steps):
    """Starts a program and goes on when what a step waits for is in its trace; a step may send a
    signal then. The process."""
    process = subprocess.Popen(
        ["sluice", "run", file, *words, "--trace", trace],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=FOLDER,
    )
    end = time.monotonic() + TIMEOUT
    for reached, number in steps:
        while (
            not (os.path.exists(trace) and reached(lines(trace)))
            and process.poll() is None
            and time.monotonic() < end
        ):
            time.sleep(0.02)
        if number:
            process.send_signal(number)
    return process


def last(kind):
    return lambda found: any(line["line"] == kind for line in found)


def decided(count):
    return lambda found: sum(line["line"] == "decision" for line in found) >= count


seen = set()
for number, (file, words) in enumerate(RUNS):
    trace = os.path.join(FOLDER, f"run{number}.jsonl")
    what = f"{os.path.basename(file)} {' '.join(words)}"
    process = run_until(trace, file, words, (decided(DECISIONS), signal.SIGTERM))
    expect(f"{what}: stderr", process.communicate(timeout=TIMEOUT)[1], "")
    expect(f"{what}: run", process.returncode, 0)
    replay(what, trace, DECISIONS)
    seen.update(line["line"] for line in lines(trace))
expect("programs did change", {"switch", "threads"} - seen, set())

# A program that is paused, goes on, and is told to stop.
trace = os.path.join(FOLDER, "paused.jsonl")
process = run_until(
    trace,
    LONG,
    options("model"),
    (decided(5), signal.SIGUSR1),
    (last("pause"), signal.SIGUSR2),
    (lambda found: last("resume")(found) and decided(12)(found), None),
)
# What is there of a program that still runs, or was killed.
with open(trace, "rb") as file:
    alive = file.read()
for cut in (len(alive), len(alive) - 1, len(alive) * 2 // 3):
    replay(f"cut at {cut}", write("alive.jsonl", alive[:cut]), 1, warnings=True)
process.send_signal(signal.SIGTERM)
process.communicate(timeout=TIMEOUT)
expect("it ends", process.returncode, 0)
replay("paused", trace, 12)

# The disk is full in the middle of a line: one warning, the program goes on, what is there can be
# read.
with open(os.path.join(FOLDER, "run0.jsonl"), "rb") as file:
    room = len(file.readline()) + 700
trace = os.path.join(FOLDER, "full.jsonl")
out = sluice(
    "run",
    SHORT,
    *options("paper"),
    "--trace",
    trace,
    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
)
expect(
    "a full disk",
    (out.returncode, out.stdout, out.stderr),
    (
        0,
        "120000\n",
        (
            f"Short: warning: cannot write {trace}: File too large; tracing ends, the program goes"
            " on\n"
        ),
    ),
)
expect("it is full", os.path.getsize(trace), room)
replay("a full disk", trace, 1, warnings=True)
expect_in("a full disk", "is cut off after ", sluice("trace", "show", trace).stderr)

# What was not measured is noticed.
text = open(os.path.join(FOLDER, "run0.jsonl"), encoding="utf-8").read().splitlines(keepends=True)
nodes = len(json.loads(text[0])["graph"]["nodes"])
samples = [i for i, line in enumerate(text) if '"line":"sample"' in line]
for i in samples:
    sample = json.loads(text[i])
    sample["nodes"]["rows"] = [
        rows * (3 if i % 2 else 1) for rows in sample["nodes"].get("rows", [1] * nodes)
    ]
    text[i] = json.dumps(sample) + "\n"
out = sluice("trace", "replay", write("forged.jsonl", "".join(text)))
expect("a forged trace", out.returncode, 1)
expect_in("a forged trace", '\nreplayed: {"line":"decision"', out.stderr)
finish()
