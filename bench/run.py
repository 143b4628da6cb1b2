#!/usr/bin/env python3
"""Measures Sluice against hand-written programs; called as `sluice bench`.

Workloads: W1 to W9, heavy, change, vwap, compile, idle, hops, boundary, memory, transport, heron,
external, simulated, state, hop, or parts of their names in any order (W1-N10-P8, W2-F100-forks); all of
them by default.
Programs run in turn, each with a short and a long input; the rate is of what the long run has more,
so that start-up drops out. Each rate is the median of several such pairs. See bench/README.md."""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "lib"))
sys.path.insert(0, os.path.join(HERE, "compiler"))
sys.path.insert(0, os.path.join(HERE, "external"))
sys.path.insert(0, os.path.join(HERE, "instructions"))
sys.path.insert(0, os.path.join(HERE, "docs"))
sys.path.insert(0, os.path.join(HERE, "state"))
sys.path.insert(0, os.path.join(HERE, "cluster"))
import boundary  # noqa: E402
import change  # noqa: E402
import checks  # noqa: E402
import docs  # noqa: E402
import elastic  # noqa: E402
import engines  # noqa: E402
import external  # noqa: E402
import hop  # noqa: E402
import idle  # noqa: E402
import largestate  # noqa: E402
import instructions  # noqa: E402
import large  # noqa: E402
import memory  # noqa: E402
import report as reports  # noqa: E402
import simulated  # noqa: E402
import sizes  # noqa: E402
import workloads  # noqa: E402
from links import heron, transport  # noqa: E402
from programs import ROOT, SAVED, VARIANTS, WATCHED, Programs, call  # noqa: E402
from timing import (
    BenchError,
    Pair,
    expect,
    machine,
    median_rate,
    run,
    say,
    warn_if_busy,
)  # noqa: E402


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog="sluice bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument(
        "--runs",
        type=int,
        help=(
            "pairs of runs of each program (default 5; 3 with --quick); with --elastic: runs"
            " (default 2)"
        ),
    )
    parser.add_argument(
        "--seconds", type=float, help="length of the long run (default 1; 0.15 with --quick)"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="short inputs: a look, not a measurement; with --verify-only some configurations",
    )
    parser.add_argument(
        "--verify-only", action="store_true", help="check results in every mode, time nothing"
    )
    parser.add_argument(
        "--instructions",
        action="store_true",
        help=(
            "instead, count the instructions of a tuple by valgrind: of the workloads given, or of"
            " all in bench/instructions/kernels.tsv; more than 3 %% from what that says fails"
        ),
    )
    parser.add_argument(
        "--docs",
        action="store_true",
        help=(
            "also make the tables of README.md and docs/ from what was measured last, this run"
            " included (bench/docs/*.tsv); without a workload and --elastic, measure all that these"
            " tables have, some hours"
        ),
    )
    parser.add_argument(
        "--update",
        action="store_true",
        help="with --instructions: write what is counted into bench/instructions/kernels.tsv",
    )
    parser.add_argument(
        "--peers",
        default="",
        metavar="NAME,...",
        help=(
            "also measure these: timely (needs cargo), tbb (needs libtbb-dev); duckdb and polars"
            " (W8; Python packages), datafusion (W8e; a Python package)"
        ),
    )
    parser.add_argument(
        "--boundaries",
        action="store_true",
        help=(
            "also measure ours with --boundaries=none, with all, with all of those as queues, and"
            " with two workers at each; forks with --merge-order=any as well"
        ),
    )
    parser.add_argument(
        "--checkpoints",
        action="store_true",
        help="also measure ours with a checkpoint each second; --seconds=5 has some of them",
    )
    parser.add_argument(
        "--console",
        action="store_true",
        help="also measure ours with an open console, whose page asks twice a second",
    )
    parser.add_argument(
        "--elastic",
        metavar="POLICY,...",
        type=lambda names: names.split(","),
        help="instead, measure these policies against the best fixed configuration",
    )
    parser.add_argument(
        "--elastic-table",
        action="store_true",
        help=(
            "the same for the policy model (or those of --elastic) and the table of real-machine"
            " elasticity, about an hour: W1 with N = 100, 500, F = 1, 100, skew and P = 8, 1024,"
            " 16384; W2-W50, W3 and W4 with all F, as @parallel, as -forks, and as -forks compiled"
            " with --merge-order=any; heavy; change; W5a; vwap"
        ),
    )
    parser.add_argument(
        "--settle",
        type=float,
        help="seconds that a policy may take to settle (default 12; 2 with --quick)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPTION",
        dest="compiled",
        help="compile ours with this in --elastic (--option=--boundaries=all)",
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        help=(
            "where to write all samples, after each row "
            "(default: bench.json, with --elastic elastic.json, in the build folder)"
        ),
    )
    parser.add_argument(
        "workload",
        nargs="*",
        help=(
            "what to measure (default: everything); recovery: what checkpoints cost, as"
            f" --checkpoints --seconds=5 {' '.join(workloads.RECOVERY)}"
        ),
    )
    args = parser.parse_args(words)
    if args.workload == ["recovery"]:
        args.workload, args.checkpoints = workloads.RECOVERY, True
        args.seconds = args.seconds or 5.0
    if args.docs and args.quick:
        parser.error("--docs: what --quick measures is no figure for a page")
    args.all_docs = args.docs and not (args.workload or args.elastic or args.elastic_table)
    args.turns = args.runs or 2
    args.runs = args.runs or (3 if args.quick else 5)
    args.seconds = args.seconds or (0.15 if args.quick else 1.0)
    args.settle = args.settle or (2.0 if args.quick else 12.0)
    args.variants = ["sluice"]
    if args.boundaries:
        args.variants = [name for name in VARIANTS if name not in (SAVED, WATCHED)]
    if args.checkpoints:
        args.variants.append(SAVED)
    if args.console:
        args.variants.append(WATCHED)
    args.peers = [p for p in args.peers.split(",") if p]
    every = ("timely", "tbb", *engines.ENGINES)
    unknown = [p for p in args.peers if p not in every]
    if unknown:
        parser.error(f"unknown peer `{unknown[0]}`: there are {', '.join(every)}")
    args.elastic = args.elastic or (["model"] if args.elastic_table else None)
    measured = (
        workloads.ELASTIC_TABLE
        if args.elastic_table
        else [c for c in workloads.ALL if c.elastic and c.timed]
    )
    args.rows = elastic.rows(measured, args.compiled, args.elastic_table)
    known = [row.name for row in args.rows] if args.elastic else workloads.EVERYTHING
    args.chosen, unknown = workloads.selected(args.workload, known)
    if unknown:
        parser.error(f"unknown workload `{unknown[0]}`: there are {', '.join(known)}")
    return args


