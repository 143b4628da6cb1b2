"""What handing tuples on costs: `idle`, from one sleeping worker to the next, and `hops`,
under full load in a small and in a large program."""

import json
import os
import resource
import signal
import statistics
import subprocess
import time

import workloads
from timing import BenchError, counted, expect, run, say

IDLE_TUPLES = 300
HOP_ROWS = 64  # of a batch in a chain
LOAD_SECONDS = 3.0
TURNS = 3


def percentiles(values):
    values = sorted(values)
    return {p: values[min(len(values) - 1, len(values) * p // 100)] for p in (50, 90, 99)}


def measure_idle(programs, quick):
    """The share of a core that a nearly idle program takes, and how long tuples take."""
    count = 20 if quick else IDLE_TUPLES
    say(f"idle: running for {count // 10} seconds")
    program = programs.compiled(workloads.IDLE, workloads.IDLE.options)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    out = subprocess.run(
        [program, "--queues=all", f"n={count}"], capture_output=True, text=True, check=True
    )
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    times = [[int(word) / 1e3 for word in line.split()] for line in out.stdout.splitlines()]
    if len(times) != count or any(len(line) != workloads.IDLE.operators + 2 for line in times):
        raise BenchError(f"idle: {len(times)} tuples came out of {count}, or not by all operators")
    hops = [[later - earlier for earlier, later in zip(line, line[1:])] for line in times]
    return {
        "operators": workloads.IDLE.operators,
        "tuples": count,
        "core_share": cpu / wall,
        "wake": percentiles([line[0] for line in hops]),
        "hop": percentiles([hop for line in hops for hop in line]),
        "whole": percentiles([line[-1] - line[0] for line in times]),
    }


class Scale:
    """A program of `hops`: runs of n tuples a source."""

    def __init__(self, config, programs):
        self.config, self.metrics = config, programs.path(config.name + ".metrics")
        # Dealing makes of a batch one for each chain.
        self.words = [
            programs.compiled(config, config.options),
            "--queues=all",
            f"--batch-rows={HOP_ROWS * config.chains}",
        ]
        self.count, self.samples = self.calibrate(), []

    def load(self, count):
        """(seconds of CPU, of the wall clock, batches run from queues, peak of memory in KiB)"""
        sample = run([*self.words, f"--metrics-json={self.metrics}", f"n={count}"])
        tuples = count * self.config.sources
        expect(self.config.name, sample, tuples, tuples * self.config.depth)
        with open(self.metrics, encoding="utf-8") as file:
            entry = json.load(file)
        self.rows = row_average(entry)
        # Sources that wait for space run batches, too: workers' own counts would leave those out.
        batches = sum(port.get("queued", 0) for op in entry["operators"] for port in op["inputs"])
        return sample.cpu, sample.wall, batches, sample.peak_kb

    def calibrate(self):
        count = 10_000
        while (wall := self.load(count)[1]) < 0.5:
            count *= 3
        return count, wall

    def measure(self, seconds):
        count, wall = self.count
        long = max(2 * count, int(count * seconds / wall))
        short, more = self.load(long // 5), self.load(long)
        batches = more[2] - short[2]
        self.samples.append(
            {
                "nanos": (more[0] - short[0]) / batches * 1e9,
                "batches_per_second": batches / (more[1] - short[1]),
                "rows": self.rows,
                "peak_kb": more[3],
            }
        )

    def idle(self, seconds):
        """(resident KiB, share of a core) with ten tuples a second at each source."""
        child = subprocess.Popen(
            [*self.words, "pause=0.1", f"n={1 << 40}"], stdout=subprocess.PIPE, text=True
        )
        try:
            time.sleep(1.0)  # started
            before = cpu_seconds(child.pid)
            time.sleep(seconds)
            memory, cpu = resident(child.pid), cpu_seconds(child.pid) - before
            child.send_signal(signal.SIGTERM)
            text = child.communicate(timeout=20)[0]
        except BaseException:
            child.kill()
            raise
        count, hops, _ = counted(self.words, text)
        if hops != count * self.config.depth:
            raise BenchError(f"{self.config.name}: {hops} hops of {count} tuples")
        return memory, cpu / seconds


def row_average(entry):
    """Rows of a batch where batches are queued, but for those of the sink, which are of all chains.
    """
    ports = [port for op in entry["operators"][:-1] for port in op["inputs"] if port.get("queued")]
    return sum(port["tuples"] for port in ports) / sum(port["batches"] for port in ports)


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def cpu_seconds(pid):
    """Of all its threads, as none end meanwhile: finer than the kernel's ticks."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total * 1e-9


def measure_hops(programs, quick):
    """CPU time of a batch's hop, and memory, of the small and the large program, in turns."""
    say("hops: compiling")
    scales = [Scale(config, programs) for config in workloads.SCALES]
    for turn in range(1 if quick else TURNS):
        for scale in scales:
            say(f"{scale.config.name}: turn {turn + 1}")
            scale.measure(0.5 if quick else LOAD_SECONDS)
    found = []
    for scale in scales:
        say(f"{scale.config.name}: idle")
        memory, share = scale.idle(1.0 if quick else 5.0)
        found.append(
            {
                "workload": scale.config.name,
                "operators": scale.config.operators,
                "sources": scale.config.sources,
                **{
                    key: statistics.median(s[key] for s in scale.samples)
                    for key in scale.samples[0]
                },
                "idle_kb": memory,
                "idle_share": share,
                "samples": scale.samples,
            }
        )
    return found
