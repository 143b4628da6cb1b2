"""Programs that adapt against those that do not: what --elastic of the bench measures.

The best fixed configuration is searched first. It, all calls, all queues and the policies, once
settled, then take turns (slices.py) and are measured alike; what was measured while searching is
not used again, as the best of many measurements is too good."""

import contextlib
import math
import os
import re
import statistics
import time
from dataclasses import dataclass

import fixed
import slices
from timing import BenchError, say
from traced import Traced
from traces import Trace
from workloads import FIRST

ENDLESS = 1 << 40
WARM = 1.0  # seconds after the first rows that do not count: start-up, cold caches
BACKLOG = (
    12.0  # seconds that a run may last longer while a backlog grows or shrinks, or few rows arrive
)
BUSY = 0.1  # processors that others had on average: its rates say little
BATCHES = 16  # whose rows have to arrive: a window has whole batches
TURNS = 3  # where a policy has less than it should at first: processes are started anew
FINITE = 1.5  # seconds of the longer run where only finite runs tell


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
        found += [
            Row(config, ("--merge-order=any",))
            for config in configs
            if getattr(config, "forks", False)
        ]
    return found


class Durations:
    """How long programs run: a policy has `settle` seconds to settle, and is watched for a `window`
    more; anything else has one second after it has got warm. What is measured has windows as
    long together, or as long as so many `rows` take."""

    def __init__(self, args, fields=()):
        self.rows = int(BATCHES * max((field.batch for field in fields), default=0))
        self.settle, self.window = args.settle, 0.5 if args.quick else 3.0
        self.scale = 0.2 if args.quick else 1.0
        self.turns, self.rounds = (1, 1) if args.quick else (args.turns, slices.ROUNDS)
        self.patient = not args.quick

    def enough(self, running):
        """Is it ready to be measured?"""
        trace, begin = running.trace, measured_from(running.trace, self)
        window = self.window if trace.adapts else min(self.window, 1.0)
        least = window + max(begin or self.settle, self.settle if trace.adapts else 0.0)
        if running.seconds < least or running.seconds >= least + BACKLOG:
            return running.seconds >= least
        if begin is None:
            return False
        flow = trace.flow(begin, float("inf"), window, self.rows)
        return flow.balanced and flow.seconds >= window and flow.rows >= self.rows

    def flow(self, trace, begin, end=float("inf")):
        return trace.flow(begin, end, self.window, self.rows)


def measured_from(trace, durations):
    """From when on its rate counts: once rows flow, and after a policy settled, or should have.
    None if no rows flow."""
    if trace.flowing is None:
        return None
    flowing = trace.flowing + WARM
    if not trace.adapts:
        return flowing
    settled = trace.settled_after(0.0)
    return max(flowing, min(durations.settle, durations.settle if settled is None else settled))


def started(command, path, durations):
    """A program without end, its trace in `path`, that has got warm, or has had the time to settle,
    and is halted."""
    running = Traced(command, path)
    try:
        running.watch(durations.enough)
        if measured_from(running.trace, durations) is None:
            raise BenchError(f"`{' '.join(command)}`: nothing arrived in {running.seconds:.0f} s")
        running.halt()
    except BaseException:
        running.__exit__()
        raise
    return running


def take_turns(running, durations, fixed_ones):
    """Measures programs that are halted, so many fixed configurations, then policies, all alike,
    until it is known how the policies compare with the others; ends them. A record for each."""

    def enough(rates):
        return all(
            slices.known(ours, theirs)
            for ours in rates[fixed_ones:]
            for theirs in rates[:fixed_ones]
        )

    records, patient = [], durations.patient and len(running) > fixed_ones
    for program, windows, rates in zip(
        running, *slices.take_turns(running, durations.rounds, enough if patient else None)
    ):
        flow = program.trace.sum(windows)
        if flow.others > BUSY:
            say(
                f"warning: other programs had {flow.others:.1f} processors during"
                f" `{os.path.basename(program.trace.path)}`"
            )
        records.append(
            {
                "rate": flow.rate,
                "balanced": flow.balanced,
                "seconds": flow.seconds,
                "others": flow.others,
                "rounds": rates,
                "windows": [window.sink / (window.end - window.begin) for window in windows],
                "count": program.finish(),
                "trace": program.trace.path,
            }
        )
    return records


def decided(record):
    """The same, with what the policy did."""
    trace = Trace(record["trace"]).read()
    settled = trace.settled_after(0.0) if trace.adapts else 0.0
    return record | {
        "settled": settled,
        "later": trace.changes_after(settled) if settled is not None else 0,
        "overshoot": trace.overshoot(settled) if settled else (0, 0.0),
        "load_changes": len(trace.load_changes),
        "controller": controller(trace),
    }


