#!/usr/bin/env python3
"""Takes power away from programs that make checkpoints. A preloaded library (disk.cpp) notes what a
program does to files and folders. It is killed, and the disk becomes one that a loss of power at
that moment could have left: what was not synced is there, or lost, or torn, in any order; names of
files and folders, too, as long as the folder was not synced. Some programs are several processes,
which are killed together. Then the program goes on, until it ends: it writes what an undisturbed
run does, and no checkpoint is lost that was complete."""

import argparse
import collections
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import crash
import faults

SECTOR = 512  # bytes that are written as a whole, or not at all
MOST_RUNS = 60
# All processes are without power: none is left that could start another. And what takes long.
LEFT_OUT = ("pes-restart", "pes-deterministic")
FOLDER = "folder"
HEADER = struct.Struct("<c4Q")
Record = collections.namedtuple("Record", "what number offset path text")


class File:
    def __init__(self, number, synced=b""):
        self.number = number  # its inode
        self.synced = synced
        self.changes = []  # since the last sync: (offset, bytes), or (length, None)

    def after(self, changes):
        content = bytearray(self.synced)
        for offset, data in changes:
            if data is None:
                del content[offset:]
                content.extend(bytes(offset - len(content)))
            else:
                content.extend(bytes(max(0, offset + len(data) - len(content))))
                content[offset : offset + len(data)] = data
        return bytes(content)

    def sync(self):
        self.synced = self.after(self.changes)
        self.changes = []

    def left(self, chance, share):
        """What may be left of it: of what was not synced, that share of its sectors. What was
        written behind the end of the file before has been given place there, or not."""
        changes = []
        for offset, data in self.changes:
            if data is None:
                if chance.random() < share:
                    changes.append((offset, None))
                continue
            at = offset
            while at < offset + len(data):
                end = min(at - at % SECTOR + SECTOR, offset + len(data))
                if chance.random() < share:
                    changes.append((at, data[at - offset : end - offset]))
                at = end
        return self.after(changes)


class Disk:
    """A folder with what is in it, all of which was synced."""

    def __init__(self, root):
        self.root = root
        self.names = {}  # path -> File or FOLDER, as they are now
        self.synced = {}  # the same, as a loss of power leaves them
        self.pending = []  # what was done to names since: {path: File, FOLDER or None}
        self.files = {}  # inode -> File
        self.complete = 0  # the number of the last checkpoint that outlives a loss of power
        self.dropped = []  # numbers of those that the program removes, as it goes on from another
        for folder, _, names in os.walk(root):
            self.synced[folder] = FOLDER
            for name in names:
                path = os.path.join(folder, name)
                number = os.stat(path).st_ino
                with open(path, "rb") as file:
                    self.files[number] = self.synced[path] = File(number, file.read())
        self.names = dict(self.synced)

    def change(self, names):
        self.pending.append(names)
        self.names.update(names)

    def replay(self, record):
        what, number, path = record.what, record.number, record.path
        if what == "c":
            self.files[number] = File(number)
            self.change({path: self.files[number]})
        elif what == "t":
            self.files[number].changes.append((record.offset, None))
        elif what == "w":
            self.files[number].changes.append((record.offset, record.text))
        elif what == "s":
            self.files[number].sync()
        elif what == "m":
            self.change({path: FOLDER})
        elif what == "u":
            self.change({path: None})
        elif what == "r":
            self.change({path: None, record.text.decode(): self.names[path]})
        elif what == "S":
            self.sync_folder(path)

    def sync_folder(self, folder):
        rest = []
        for names in self.pending:  # a rename between folders is one change
            if any(os.path.dirname(path) == folder for path in names):
                self.synced.update(names)
            else:
                rest.append(names)
        self.pending = rest
        numbers = {int(number) for number in checkpoints_in(self.synced, folder)}
        self.complete = max([self.complete, *numbers.difference(self.dropped)])

    def left(self, chance):
        """A disk that a loss of power now could leave: path -> (inode, bytes) or FOLDER."""
        names = dict(self.synced)
        share = chance.choice([0, 0.5, 0.9, 1])
        inOrder = chance.random() < 0.5
        for each in self.pending:
            if chance.random() < share:
                names.update(each)
            elif inOrder:  # as a file system with a journal
                break
        share = chance.choice([0, 0.5, 0.9, 1])
        result = {}
        for path, file in sorted(names.items(), key=lambda item: item[0]):
            if file and (path == self.root or os.path.dirname(path) in result):
                content = file is not FOLDER and file.left(chance, share)
                result[path] = FOLDER if file is FOLDER else (file.number, content)
        return result


def checkpoints_in(names, folder):
    """The numbers, as text, of complete checkpoints in the folder."""
    for path, file in names.items():
        if file and os.path.basename(path) == "MANIFEST":
            above, number = os.path.split(os.path.dirname(path))
            if above == folder and names.get(os.path.dirname(path)):
                yield number


def records(log):
    with open(log, "rb") as file:
        data = file.read()
    at = 0
    while at + HEADER.size <= len(data):
        what, number, offset, one, two = HEADER.unpack_from(data, at)
        at += HEADER.size
        if at + one + two > len(data):
            return
        path, text = data[at : at + one].decode(), data[at + one : at + one + two]
        at += one + two
        yield Record(what.decode(), number, offset, path, text)


