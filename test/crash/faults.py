#!/usr/bin/env python3
"""Lets calls for files fail while programs make checkpoints: a disk that is full, or broken, at the
n-th call (disk.cpp), for one call, for some, or for good. The checkpoint that is being made is
dropped with one warning, and the program goes on; the last one is untouched; another one is made
when there is space again. Where the files of a sink fail, the program fails. In all cases what is
there at the end, or when the program was resumed, is what an undisturbed run writes."""

import argparse
import collections
import errno
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import crash

MOST_CALLS = {"words": 60, "channels": 60}  # so many are made at least; of others: more
WARNING = "no checkpoint was made: "


def build_disk(base):
    library = os.path.join(base, "disk.so")
    source = os.path.join(crash.HERE, "disk.cpp")
    command = ["clang++-22", "-std=c++20", "-O1", "-shared", "-fPIC", source, "-o", library]
    subprocess.run(command, check=True)
    return library


def fast_folder():
    """Where files are only in memory, if there is such a place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def run(program, folder, state, *options, **disk):
    command = [program.path, f"--data-dir={folder}", f"--checkpoint={state}", "--resume"]
    command += ["--checkpoint-every=1ms", *options]
    environment = dict(os.environ, **disk)
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def outcome(done, error, isOfSinks):
    """What a run that met failing calls made of it, and what is wrong with that."""
    said = os.strerror(error)
    if done.returncode == 1:
        told = "error: " in done.stderr and said in done.stderr
        return "failed", None if told else "it failed silently"
    if done.returncode != 0:
        return "failed", f"exit code {done.returncode}"
    # On a busy machine there are others: sources that did not stand still in time.
    warnings = [line for line in done.stderr.splitlines() if WARNING + "cannot " in line]
    wrong = None
    if len(warnings) > 1 and not isOfSinks:  # calls in a row are one outage
        wrong = f"{len(warnings)} warnings"
    parts = [said, "the program goes on, and tries again. Until then --resume "]
    if any(part not in line for line in warnings for part in parts):
        wrong = "a warning does not say what happens"
    return "dropped a checkpoint" if warnings else "went on", wrong


def last_of(state):
    """The number of the last complete checkpoint; 0: there is none."""
    names = os.listdir(state) if os.path.isdir(state) else []
    complete = [name for name in names if os.path.exists(f"{state}/{name}/MANIFEST")]
    return max(map(int, complete), default=0)


def wrong_of_state(context, program, state, stderr, isBrief):
    """What is wrong with the checkpoints behind a run that has not failed."""
    if not last_of(state):
        return None
    checked = subprocess.run(
        [context.driver, "checkpoint", "verify", state], capture_output=True, text=True
    )
    if checked.returncode:
        return checked.stderr
    dropped = re.search(r"/(\d{6})[:/]", stderr)
    if isBrief and program.name not in MOST_CALLS and dropped:
        if last_of(state) <= int(dropped[1]):
            return f"no other one was made behind checkpoint {dropped[1]}"
    return None


def case(context, program, call, count, error, isOfSinks):
    """Returns (what became of the run, what is wrong)."""
    folder, state = crash.new_folder(context.base, "data"), os.path.join(context.base, "state")
    shutil.rmtree(state, ignore_errors=True)
    disk = {"LD_PRELOAD": context.library, "DISK_ROOTS": folder if isOfSinks else state}
    done = run(program, folder, state, DISK_FAIL=f"{call}:{count}:{error}", **disk)
    what, wrong = outcome(done, error, isOfSinks)
    if not wrong and done.returncode == 0:
        wrong = crash.difference(program.wanted, folder)
        isBrief = count <= 30 and call <= 60 and not isOfSinks
        wrong = wrong or wrong_of_state(context, program, state, done.stderr, isBrief)
    if not wrong:
        again = run(program, folder, state)
        wrong = again.stderr if again.returncode else crash.difference(program.wanted, folder)
        wrong = wrong and "resumed: " + wrong
    return what, wrong and f"{wrong}\n{done.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", default="build/release/bin/sluice")
    parser.add_argument("--most", type=int, default=500, help="the last call that fails")
    parser.add_argument("--step", type=int, default=1, help="from one to the next")
    parser.add_argument("--seed", type=int, default=1)
    context = parser.parse_args()
    context.driver = os.path.abspath(context.driver)
    chance = random.Random(context.seed)
    passed = failed = 0
    outcomes = collections.Counter()
    with tempfile.TemporaryDirectory(dir=fast_folder()) as context.base:
        context.library = build_disk(context.base)
        programs = crash.build(context.driver, context.base)
        for call in range(1, context.most + 1, context.step):
            fitting = [p for p in programs if call <= MOST_CALLS.get(p.name, call)]
            program, count = chance.choice(fitting), chance.choice([1, 1, 3, 30, 1 << 30])
            error = chance.choice([errno.ENOSPC, errno.EIO])
            isOfSinks = chance.random() < 0.25
            what, wrong = case(context, program, call, count, error, isOfSinks)
            outcomes[what] += 1
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                where = "sinks" if isOfSinks else "checkpoints"
                print(f"FAIL {program.name}, call {call} for {where}, {count} times, "
                      f"{os.strerror(error)}: {wrong}", flush=True)
    print("programs: " + ", ".join(f"{n} {what}" for what, n in sorted(outcomes.items())))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
