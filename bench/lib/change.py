"""A load that changes while a policy runs: how soon it settles again, and what each phase
reaches against the best fixed configuration of that phase."""

import statistics
import time

import elastic
import fixed
from timing import BenchError
from traced import Traced
from workloads import FIRST

NEVER = 1 << 60
# a policy may be than the best fixed configuration, by whose rate the change is placed: it is to
# have settled by then
QUICKER = 1.6


def measure(row, programs, args):
    """One line of the table, as a record; `phases`: before and after the change."""
    began = time.monotonic()
    program = [programs.compiled(row.config, row.options)]
    fields = [
        fixed.Field(
            f"{row.name} {when}",
            program,
            lambda n, at=at: [f"n={n}", f"change={at}"],
            programs.path(f"{row.name}.{when}"),
        )
        for when, at in (("before", NEVER), ("after", 0))
    ]
    for field in fields:
        field.check(FIRST, None)
    durations = elastic.Durations(args, fields)
    groups = [elastic.Group(field, field.search(durations.scale)) for field in fields]
    policies = {policy: [] for policy in args.elastic}
    for turn in range(durations.turns):
        for group in groups:
            group.measure(durations)
        at = int(groups[0].rate(groups[0].best) * durations.settle * QUICKER)
        for policy, runs in policies.items():
            path = programs.path(f"{row.name}.{policy}.{turn + 1}.trace")
            runs.append(
                policy_run(
                    [*program, f"--elastic={policy}", f"n={elastic.ENDLESS}", f"change={at}"],
                    path,
                    durations,
                )
            )
    return {
        "workload": row.name,
        "phases": [group.record() for group in groups],
        "policies": policies,
        "seconds": time.monotonic() - began,
    }


def changed(running):
    """When, in seconds since it began, the source made the first tuple of the second phase,
    as the sink printed it; None before."""
    for line in running.text.splitlines():
        word, *rest = line.split()
        if word == "changed" and rest:
            return int(rest[0]) * 1e-9 - running.began
    return None


def policy_run(command, path, durations):
    running = Traced(command, path)

    def enough(running):
        at = changed(running)
        if at is None:
            return running.seconds > 3 * durations.settle + elastic.BACKLOG
        if running.seconds < at + durations.settle + durations.window:
            return False
        flow = flow_after(running.trace, at, durations)
        return (
            flow.balanced
            and flow.seconds >= durations.window
            or running.seconds >= at + durations.settle + durations.window + elastic.BACKLOG
        )

    with running:
        running.watch(enough)
        count, trace, at = running.finish(), running.trace, changed(running)
    if at is None:
        raise BenchError(
            f"`{' '.join(command)}`: the change did not come in {running.seconds:.0f} s"
        )
    first, again = trace.settled_after(0.0, at), settled_again(trace, at, durations.settle)
    before = durations.flow(trace, min(first or durations.settle, durations.settle), at)
    after = flow_after(trace, at, durations)
    return {
        "settled": first,
        "changed": at,
        "settled_again": again and again - at,
        "acted": acted(trace, at),
        "later": trace.changes_after(again if again is not None else at),
        "rates": [before.rate, after.rate],
        "balanced": [before.balanced, after.balanced],
        "count": count,
        "trace": path,
    }


def acted(trace, at):
    """Did the policy do anything about the change?"""
    return any(time > at for time in (*trace.changes, *trace.load_changes))


def settled_again(trace, at, limit):
    """When it settled after the change: after it had noticed, if it says that it did, and for the
    last time if it says so several times within `limit` seconds of the change."""
    noticed = [time for time in trace.load_changes if at < time <= at + limit]
    return trace.settled_after(noticed[-1] if noticed else at)


def flow_after(trace, at, durations):
    """The flow of the second phase, from when it had settled (or should have)."""
    again = settled_again(trace, at, durations.settle) if acted(trace, at) else at
    limit = at + durations.settle
    return durations.flow(trace, min(again if again is not None else limit, limit))


def typical(runs, phase):
    return statistics.median(run["rates"][phase] for run in runs)
