#!/usr/bin/env python3
"""Runs the project's tests; called as `sluice test [--fast | --changed] [FILTER]`.

`--list` shows the groups in their order: lint, unit (GoogleTest), lit (FileCheck), conformance and
so on.
--fast leaves out what is slow; --changed runs what the difference to main touches. A FILTER keeps
the tests whose name contains it. The last line says how many passed."""

import argparse
import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "lib"))
import changed  # noqa: E402
import conformance  # noqa: E402
import groups  # noqa: E402
import programs  # noqa: E402


def selected(args):
    """(group, filter) of each set of tests to run."""
    if args.changed:
        return list(changed.tests(ROOT))
    names = ["examples", "conformance"] if args.mode else args.group or groups.ORDER
    return [(name, args.filter) for name in names]


def main():
    # In the background of a script both are ignored, and would be by the programs of the tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    parser = argparse.ArgumentParser(
        prog="sluice test",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument(
        "--fast",
        action="store_true",
        help=(
            "under three minutes: no conformance in every mode, no model, no sanitizers, no fuzz,"
            " no connectors, no package, no cross, no bench-checksums, no instructions"
        ),
    )
    parser.add_argument(
        "--changed",
        action="store_true",
        help="what the difference to main touches, by the table in test/lib/changed.py",
    )
    parser.add_argument(
        "--group",
        action="append",
        choices=groups.ORDER,
        help="only this group; may be given several times",
    )
    parser.add_argument(
        "--mode",
        choices=[*conformance.MODES, programs.CLUSTER],
        default="",
        help=(
            "all conformance programs and examples in this mode, nothing else; cluster: on that of"
            " the folder SLUICE_CLUSTER (test/cluster/README.md)"
        ),
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=float("inf"),
        help=(
            "begin no group that would end behind so many, by what it takes on four processors;"
            " those left out are named and count as skipped"
        ),
    )
    parser.add_argument("--list", action="store_true", help="show the groups and stop")
    parser.add_argument("filter", nargs="?", default="", help="keep tests whose name contains this")
    args = parser.parse_args()
    if args.list:
        for name in groups.ORDER:
            print(f"{name:12} {groups.ABOUT[name]}")
        return 0
    totals, end = groups.Result(), time.time() + 60 * args.minutes
    for name, kept in selected(args):
        start = time.time()
        if start + groups.TAKES[name] > end:
            left = max(0, end - start)
            print(
                f"{name}: skipped: it takes about {groups.TAKES[name]} s, and {left:.0f} s of"
                f" {args.minutes:g} minutes are left",
                flush=True,
            )
            totals.add(groups.Result(skipped=1))
            continue
        context = groups.Context(
            root=ROOT,
            build=args.build,
            fast=args.fast or args.changed,
            filter=kept,
            mode=args.mode,
        )
        result = groups.run(name, context)
        totals.add(result)
        label = f"{name} {kept}" if args.changed and kept else name
        print(f"{label}: {result.summary()} in {time.time() - start:.0f} s", flush=True)
    print(totals.summary())
    if totals.passed + totals.failed == 0:
        print("sluice test: no test matched", file=sys.stderr)
        return 1
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