def controller(trace):
    """The share of the processor time that the controller's thread took; None if it was killed."""
    return trace.final["controller"] / trace.final["cpu"] if trace.final else None


class Group:
    """The configurations of a program that take turns: the one that won the search, all calls,
    all queues. `runs`: by name, measured one after the other. Where queues take longer to fill
    than a run lasts, neither end says what a configuration can do: a pair of finite runs does."""

    def __init__(self, field, winner):
        self.field, self.direct = field, field.contestants["direct"]
        self.queued = field.queued or self.direct
        self.tried = {c.name: c.rate for c in field.contestants.values()}
        self.contestants = {c.name: c for c in (winner, self.direct, self.queued)}
        self.runs = {name: [] for name in self.contestants}

    def measure(self, durations, others=()):
        """One more turn of all of them, and of `others`: (command, path of the trace). The records
        of those."""
        number = len(self.runs["direct"]) + 1
        commands = [
            (
                contestant.command(ENDLESS),
                f"{self.field.scratch}.{re.sub('[^a-z0-9]+', '-', name.lower())}.{number}.trace",
            )
            for name, contestant in self.contestants.items()
        ]
        with contextlib.ExitStack() as running:
            records = take_turns(
                [
                    running.enter_context(started(*words, durations))
                    for words in (*commands, *others)
                ],
                durations,
                len(commands),
            )
        for runs, contestant, record in zip(self.runs.values(), self.contestants.values(), records):
            runs.append(record)
            if not record["balanced"]:
                contestant.measure(FINITE * durations.scale, self.field.batch)
                record["rate"] = contestant.rates[-1]
        return records[len(commands) :]

    def rate(self, contestant):
        return typical(self.runs[contestant.name])

    @property
    def best(self):
        return max(self.contestants.values(), key=self.rate)

    def record(self):
        return {
            "best": self.best.name,
            "fixed": self.rate(self.best),
            "direct": self.rate(self.direct),
            "queued": self.rate(self.queued),
            "runs": self.runs,
            "tried": self.tried,
            "batch": self.field.batch,
        }


def low(runs, group):
    """Its rows have so little that other processes of the same programs have to tell luck from
    rule."""
    return typical(runs) < slices.GOOD * group.rate(group.best)


def measure(row, programs, args):
    """One line of the table, as a record."""
    began = time.monotonic()
    arguments = row.config.sluice_arguments
    program = [programs.compiled(row.config, row.options)]
    compiled = time.monotonic()
    field = fixed.Field(row.name, program, arguments, programs.path(row.name))
    field.check(FIRST, row.config.sum)
    durations = Durations(args, [field])
    group = Group(field, field.search(durations.scale))
    searched = time.monotonic()
    policies = {policy: [] for policy in args.elastic}
    turn, turns = 0, durations.turns
    while turn < turns:
        turn += 1
        others = [
            (
                [*program, f"--elastic={policy}", *arguments(ENDLESS)],
                programs.path(f"{row.name}.{policy}.{turn}.trace"),
            )
            for policy in policies
        ]
        for runs, record in zip(policies.values(), group.measure(durations, others)):
            runs.append(decided(record))
        # All of them, whatever the next one says: to end when it looks good would favour the
        # policy.
        if (
            turn == durations.turns
            and durations.patient
            and any(low(runs, group) for runs in policies.values())
        ):
            turns = max(turns, TURNS)
    return {
        "workload": row.name,
        **group.record(),
        "switchable": group.field.switchable,
        "policies": policies,
        "seconds": {
            "compile": compiled - began,
            "search": searched - compiled,
            "turns": time.monotonic() - searched,
        },
    }


def measure_all(table, programs, args, keep):
    """Measures the lines of the table; `keep(record)` saves each at once. A line that fails is
    reported, and the others follow. How many failed."""
    began, failed = time.monotonic(), 0
    for done, (row, how) in enumerate(table):
        each = (time.monotonic() - began) / done if done else 75.0
        say(
            f"{row.name}: {done + 1} of {len(table)}, about"
            f" {max(1, round((len(table) - done) * each / 60))} min to go"
        )
        try:
            keep(how(row, programs, args))
        except BenchError as error:
            say(f"{row.name} failed: {error}")
            keep({"workload": row.name, "error": str(error)})
            failed += 1
    return failed


def typical(runs):
    """The rate of a configuration or a policy: the median of its runs."""
    return statistics.median(run["rate"] for run in runs)


def error(runs, others):
    """The standard error of the ratio of two that took turns, as a share: of one run, less the more
    there are."""
    errors = [slices.compare(run["rounds"], other["rounds"])[1] for run, other in zip(runs, others)]
    return math.sqrt(sum(e * e for e in errors)) / len(errors)


def settled(runs):
    """The worst of its runs, in seconds; None if one never did."""
    times = [run["settled"] for run in runs]
    return None if None in times else max(times)
