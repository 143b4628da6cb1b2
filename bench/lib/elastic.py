"""Programs that adapt against those that do not: what --elastic of the bench measures.

The best fixed configuration is searched first. It, all calls, all queues and the policies
then take turns; what was measured while searching is not used again, as the best of many
measurements is too good."""
import statistics
import time
from dataclasses import dataclass

import fixed
from policies import BACKLOG, Adapting
from timing import BenchError, say
from workloads import FIRST

ENDLESS = 1 << 40
POLICY_RUNS = 2   # of each policy
FIXED_SECONDS = 1.5


@dataclass(frozen=True)
class Row:
    """A line of the table: a configuration and how it is compiled."""
    config: object
    options: tuple = ()

    @property
    def name(self):
        return self.config.name + "".join("-" + option.split("=")[-1] for option in self.options)


def rows(configs, options, any_order):
    """Lines for those configurations; with `any_order`, forks also in any order."""
    found = [Row(config, tuple(options)) for config in configs]
    if any_order:
        found += [Row(config, ("--merge-order=any",)) for config in configs if getattr(config, "forks", False)]
    return found


class Durations:
    """How long a policy runs: `settle` seconds at most to settle, then a `window`."""

    def __init__(self, args):
        self.settle, self.window = args.settle, 0.5 if args.quick else 3.0
        self.scale = 0.2 if args.quick else 1.0
        self.turns = 1 if args.quick else args.turns

    def enough(self, running):
        """Has it run long enough to be measured?"""
        trace, least = running.trace, self.window
        if trace.nodes and not trace.adapts:
            return running.seconds >= 2 * least
        if running.seconds < self.settle + least:
            return False
        flow = trace.flow(measured_from(trace, self), least=least)
        return (flow.balanced and flow.seconds >= least) or running.seconds >= self.settle + least + BACKLOG


def measured_from(trace, durations):
    """From when on its rate counts: when it settled, or when it should have."""
    if not trace.adapts:
        return 0.0
    settled = trace.settled_after(0.0)
    return min(durations.settle, settled) if settled is not None else durations.settle


def policy_run(program, policy, arguments, path, durations):
    running = Adapting([*program, f"--elastic={policy}", *arguments(ENDLESS)], path)
    running.watch(durations.enough)
    count = running.finish()
    trace = running.trace
    flow = trace.flow(measured_from(trace, durations), least=durations.window)
    settled = trace.settled_after(0.0) if trace.adapts else 0.0
    return {"rate": flow.rate, "balanced": flow.balanced, "seconds": flow.seconds, "settled": settled,
            "later": trace.changes_after(settled) if settled is not None else 0,
            "load_changes": len(trace.load_changes), "count": count, "trace": path, "controller": controller(trace)}


def controller(trace):
    """The share of the processor time that the controller's thread took; None if it was killed."""
    return trace.final["controller"] / trace.final["cpu"] if trace.final else None


class Group:
    """The configurations of a program that take turns: the one that won the search, all calls,
    all queues."""

    def __init__(self, field, winner):
        self.field, self.direct = field, field.contestants["direct"]
        self.queued = field.queued or self.direct
        self.tried = {c.name: c.rate for c in field.contestants.values()}
        self.contestants = {c.name: c for c in (winner, self.direct, self.queued)}
        for contestant in self.contestants.values():
            contestant.rates = []

    def measure(self, scale):
        for contestant in self.contestants.values():
            contestant.measure(FIXED_SECONDS * scale, self.field.batch)

    @property
    def best(self):
        return max(self.contestants.values(), key=lambda c: c.rate)

    def record(self):
        return {"best": self.best.name, "fixed": self.best.rate, "direct": self.direct.rate, "queued": self.queued.rate,
                "samples": {name: c.rates for name, c in self.contestants.items()}, "tried": self.tried, "batch": self.field.batch}


def measure(row, programs, args):
    """One line of the table, as a record."""
    began, durations = time.monotonic(), Durations(args)
    arguments = row.config.sluice_arguments
    program = [programs.compiled(row.config, row.options)]
    compiled = time.monotonic()
    field = fixed.Field(row.name, program, arguments, programs.path(row.name))
    field.check(FIRST, row.config.sum)
    group = Group(field, field.search(durations.scale))
    searched = time.monotonic()
    policies = {policy: [] for policy in args.elastic}
    for turn in range(durations.turns):
        group.measure(durations.scale)
        for policy, runs in policies.items() if turn < POLICY_RUNS else ():
            path = programs.path(f"{row.name}.{policy}.{turn + 1}.trace")
            runs.append(policy_run(program, policy, arguments, path, durations))
    return {"workload": row.name, **group.record(), "policies": policies,
            "seconds": {"compile": compiled - began, "search": searched - compiled, "turns": time.monotonic() - searched}}


def measure_all(table, programs, args, keep):
    """Measures the lines of the table; `keep(record)` saves each at once. A line that fails is
    reported, and the others follow. How many failed."""
    began, failed = time.monotonic(), 0
    for done, (row, how) in enumerate(table):
        each = (time.monotonic() - began) / done if done else 75.0
        say(f"{row.name}: {done + 1} of {len(table)}, about {max(1, round((len(table) - done) * each / 60))} min to go")
        try:
            keep(how(row, programs, args))
        except BenchError as error:
            say(f"{row.name} failed: {error}")
            keep({"workload": row.name, "error": str(error)})
            failed += 1
    return failed


def typical(runs):
    """The rate of a policy: the median of its runs."""
    return statistics.median(run["rate"] for run in runs)


def settled(runs):
    """The worst of its runs, in seconds; None if one never did."""
    times = [run["settled"] for run in runs]
    return None if None in times else max(times)
