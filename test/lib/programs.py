"""The modes in which a test may execute a program."""

import os
import re
import subprocess
import sys

import clustered
import stopped

TIMEOUT = 120
ENV = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8")
# Mode -> options of the compiler, options of the run. Compiled in memory by `sluice run`.
RUN = {
    "batched": ([], []),
    "deterministic": ([], ["--deterministic"]),
    "virtual": ([], ["--clock=virtual"]),
    "batch-rows-1": ([], ["--batch-rows", "1"]),
    # The state of operators is saved, cleared and restored all the time.
    "saved": (["--boundaries=all"], ["--deterministic", "--save-every=3"]),
    # Every port that may be a queue is one; or becomes and ceases to be one all the time.
    "queued": (["--boundaries=all"], ["--queues=all", "--threads=2", "--width=3"]),
    "chaos": (["--boundaries=all"], ["--chaos=1", "--threads=3", "--batch-rows=7"]),
    # A policy decides; its windows are so short that it does so all the time.
    "elastic": (
        ["--boundaries=all"],
        [
            "--elastic=paper",
            "--elastic-option=period=0.001",
            "--elastic-option=skip=0",
            "--threads=3",
            "--batch-rows=7",
        ],
    ),
    # In several processes; queued: each port of them that may be a queue is one.
    "pes-all": (["--pes=all"], []),
    "pes-3": (["--pes=3"], []),
    "pes-queued": (["--pes=3", "--boundaries=all"], ["--queues=all", "--threads=6", "--width=3"]),
    "pes-chaos": (["--pes=3", "--boundaries=all"], ["--chaos=1", "--batch-rows=7"]),
}
# The others are compiled with -O0, in a quarter of the time: what they are about is the run time.
OPTIMIZED = ["batched", "queued", "pes-all", "built", "ppc64le"]
# Ended with a checkpoint again and again, and gone on with (stopped.py).
STOPPED = "stopped"
# In three PEs on a cluster of Flink (clustered.py).
CLUSTER = "cluster"
# The folder of the libraries of libicu72:ppc64el; without it programs that need ICU are skipped.
ICU = os.environ.get("SLUICE_PPC64LE_ICU")
PPC64LE = (
    ["--target=powerpc64le-linux-gnu"],
    ["qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu"]
    + (["-E", f"LD_LIBRARY_PATH={ICU}"] if ICU else []),
)
# Built first: the mode in which it runs, and for what: options of `sluice build`, and
# what runs the executable.
BUILT = {
    "built": ("batched", ([], [])),
    "ppc64le": ("batched", PPC64LE),
    "ppc64le-queued": ("queued", PPC64LE),
    "ppc64le-chaos": ("chaos", PPC64LE),
    "ppc64le-elastic": ("elastic", PPC64LE),
}
CROSS = [mode for mode, (_, target) in BUILT.items() if target is PPC64LE]


def lacks_library(mode, errors):
    """Whether a program failed because the processor that runs it has no ICU, or no expat."""
    return (
        mode in CROSS
        and not ICU
        and re.search("needs (ICU|libexpat.so.1), which this system does not have", errors)
    )


def refused(mode, errors):
    """Whether the program said, before it did anything, that it cannot run in this mode."""
    if mode == STOPPED:
        return stopped.REFUSED in errors
    return mode == CLUSTER and bool(clustered.REFUSED.search(errors))


def command(driver, source, mode, folder, compile_options=()):
    """The words that start the program (its options may follow), or None and what is
    wrong. An executable is put into `folder`."""
    if mode == STOPPED:
        words, problem = command(driver, source, "virtual", folder, compile_options)
        return [sys.executable, stopped.__file__, *words], problem
    if mode == CLUSTER:
        options = ["--pes=3", "--target=flink", "-O0", *compile_options]
        program, problem = build(driver, source, folder, options)
        if problem:
            return None, problem
        return [sys.executable, clustered.__file__, driver, program], None
    level = [] if mode in OPTIMIZED else ["-O0"]
    if mode in RUN:
        compiling, running = RUN[mode]
        return [driver, "run", source, *level, *compile_options, *compiling, *running], None
    mode, (target, runner) = BUILT[mode]
    compiling, running = RUN[mode]
    options = [*level, *target, *compile_options, *compiling]
    program, problem = build(driver, source, folder, options)
    if problem:
        return None, problem
    return [*runner, program, *running], None


def build(driver, source, folder, options):
    """The path of what was built, or None and what is wrong."""
    program = os.path.join(folder, "program")
    command = [driver, "build", source, "-o", program, *options]
    out = subprocess.run(command, capture_output=True, text=True, env=ENV, timeout=TIMEOUT)
    if out.returncode:
        return None, f"building: exit code {out.returncode}\n{out.stderr}"
    return program, None
