"""stopped.py PROGRAM [ARGUMENT]...: runs a program that ends with a checkpoint several times and goes
on from it each time, as if it had never ended: with its output, its messages and its exit code.
SLUICE_STOPS=COUNT:SEED in the environment has it end at so many random points instead."""

import ctypes
import os
import random
import signal
import subprocess
import sys
import tempfile

STOPPED = b"stopped with checkpoint"
# It is skipped then: what cannot be saved yet says so, before it does anything.
REFUSED = "cannot be saved yet"


def stops():
    """Save points from one stop to the next; then the program runs to its end."""
    count, _, seed = os.environ.get("SLUICE_STOPS", "").partition(":")
    if not count:
        return [1, 1, 2, 5, 20, 100, None]
    chance = random.Random(seed)
    return [int(2 ** chance.uniform(0, 8)) for _ in range(int(count))] + [None]


def end_with_parent():
    """A test that takes too long ends this script, and the program has to end with it."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def without_stop(errors):
    return b"".join(line for line in errors.splitlines(True) if STOPPED not in line)


def main(command):
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        options = [f"--checkpoint={state}", "--checkpoint-every=1000s", "--resume"]
        for stop in stops():
            at = [f"--checkpoint-stop={stop}"] if stop else []
            out = subprocess.run(
                [*command, *options, *at],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                preexec_fn=end_with_parent,
            )
            sys.stdout.buffer.write(out.stdout)
            sys.stderr.buffer.write(without_stop(out.stderr))
            if STOPPED not in out.stderr:
                break
    return out.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
