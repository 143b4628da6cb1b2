"""Searches the best fixed configuration of a program: which ports are queues, how many
workers, how many of them at one port. All are tried briefly, the better half again
and longer, until one is best."""

import json
import os
import statistics

from timing import BenchError, Pair, expect, run
from traces import Trace

PORTS = 8  # that are tried alone, spread over the graph
WIDE_PORTS = 2  # of them with two workers each
ROUNDS = (0.4, 0.6, 1.0, 1.0)  # seconds of the long run; half is left after each of the first two
FINALISTS = 3  # at least so many are left
BRIEF = 0.04  # seconds that say how long to run
LONGEST = 2.5  # seconds of a run that needs more for its batches
TRIES = 6  # at a rate, each twice as long
LIMIT = 90  # seconds after which a run is stopped, and its row given up
BATCHES = 8  # of a long run: with one or two a pipeline has nothing to overlap


class Contestant:
    """A program with options. `rates`: tuples a second, measured one after the other."""

    def __init__(self, name, words, options, arguments):
        self.name, self.options = name, options
        self.words, self.arguments = [*words, *options], arguments
        self.speed, self.rates = None, []

    def command(self, count):
        return [*self.words, *self.arguments(count)]

    def run(self, count):
        return run(self.command(count), LIMIT)

    def calibrate(self, start, guess):
        """Finds out roughly how fast it is; `start`: the seconds of a run of one tuple."""
        count = max(1, int(guess * BRIEF))
        while True:
            spent = self.run(count).wall - start
            if spent >= BRIEF / 2 or count > 1 << 36:
                break
            count = int(count * min(20, max(2, BRIEF / max(spent, 1e-3)))) + 1
        self.speed = count / max(spent, 1e-3)

    def measure(self, seconds, batch):
        """One more rate. Its own speed and the `batch`, in tuples, say how many tuples are run."""
        long = max(10, int(self.speed * seconds), int(min(BATCHES * batch, self.speed * LONGEST)))
        for _ in range(TRIES):
            short = max(1, long // 5)
            pair = Pair(self.run(short), self.run(long), long - short)
            for sample, count in ((pair.short, short), (pair.long, long)):
                expect(self.name, sample, count, sample.sum)
            if (
                rate := pair.rate("wall")
            ) > 0:  # else others had the processors while the short one ran
                self.rates.append(rate)
                self.speed = rate
                return
            long *= 2
        raise BenchError(
            f"{self.name}: the longer run took no longer, {TRIES} times running: the machine is too"
            " busy"
        )

    @property
    def rate(self):
        return statistics.median(self.rates) if self.rates else 0.0


class Field:
    """A program and all its configurations: `contestants`, by name. `switchable`: how many
    ports a policy may make queues or calls."""

    def __init__(self, name, program, arguments, scratch):
        """`program`: words that start it; `arguments(n)`: those for n tuples; `scratch`:
        a path that names of what it writes begin with."""
        self.name, self.program, self.arguments, self.scratch = name, program, arguments, scratch
        self.start = min(run([*program, "--queues=none", *arguments(1)]).wall for _ in range(3))
        direct = Contestant("direct", program, ["--queues=none"], arguments)
        direct.calibrate(self.start, 50 / BRIEF)
        ports, self.batch = self.look(int(min(8192, max(10, direct.speed))))
        self.contestants = {"direct": direct}
        for name, options in candidates(ports).items():
            self.contestants[name] = Contestant(name, program, options, arguments)

    def look(self, count):
        """Ports that may be queues, as --queues names them, each with how many workers may
        run it at once; the rows of a batch. From a run of `count` tuples."""
        metrics, trace = self.scratch + ".metrics", self.scratch + ".trace"
        run(
            [
                *self.program,
                "--elastic=off",
                "--metrics-json",
                metrics,
                "--trace",
                trace,
                *self.arguments(count),
            ]
        )
        seen = Trace(trace).read()
        self.switchable = seen.switchable
        widths = {node["name"]: node.get("maxWidth", 1) for node in seen.nodes}
        with open(metrics, encoding="utf-8") as file:
            operators = json.load(file)["operators"]
        ports, batch = [], 1.0
        for op in operators:
            for i, port in enumerate(op["inputs"]):
                if port.get("batches") and port["tuples"]:
                    batch = max(batch, port["tuples"] / port["batches"])
                if port["boundary"] == "switchable":
                    name = f"{op['name']}:{i}"
                    ports.append((name, widths.get(name, widths.get(op["name"], 1))))
        return ports, batch

    @property
    def queued(self):
        """All ports as queues, a worker for each hardware thread; None if no port can be."""
        return self.contestants.get(all_queued(cpus()))

    def check(self, count, total):
        """Every configuration on a small input: its count, and its sum or else that of all
        calls."""
        for name, contestant in self.contestants.items():
            sample = contestant.run(count)
            total = sample.sum if total is None else total
            expect(f"{self.name} ({name})", sample, count, total)

    def search(self, scale=1.0):
        """The best contestant; `scale` shortens all runs."""
        for contestant in self.contestants.values():
            if contestant.speed is None:
                contestant.calibrate(self.start, self.contestants["direct"].speed)
        left = list(self.contestants.values())
        for number, seconds in enumerate(ROUNDS):
            if len(left) == 1:
                break
            for contestant in left:
                contestant.measure(seconds * scale, self.batch)
            keep = max(FINALISTS, (len(left) + 1) // 2) if not number else FINALISTS
            left = sorted(left, key=lambda c: c.rate, reverse=True)[:keep]
        return left[0]


def cpus():
    return os.cpu_count() or 1


def all_queued(threads, width=1):
    return f"all queued, {threads} workers" + (f", width {width}" if width > 1 else "")


def candidates(ports):
    """Name -> options of the program, besides all calls."""
    found = {}
    if not ports:
        return found
    for threads in range(1, cpus() + 1):
        found[all_queued(threads)] = ["--queues=all", f"--threads={threads}"]
    wide = [port for port, width in ports if width > 1]
    if wide:
        found[all_queued(cpus(), 2)] = ["--queues=all", f"--threads={cpus()}", "--width=2"]
    for port in spread([port for port, _ in ports], PORTS):
        found[f"queue {port}"] = [f"--queues={port}", "--threads=1"]
    for port in wide[:1] + spread(wide[1:], WIDE_PORTS - 1):
        found[f"queue {port}, width 2"] = [f"--queues={port}", "--threads=2", "--width=2"]
    return found


def spread(ports, most):
    """At most so many of them, evenly over the graph."""
    step = max(1, -(-len(ports) // most))
    return ports[step // 2 :: step]
