#!/usr/bin/env python3
"""Rewrites expected-failures.txt: runs every program and lists those that say
`not supported yet`, with what they say. A program that fails for any other reason
is printed and not listed: that is a bug. Run by hand:
  test/conformance/update-expected-failures.py BUILD_DIR
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import conformance  # noqa: E402
import groups  # noqa: E402

LIST = os.path.join(HERE, "expected-failures.txt")
HEADER = """\
# Programs of the suite that do not pass yet, and why: `NAME: what is missing`.
# The list only shrinks. Made by update-expected-failures.py.
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    open(LIST, "w").close()
    context = groups.Context(root=os.path.join(HERE, "..", ".."), build=sys.argv[1], fast=True, filter="")
    lines, bugs = [], []
    for name, case in conformance.cases(context):
        problem = conformance.run(case)
        missing = re.search(r"not supported yet: ([^\n]*)", problem or "")
        if missing:
            lines.append(f"{case.name}: {missing.group(1)}\n")
        elif problem:
            bugs.append(name)
    with open(LIST, "w") as out:
        out.write(HEADER + "".join(sorted(set(lines))))
    print(f"{len(lines)} listed" + "".join(f"\nfails for another reason: {bug}" for bug in bugs))


if __name__ == "__main__":
    main()