def link_all(root, links):
    """Other names for all files below the root: a file that was removed can come back as itself."""
    shutil.rmtree(links, ignore_errors=True)
    os.mkdir(links)
    for path in (os.path.join(root, name) for name in crash.files_in(root)):
        os.link(path, os.path.join(links, str(os.stat(path).st_ino)))


def put(path, number, content, links):
    """Makes it that file. Its inode is kept where it is still there: programs know files by it."""
    link = os.path.join(links, str(number))
    is_there = os.path.exists(path)
    if not (is_there and os.stat(path).st_ino == number):
        if is_there:
            os.remove(path)
        if os.path.exists(link):
            os.link(link, path)
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == content:
                return
    with open(path, "r+b" if os.path.exists(path) else "wb") as file:
        file.write(content)
        file.truncate()


def replace(root, wanted, links):
    """Makes what is below the root that."""
    for folder, folders, names in os.walk(root, topdown=False):
        for name in names:
            if wanted.get(os.path.join(folder, name)) in (None, FOLDER):
                os.remove(os.path.join(folder, name))
        for name in folders:
            if wanted.get(os.path.join(folder, name)) is not FOLDER:
                shutil.rmtree(os.path.join(folder, name))
    for path, file in sorted(wanted.items()):
        if file is FOLDER:
            os.makedirs(path, exist_ok=True)
        else:
            put(path, *file, links)


def step(command, context, seconds, disk, chance):
    """Runs the program, takes power away within about so many seconds. (whether, what is wrong)."""
    log = os.path.join(context.base, "log")
    if os.path.exists(log):
        os.remove(log)
    environment = dict(os.environ, LD_PRELOAD=context.library, DISK_LOG=log)
    environment["DISK_ROOTS"] = disk.root
    inside = chance.random() < 0.5
    if inside:
        environment["SLUICE_CRASH_AT"] = str(chance.randrange(1, 60))
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        wait = 60 if inside else chance.uniform(0.02, 0.2 + seconds)
        errors = process.communicate(timeout=wait)[1].decode()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        errors = process.communicate()[1].decode()
    while crash.group_of(process):
        time.sleep(0.01)
    if process.returncode == 0:
        return False, "no checkpoint was made" in errors and errors
    if process.returncode not in (-signal.SIGKILL, 128 + signal.SIGKILL):
        return False, f"exit code {process.returncode}: {errors}"
    for record in records(log) if os.path.exists(log) else []:
        disk.replay(record)
    return True, None


def cut(context, program, seed):
    """Takes power away from one program until it ends. Returns (cuts, what is wrong)."""
    chance = random.Random(seed)
    root, links = os.path.join(context.base, "disk"), os.path.join(context.base, "links")
    shutil.rmtree(root, ignore_errors=True)
    folder, state = crash.new_folder(root, "data"), os.path.join(root, "state")
    mode = chance.choice([mode for mode in crash.MODES if mode not in LEFT_OUT])
    options = [option.format(seed=seed + 1) for option in crash.MODES[mode]]
    path = program.processes if mode.startswith("pes") else program.path
    command = [path, f"--data-dir={folder}", f"--checkpoint={state}", *options]
    command += [f"--checkpoint-every={chance.choice([1, 5, 20])}ms"]
    older, dropped, complete = [], [], 0
    for cuts in range(MOST_RUNS):
        disk = Disk(root)
        disk.complete, disk.dropped = complete, dropped
        link_all(root, links)
        seconds = program.seconds * (1 + cuts / crash.PATIENCE)
        wasCut, wrong = step([*command, *(older or ["--resume"])], context, seconds, disk, chance)
        if not wasCut:
            return cuts, wrong or crash.difference(program.wanted, folder)
        replace(root, disk.left(chance), links)
        names = Disk(root).synced
        numbers = sorted(int(number) for number in checkpoints_in(names, state))
        complete = disk.complete
        if max(numbers, default=0) < complete:
            return cuts, f"checkpoint {complete} is lost: there are {numbers}"
        older, dropped = [], []
        goes_back = chance.random() < 0.15 and program.name not in crash.REMOVING
        if goes_back and len(numbers) > 1:
            older = [f"--resume-from={numbers[-2]}"]
            complete, dropped = numbers[-2], numbers[-1:]
    return MOST_RUNS, f"it did not end in {MOST_RUNS} runs"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", default="build/release/bin/sluice")
    parser.add_argument("--cuts", type=int, default=20, help="at least so many (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    context = parser.parse_args()
    passed = failed = cuts = 0
    with tempfile.TemporaryDirectory(dir=faults.fast_folder()) as context.base:
        context.library = faults.build_disk(context.base)
        programs = crash.build(os.path.abspath(context.driver), context.base)
        seed = context.seed
        while cuts < context.cuts:
            program = programs[seed % len(programs)]
            more, wrong = cut(context, program, seed)
            cuts += more
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAIL seed {seed}: {program.name}: {wrong}", flush=True)
            seed += 1
    print(f"{cuts} cuts, seeds {context.seed} to {seed - 1}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
