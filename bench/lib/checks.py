"""Checks that every program gives the right results, in every mode; times nothing."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import boundary
import change
import elastic
import external
import idle
import largestate
import memory
import tracecheck
from links import heron, transport
from programs import PPC64LE
from timing import BenchError, expect, run
from traces import Trace
from windows import WINDOWS
from words import STREAM, WORDS
from workloads import (
    ALL,
    BOUNDARY,
    CHANGES,
    EXTERNAL,
    HERON,
    HOPS,
    IDLE,
    LARGE_STATE,
    MEMORY,
    SCALES,
    TRANSPORT,
    Pipeline,
    Shape,
)

# Options of `sluice build`, and of its program, by mode.
MODES = {
    "batched": ([], []),
    "deterministic": ([], ["--deterministic"]),
    "batch-rows-1": ([], ["--batch-rows", "1"]),
    "queued": (["--boundaries=all"], ["--queues=all"]),
    "chaos": (["--boundaries=all"], ["--chaos=1"]),
    "elastic": (
        ["--boundaries=all"],
        ["--elastic=paper", "--elastic-option=period=0.001", "--elastic-option=skip=0"],
    ),
}
FORKS = {
    "any order": (["--merge-order=any"], []),
    "any order, queued": (["--merge-order=any", "--boundaries=all"], ["--queues=all"]),
}
QEMU = ["qemu-ppc64le-static", "-L", f"/usr/{PPC64LE}"]
ADAPTING = [
    Shape("W2-W50", 100, False),
    Pipeline(10, 1, 8),
    CHANGES[0],
]  # whose line of --elastic is made, to see that it can be
CROSS = [
    Pipeline(10, 100, 8),
    Pipeline(10, 1, 128),
    Shape("W4", 1, False),
    WORDS,
    *(config for config in WINDOWS if config.name in ("W8a-four-n1024", "W8c-1000-zipf")),
]


def lengths(config, programs, mode):
    """(length, count, sum) of the runs that are checked."""
    known = config.known if mode == "batched" or not config.slow_check else []
    if known and (mode == "ppc64le" or not config.quick):
        return known
    return known + [config.checked(programs)]


def check_ours(config, programs, modes, report, target=None):
    built = {}
    for mode, (options, more) in modes.items():
        key = tuple(options)
        built[key] = built.get(key) or programs.sluice(config, options, target)[0]
        for length, count, total in lengths(config, programs, mode):
            what = f"{config.name} ({mode}, {os.path.basename(str(length))})"
            expect(
                what,
                run(
                    [*(QEMU if target else []), built[key], *more, *config.sluice_arguments(length)]
                ),
                count,
                total,
            )
            report(what)


def check_references(programs, chosen, quick, report):
    """The references against what is known, and Python's count of the words."""

    def check(config, length, count, total):
        for variant in config.variants:
            what = f"{config.name} ({variant or 'hand-1t'})"
            expect(
                what,
                run(
                    config.reference_command(programs.reference(config.reference), variant, length)
                ),
                count,
                total,
            )
            report(what)

    for config in ALL:
        if config.name in chosen and (config.quick or not quick):
            for length in config.known:
                check(config, *length)
    for config in (STREAM, WORDS):
        check(config, *config.checked(programs))


def check_elastic(config, programs, report):
    """A line of the table of --elastic, far too short to say anything: all counts are right, and
    no window of a trace holds what did not arrive."""
    args = SimpleNamespace(quick=True, settle=0.5, turns=1, elastic=["model"])
    how = change.measure if config in CHANGES else elastic.measure
    record = how(elastic.Row(config), programs, args)
    fixed = [
        run
        for group in record.get("phases", [record])
        for runs in group["runs"].values()
        for run in runs
    ]
    for run in fixed + record["policies"]["model"]:
        trace = Trace(run["trace"]).read()
        rows = sum(window.sink for window in trace.windows)
        if run["count"] is not None and not 0 < rows <= run["count"] == trace.final["rows"]:
            raise BenchError(
                f"{config.name} (--elastic): {rows} rows in windows, {run['count']} at the sink,"
                f" trace: {trace.final}"
            )
    if any(Trace(run["trace"]).read().policy != "off" for run in fixed):
        raise BenchError(f"{config.name} (--elastic): a fixed configuration is none")
    report(f"{config.name} (--elastic)")


def cases(programs, chosen, quick, report):
    """(name, function that raises BenchError if it fails)."""
    for name in sorted({c.reference for c in ALL}):
        programs.reference(name)  # before threads could build one twice
    for maker in ("text", "ticks"):
        programs.reference(maker)
    found = [
        ("references", lambda: check_references(programs, chosen, quick, report)),
        ("traces", lambda: tracecheck.check(programs.path("made-up.trace"))),
    ]
    for config in ALL:
        if config.name in chosen and (config.quick or not quick):
            modes = MODES | (FORKS if getattr(config, "forks", False) else {})
            found.append(
                (config.name, lambda c=config, m=modes: check_ours(c, programs, m, report))
            )
    found += [
        (config.name + " (--elastic)", lambda c=config: check_elastic(c, programs, report))
        for config in ADAPTING
        if config.name in chosen
    ]
    if HOPS in chosen:  # the number of tuples and of hops
        found += [
            (config.name, lambda c=config: idle.Scale(c, programs).load(1000)) for config in SCALES
        ]
    if BOUNDARY.name in chosen:
        found.append((BOUNDARY.name, lambda: boundary.measure(programs, True)))
    if MEMORY in chosen:
        found.append((MEMORY, lambda: memory.check(programs)))
    if EXTERNAL in chosen:
        found.append((EXTERNAL, lambda: external.check(programs)))
    if TRANSPORT in chosen:
        found.append((TRANSPORT, lambda: transport.check(programs)))
    if HERON in chosen:
        found.append((HERON, lambda: heron.check(programs)))
    if LARGE_STATE in chosen:
        found.append((LARGE_STATE, lambda: largestate.measure(programs, True)))
    if IDLE.name in chosen:
        found.append((IDLE.name, lambda: idle.measure_idle(programs, True)))
    if shutil.which(QEMU[0]) and shutil.which(PPC64LE + "-gcc"):
        for config in CROSS:
            if config.name in chosen:
                found.append(
                    (
                        config.name + " (ppc64le)",
                        lambda c=config: check_ours(
                            c, programs, {"ppc64le": ([], [])}, report, PPC64LE
                        ),
                    )
                )
    return found


def verify(programs, chosen, quick, report):
    """Runs all cases; how many passed, and the problems."""

    def attempt(case):
        try:
            case[1]()
            return None
        except BenchError as error:
            return f"{case[0]}: {error}"

    found = cases(programs, chosen, quick, report)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        problems = [p for p in pool.map(attempt, found) if p]
    return len(found) - len(problems), problems