def check_first(config, commands, programs):
    """Every program's result on an input of which it is known, or a reference knows it; ours also
    tells the start-up time."""
    length, *expected = (config.known or [config.checked(programs)])[0]
    for name, command in commands.items():
        expect(f"{config.name} ({name})", run(command(length)), *expected)
    if not isinstance(length, int):
        return None
    return min(run(commands["sluice"](1)).wall for _ in range(3))


def measure(config, programs, peers, args):
    say(f"{config.name}: compiling")
    _, seconds, steps = programs.sluice(config)
    commands = programs.variants(config, args.variants) | programs.others(config, peers)
    startup = check_first(config, commands, programs)
    sizes = {name: config.sizes(command, programs, args) for name, command in commands.items()}
    pairs = {name: [] for name in commands}
    for turn in range(args.runs):
        say(f"{config.name}: turn {turn + 1} of {args.runs}")
        for name, command in commands.items():
            short, long = (run(command(n)) for n in sizes[name])
            pairs[name].append(Pair(short, long, config.more(sizes[name], short, long)))
    results = {
        name: {
            "median_wall": median_rate(p, "wall"),
            "median_cpu": median_rate(p, "cpu"),
            "samples": [pair.record() for pair in p],
        }
        for name, p in pairs.items()
    }
    for engine in [e for e in engines.ENGINES if e in peers and engines.has(e, config)]:
        results[engine] = engines.measure(config, engine, peers[engine], args.runs)
    return {
        "workload": config.name,
        "compile_seconds": seconds,
        "compile_steps_ms": steps,
        "startup_seconds": startup,
        "programs": results,
    }


