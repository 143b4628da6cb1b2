"""What a queue between two operators carries: `boundary`. How many tuples a second pass one across
two threads, and what a batch's hop costs where the port is called, and where it is a queue with
16 KiB of payload in a row and without: sources make it in both programs and somebody reads it,
so that caches hold as much of it; a program without it would be measured with caches of its own."""

import json
import statistics

import workloads
from timing import BenchError, run, say

TURNS = 15
CALLED_TURNS = 30
ROWS = 2  # of a batch: what is handed on of tuples with 16 KiB
BATCHES = 20_000  # of a run with payload


def expect(config, sample, count):
    if sample.count != count:
        raise BenchError(f"{config.name}: {sample.count} tuples arrived of {count}")


def queued_cpu(programs, config, threads, count):
    """(seconds of CPU, batches that were queued) of one run with all ports queued."""
    metrics = programs.path(config.name + ".metrics")
    sample = run(
        [
            programs.compiled(config, workloads.BOUNDARY.options),
            "--queues=all",
            f"--threads={threads}",
            f"--batch-rows={ROWS}",
            f"--metrics-json={metrics}",
            f"n={count}",
        ]
    )
    expect(config, sample, count)
    with open(metrics, encoding="utf-8") as file:
        ports = [port for op in json.load(file)["operators"] for port in op["inputs"]]
    return sample.cpu, sum(port.get("queued", 0) for port in ports)


def hop(programs, carried, threads, count):
    """Nanoseconds of CPU for a batch and queue: those of the long chain less those of the short
    one."""
    short, long = (
        queued_cpu(programs, config, threads, count)
        for config in workloads.BOUNDARY.chains(carried)
    )
    return (long[0] - short[0]) / (long[1] - short[1]) * 1e9


def rows_a_batch(program, config, count, metrics):
    """How many rows a batch has at ports that are called. A run of its own: with --metrics-json
    times are taken on the way."""
    expect(
        config, run([program, "--elastic=off", f"--metrics-json={metrics}", f"n={count}"]), count
    )
    with open(metrics, encoding="utf-8") as file:
        ports = [
            port for op in json.load(file)["operators"] for port in op["inputs"] if "direct" in port
        ]
    return count * len(ports) / sum(port["direct"] for port in ports)


def called(programs, seconds, turns):
    """Nanoseconds of CPU for a batch and boundary that is called, beyond the same program without
    any, in each turn; what would remain of that if calls were free; and rows a batch. A boundary
    is a pass over a column more: what one code does in registers the other reads and writes.
    hand/passes.cpp does nothing but those passes."""
    config = workloads.BOUNDARY.light
    count = int(1e8 * seconds)
    none, every = (
        programs.compiled(config, [f"--boundaries={which}"]) for which in ("none", "all")
    )
    rows = rows_a_batch(every, config, count, programs.path(config.name + ".metrics"))
    commands = {
        "none": lambda n: [none, "--elastic=off", f"n={n}"],
        "all": lambda n: [every, "--elastic=off", f"n={n}"],
        "hand": lambda n: [programs.reference("passes"), str(config.operators), str(n)],
    }

    def cpu(name, count):
        sample = run(commands[name](count))
        expect(config, sample, count)
        return sample.cpu

    hops = (count - count // 5) / rows * (config.operators + 1)
    found = {"all": [], "hand": []}
    for turn in range(turns):
        say(f"boundary: a port that is called, turn {turn + 1}")
        beyond = {name: cpu(name, count) - cpu(name, count // 5) for name in commands}
        for name, nanos in found.items():
            nanos.append((beyond[name] - beyond["none"]) / hops * 1e9)
    return {"called": found["all"], "called_by_hand": found["hand"], "called_rows": rows}


def through(programs, seconds):
    """Tuples a second through one queue: its producer is one thread, the worker behind it another.
    """
    config = workloads.BOUNDARY.one
    words = [programs.compiled(config, workloads.BOUNDARY.options), "--queues=O1", "--threads=1"]

    def once(count):
        sample = run([*words, f"n={count}"])
        expect(config, sample, count)
        return sample.wall

    count = 1_000_000
    while (wall := once(count)) < 0.3:
        count *= 4
    count = int(count * seconds / wall)
    return (count - count // 5) / (once(count) - once(count // 5))


def measure(programs, quick):
    turns, count = (1, 4000) if quick else (TURNS, BATCHES * ROWS)
    say("boundary: compiling")
    found = called(programs, 0.1 if quick else 0.6, 1 if quick else CALLED_TURNS)
    rates, hops = [], {threads: {"left": [], "carried": []} for threads in (1, 2)}
    for turn in range(turns):
        say(f"boundary: turn {turn + 1}")
        rates.append(through(programs, 0.3 if quick else 1.5))
        for threads, samples in hops.items():
            for kind, nanos in samples.items():
                nanos.append(hop(programs, kind == "carried", threads, count))
    return found | {
        "through": statistics.median(rates),
        "rates": rates,
        "rows": ROWS,
        "hops": [{"threads": threads, **samples} for threads, samples in hops.items()],
    }
