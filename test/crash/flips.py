#!/usr/bin/env python3
"""Flips single bits in the files of checkpoints. `sluice checkpoint verify` has to refuse each one,
naming the file, and the operator if the bit is in what an operator has saved. Programs that are to
go on from such a checkpoint refuse it as well and say which one to go on from; then they write what
an undisturbed run does."""

import argparse
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import crash
import faults

ENOUGH = 12  # checkpoints of a program
FILE_HEADER, SECTION_HEADER = 16, 24  # bytes: runtime/exec/files/StateFile.cpp


def checkpoints_of(program, base):
    """A directory of some checkpoints that a run has made until it was killed."""
    for _ in range(100):
        folder, state = crash.new_folder(base, "data"), os.path.join(base, "made")
        shutil.rmtree(state, ignore_errors=True)
        command = [program.path, f"--data-dir={folder}", f"--checkpoint={state}"]
        process = subprocess.Popen(
            [*command, "--checkpoint-every=1ms", "--checkpoint-keep=1000"]
            + ["--checkpoint-blocks=4K"],
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and len(numbers_in(state)) < ENOUGH:
            time.sleep(0.0005)
        process.kill()
        process.wait()
        if process.returncode and len(numbers_in(state)) >= 2:
            for each in folder, state:
                shutil.copytree(each, each + ".kept", dirs_exist_ok=True)
            return folder, state
    sys.exit(f"{program.name} could not be killed behind two checkpoints")


def numbers_in(state):
    names = os.listdir(state) if os.path.isdir(state) else []
    return sorted(name for name in names if os.path.exists(f"{state}/{name}/MANIFEST"))


def sections(data):
    """(label, the first byte of what it has saved, the byte behind that) by section."""
    at = FILE_HEADER
    while at < len(data):
        name, size = struct.unpack_from("<2Q", data, at)
        first = at + SECTION_HEADER + name
        yield data[first - name : first].decode(), first, first + size
        at = first + size


def flip(folder, chance):
    """Flips a bit of the checkpoint. Returns the file, what it had, and what is to be named. A file
    of blocks is one of later checkpoints, too: that of the last one is changed."""
    blocks = f"blocks.{int(os.path.basename(folder))}"
    names = ["state", "state", "state", "MANIFEST"]
    if os.path.exists(os.path.join(folder, blocks)):
        if os.stat(os.path.join(folder, blocks)).st_nlink == 1:
            names += [blocks] * 3
    path = os.path.join(folder, chance.choice(names))
    with open(path, "rb") as file:
        before = file.read()
    at = chance.randrange(len(before))
    changed = bytearray(before)
    changed[at] ^= 1 << chance.randrange(8)
    with open(path, "wb") as file:
        file.write(changed)
    if not path.endswith("state"):
        return path, before, [path]
    labels = [label for label, first, end in sections(before) if first <= at < end]
    return path, before, [path, *labels]


def restore(path, before):
    with open(path, "wb") as file:
        file.write(before)


def verified(context, state, chance):
    """A bit in each checkpoint. Returns (how many, what is wrong)."""
    flips = [flip(os.path.join(state, number), chance) for number in numbers_in(state)]
    verify = [context.driver, "checkpoint", "verify", state]
    done = subprocess.run(verify, capture_output=True, text=True, errors="replace")
    wrong = None if done.returncode == 1 else f"exit code {done.returncode}"
    lines = done.stderr.splitlines()
    for path, _, named in flips:
        said = [line for line in lines if path + ":" in line]
        if len(said) != 1 or any(word not in said[0] for word in named):
            wrong = f"{named} are not named: {said}"
    if " sections are right" in done.stdout:
        wrong = "a changed one is right: " + done.stdout
    for path, before, _ in flips:
        restore(path, before)
    return len(flips), wrong


def refresh(folder):
    """Makes it what it was. What a FileSource reads stays: that file is known by its number."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif name != "lines.txt":
            os.remove(path)
    keep = shutil.ignore_patterns("lines.txt")
    shutil.copytree(folder + ".kept", folder, dirs_exist_ok=True, ignore=keep)


def resumed(program, made, context, chance):
    """A bit in the last checkpoint or in one before. Returns what is wrong."""
    folder, state = made
    for each in made:
        refresh(each)
    numbers = numbers_in(state)
    changed = numbers[-1] if chance.random() < 0.7 else chance.choice(numbers[:-1])
    _, _, named = flip(os.path.join(state, changed), chance)
    done = faults.run(program, folder, state)
    if changed == numbers[-1]:
        advice = f"; --resume-from={int(numbers[-2])} goes on from the one before"
        if done.returncode != 1 or any(word not in done.stderr for word in [*named, advice]):
            return f"{named} and the advice are not in: {done.returncode}, {done.stderr}"
        done = faults.run(program, folder, state, f"--resume-from={int(numbers[-2])}")
    if done.returncode:
        return done.stderr
    return crash.difference(program.wanted, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", default="build/release/bin/sluice")
    parser.add_argument("--flips", type=int, default=300, help="at least so many (default 300)")
    parser.add_argument("--resumes", type=int, default=12, help="with which programs are resumed")
    parser.add_argument("--seed", type=int, default=1)
    context = parser.parse_args()
    context.driver = os.path.abspath(context.driver)
    chance = random.Random(context.seed)
    problems, count = [], 0
    with tempfile.TemporaryDirectory(dir=faults.fast_folder()) as context.base:
        programs = crash.build(context.driver, context.base)
        made = []
        for program in programs:
            base = os.path.join(context.base, program.name + ".made")
            made.append((program, checkpoints_of(program, base)))
        while count < context.flips:
            for program, (_, state) in made:
                more, wrong = verified(context, state, chance)
                count += more
                problems += [f"{program.name}: {wrong}"] if wrong else []
        going_back = [each for each in made if each[0].name not in crash.REMOVING]
        for i in range(context.resumes):
            program, folders = going_back[i % len(going_back)]
            wrong = resumed(program, folders, context, chance)
            problems += [f"{program.name}: resumed: {wrong}"] if wrong else []
    for problem in problems:
        print(f"FAIL {problem}")
    total = count + context.resumes
    print(f"{count} bits, {context.resumes} programs resumed")
    print(f"{total - len(problems)} passed, {len(problems)} failed, 0 skipped")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