def measure_compile(programs, args):
    """How long the compiler takes, and the smallest program both ways."""
    entries = []
    for config in workloads.COMPILED:
        tries = []
        for turn in range(1 if args.quick else 3):
            say(f"compile: {config.operators} operators, turn {turn + 1}")
            tries.append(programs.sluice(config)[1:])
        seconds, steps = sorted(tries, key=lambda t: t[0])[len(tries) // 2]
        entries.append(
            {
                "operators": config.operators,
                "seconds": seconds,
                "steps_ms": steps,
                "samples": [t[0] for t in tries],
            }
        )
    hello = os.path.join(ROOT, "examples", "hello", "Hello.spl")
    built = programs.path("hello")
    call([programs.driver, "build", hello, "-o", built], "compiling hello")
    times = {
        name: statistics.median(
            call(command, "hello", stdout=subprocess.DEVNULL)[0] for _ in range(args.runs)
        )
        for name, command in (
            ("hello_run", [programs.driver, "run", hello]),
            ("hello_built", [built]),
        )
    }
    turns = 1 if args.quick else 3
    return {
        "pipelines": entries,
        "large": large.measure(programs, args.runs, turns),
        "sizes": sizes.measure(programs, args.quick, turns),
        **times,
    }


def versions(programs):
    def output(command):
        out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        return (
            out.stdout.strip().splitlines()[0]
            if out.returncode == 0 and out.stdout.strip()
            else None
        )

    return {
        "sluice": output([programs.driver, "--version"]),
        "commit": output(["git", "rev-parse", "HEAD"]),
        "reference": programs.reference_version() if programs.compiler else None,
    }


def verify_only(programs, args):
    passed, problems = checks.verify(
        programs, args.chosen, args.quick, report=say if sys.stderr.isatty() else lambda what: None
    )
    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{passed} passed, {len(problems)} failed")
    return 1 if problems else 0


def count_instructions(programs, args):
    """Prints each workload, beside what is expected of it; 1 if one differs."""
    if not instructions.available():
        raise BenchError("valgrind is not installed, which counts instructions")
    expected, failed = instructions.table(), 0
    for name in args.chosen if args.workload else list(expected):
        count = instructions.measure(name, programs)
        problem = instructions.problem(name, count, expected.get(name))
        if args.update and name in expected:
            expected[name] = count
        wrong = problem and not args.update
        failed += bool(wrong)
        print(f"FAIL {problem}" if wrong else f"{name:24} {count:9.1f}", flush=True)
    if args.update:
        instructions.write(expected)
    print(f"{len(args.chosen if args.workload else expected) - failed} passed, {failed} failed")
    return 1 if failed else 0


def find_peers(programs, wanted):
    """Name -> the words that start that peer, of those that there are on this machine."""
    found = programs.peers(wanted) | {e: engines.command(e) for e in engines.ENGINES if e in wanted}
    return {name: words for name, words in found.items() if words}


def measure_all(programs, args):
    """Everything that was chosen; the report is on the standard output."""
    path = args.json or os.path.join(args.build, "elastic.json" if args.elastic else "bench.json")
    peers = {} if args.elastic else find_peers(programs, args.peers)
    report = {
        "machine": machine(),
        "versions": versions(programs),
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "settings": {
            "runs": args.turns if args.elastic else args.runs,
            "seconds": args.seconds,
            "quick": args.quick,
            "settle": args.settle,
            "columns": [*args.variants[1:], *peers],
        },
        "results": [],
        "elastic": [],
        "change": [],
        "compile": None,
        "idle": None,
        "hops": None,
        "boundary": None,
        "memory": None,
        "transport": None,
        "external": None,
        "heron": None,
        "simulated": None,
        "state": None,
        "hop": None,
    }

    def keep(kind, record):
        report[kind].append(record)
        reports.write(report, path)  # what there is, should a later one fail

    warn_if_busy()
    failed = 0
    try:
        failed = (
            measure_policies(programs, args, keep)
            if args.elastic
            else measure_programs(programs, peers, args, keep, report)
        )
    finally:  # an interrupted run shows what it has
        report["machine"]["load_after"] = list(os.getloadavg())  # our own process is 1 of it
        reports.write(report, path)
        print(
            f"{report['machine']['cpu']}, {report['machine']['cores']} cores; load"
            f" {os.getloadavg()[0]:.1f}\n"
        )
        print(reports.text(report, programs.measured_elsewhere()), flush=True)
    warn_if_busy()
    say(f"all samples are in {path}")
    if args.docs:
        docs.merge(report)
        docs.write()
    return 1 if failed else 0


def measure_docs(programs, words):
    """All that the tables have, call after call; the tables are made after each."""
    return max(measure_all(programs, parse_arguments([*words, *more])) for more in docs.calls())


def measure_policies(programs, args, keep):
    """The table of --elastic; how many of its lines failed."""
    table = [
        (row, change.measure if row.config in workloads.CHANGES else elastic.measure)
        for row in args.rows
        if row.name in args.chosen
    ]
    return elastic.measure_all(
        table,
        programs,
        args,
        lambda record: keep("change" if "phases" in record else "elastic", record),
    )


def measure_programs(programs, peers, args, keep, report):
    for config in workloads.ALL:
        if config.name in args.chosen and config.timed:
            keep("results", measure(config, programs, peers, args))
    if workloads.COMPILE in args.chosen:
        report["compile"] = measure_compile(programs, args)
    if workloads.IDLE.name in args.chosen:
        report["idle"] = idle.measure_idle(programs, args.quick)
    if workloads.HOPS in args.chosen:
        report["hops"] = idle.measure_hops(programs, args.quick)
    if workloads.BOUNDARY.name in args.chosen:
        report["boundary"] = boundary.measure(programs, args.quick)
    if workloads.MEMORY in args.chosen:
        report["memory"] = memory.measure(programs, args.quick)
    if workloads.EXTERNAL in args.chosen:
        report["external"] = external.measure(programs, args.quick)
    if workloads.TRANSPORT in args.chosen:
        report["transport"] = transport.measure(programs, args.quick)
    if workloads.HERON in args.chosen:
        report["heron"] = heron.measure(programs, args.quick)
    if workloads.SIMULATED in args.chosen:
        report["simulated"] = simulated.measure(programs, args.quick)
    if workloads.LARGE_STATE in args.chosen:
        report["state"] = largestate.measure(programs, args.quick)
    if workloads.HOP in args.chosen:
        report["hop"] = hop.measure(programs, args.quick)
    return 0


def main():
    words = sys.argv[1:]
    args = parse_arguments(words)
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(143)
    )  # nobody else would end the programs that are halted
    try:
        programs = Programs(args.build)
        if args.instructions:
            return count_instructions(programs, args)
        if args.verify_only:
            return verify_only(programs, args)
        return measure_docs(programs, words) if args.all_docs else measure_all(programs, args)
    except BenchError as error:
        print(f"sluice bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
