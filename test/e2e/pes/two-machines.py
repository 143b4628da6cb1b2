# REQUIRES: namespaces
# RUN: %python %s %source
"""examples/two_machines: a job on two machines, which are network namespaces that do not stay."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import TIMEOUT, expect, expect_in, finish  # noqa: E402

folder = os.path.join(sys.argv[1], "examples", "two_machines")
with open(os.path.join(folder, "expected", "stdout"), encoding="utf-8") as file:
    report = file.read()


def run(*options):
    return subprocess.run(
        [os.path.join(folder, "run.sh"), "sluice", *options],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )


def namespaces():
    out = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    names = [line.split()[0] for line in out.stdout.splitlines()]
    return {name for name in names if name.startswith(("sluice-a-", "sluice-b-"))}


before = namespaces()
SMALL = " ".join(f"--transport-option={o}" for o in ("ring=8", "grant=4", "window=4", "low=2"))
for options in ("", "--receive=interrupt", "--receive=poll " + SMALL, "--transport=socket"):
    out = run(*options.split())
    expect(options, (out.stdout, out.stderr, out.returncode), (report, "", 0))
# Memory is all that may be used, and these machines have none in common.
out = run("--transport=shm")
expect("shared memory: exit code", (out.stdout, out.returncode), ("", 1))
expect_in("shared memory", "they share no memory. Leave --transport=shm out", out.stderr)
# What the PEs refuse ends the script as well.
out = run("--transport-option=ring=0")
expect("a wrong option", (out.stdout, out.returncode), ("", 2))
expect("no namespace is left", namespaces() - before, set())
finish()
