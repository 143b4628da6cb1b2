"""What a queue between two operators carries: `boundary`. How many tuples a second pass one across two threads, and what a
batch's hop costs where the port is called, and where it is a queue with 16 KiB of payload in a row and without: sources make it in both programs and somebody reads it, so
that caches hold as much of it; a program without it would be measured with caches of its own."""
import json
import statistics

import workloads
from timing import BenchError, run, say

TURNS = 15
ROWS = 2               # of a batch: what is handed on of tuples with 16 KiB
BATCHES = 20_000       # of a run with payload


def expect(config, sample, count):
    if sample.count != count:
        raise BenchError(f"{config.name}: {sample.count} tuples arrived of {count}")


def queued_cpu(programs, config, threads, count):
    """(seconds of CPU, batches that were queued) of one run with all ports queued."""
    metrics = programs.path(config.name + ".metrics")
    sample = run([programs.compiled(config, workloads.BOUNDARY.options), "--queues=all", f"--threads={threads}", f"--batch-rows={ROWS}",
                  f"--metrics-json={metrics}", f"n={count}"])
    expect(config, sample, count)
    with open(metrics, encoding="utf-8") as file:
        ports = [port for op in json.load(file)["operators"] for port in op["inputs"]]
    return sample.cpu, sum(port.get("queued", 0) for port in ports)


def hop(programs, carried, threads, count):
    """Nanoseconds of CPU for a batch and queue: those of the long chain less those of the short one."""
    short, long = (queued_cpu(programs, config, threads, count) for config in workloads.BOUNDARY.chains(carried))
    return (long[0] - short[0]) / (long[1] - short[1]) * 1e9


def called(programs, seconds):
    """Nanoseconds of CPU for a batch and boundary that is called, beyond the same program without any; what remains of that
    if calls were free; and rows a batch. A boundary is a pass over a column more: what one code does in registers the other
    reads and writes. hand/passes.cpp does nothing but those passes."""
    config = workloads.BOUNDARY.light
    passes = programs.reference("passes")
    metrics = programs.path(config.name + ".metrics")
    none, every = (programs.compiled(config, [f"--boundaries={which}"]) for which in ("none", "all"))

    def cpu_of(command, count):
        sample = run(command)
        expect(config, sample, count)
        return sample.cpu

    def cpu(program, count, *more):
        return cpu_of([program, "--elastic=off", *more, f"n={count}"], count)

    def by_hand(count):
        return cpu_of([passes, str(config.operators), str(count)], count)
    count = int(1e8 * seconds)

    def batches(count):
        seconds = cpu(every, count, f"--metrics-json={metrics}")
        with open(metrics, encoding="utf-8") as file:
            return seconds, sum(port["direct"] for op in json.load(file)["operators"] for port in op["inputs"] if "direct" in port)
    (long, of_long), (short, of_short) = batches(count), batches(count // 5)
    fused = cpu(none, count) - cpu(none, count // 5)
    hand = by_hand(count) - by_hand(count // 5)
    hops = of_long - of_short
    return (long - short - fused) / hops * 1e9, (hand - fused) / hops * 1e9, (count - count // 5) * (config.operators + 1) / hops


def through(programs, seconds):
    """Tuples a second through one queue: its producer is one thread, the worker behind it another."""
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
    rates, calls, hops = [], [], {threads: {"left": [], "carried": []} for threads in (1, 2)}
    for turn in range(turns):
        say(f"boundary: turn {turn + 1}")
        rates.append(through(programs, 0.3 if quick else 1.5))
        calls.append(called(programs, 0.1 if quick else 1))
        for threads, samples in hops.items():
            for kind, nanos in samples.items():
                nanos.append(hop(programs, kind == "carried", threads, count))
    return {"through": statistics.median(rates), "rates": rates, "rows": ROWS,
            "called": [nanos for nanos, _, _ in calls], "called_by_hand": [nanos for _, nanos, _ in calls],
            "called_rows": statistics.median(rows for _, _, rows in calls),
            "hops": [{"threads": threads, **samples} for threads, samples in hops.items()]}
