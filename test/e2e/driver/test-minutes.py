# RUN: %python %s
"""`sluice test --minutes=N`: a group that takes longer than is left is skipped and named, and those
behind it that take less are run."""

import re

from Inputs.support import expect, finish, sluice

NOTHING = "no test has this name"


def lines_of(*args):
    return sluice("test", *args).stdout.splitlines()


names = [line.split()[0] for line in lines_of("--list")]
expect("there are groups", len(names) > 10, True)
skipped = [line.split(": skipped: it takes about ")[0] for line in lines_of("--minutes=0", NOTHING)]
expect("none fits into no time", skipped[:-1], names)
expect("the sum", skipped[-1], f"0 passed, 0 failed, {len(names)} skipped")

groups = ["--group=lit", "--group=programs"]
for minutes, wanted in ("2", ["lit: skipped", "programs: 0 passed"]), ("0.1", 2 * ["skipped"]):
    lines = lines_of(f"--minutes={minutes}", *groups, NOTHING)
    found = [bool(re.search(want, line)) for want, line in zip(wanted, lines)]
    expect(f"{minutes} minutes: {lines}", found, [True, True])
finish()
