"""stopped.py PROGRAM [ARGUMENT]...: runs a program that ends with a checkpoint several times and goes
on from it each time, as if it had never ended: with its output, its messages and its exit code."""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile

STOPS = [1, 1, 2, 5, 20, 100]  # save points from one stop to the next
STOPPED = b"stopped with checkpoint"
# It is skipped then: what cannot be saved yet says so, before it does anything.
REFUSED = "cannot be saved yet"


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
        for stop in [*STOPS, None]:
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
