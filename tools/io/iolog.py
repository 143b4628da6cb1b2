#!/usr/bin/env python3
"""Records what a program reads and writes, and replays it on a modelled device.

    iolog.py record -o LOG PROGRAM ARGS...     needs strace; follows threads and children
    iolog.py replay LOG [--rate 200MB/s] [--seek 8ms] [--under DIRECTORY]
    iolog.py run [--rate R] [--seek T] [--under DIRECTORY] PROGRAM ARGS...     both, without a log

A log has a line for each piece: R or W, offset, bytes, file. A piece that begins where the one
before it ended, in the same file, goes on; any other one is a seek. What a program does through
memory that is mapped is not seen. It is refused io_uring, which would not be seen either: programs
that use it have another way as well.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

UNITS = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
UNITS |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
CALLS = (
    "open,openat,creat,close,dup,dup2,dup3,fcntl,lseek,read,write,pread64,pwrite64,readv,writev,"
    "preadv,pwritev,preadv2,pwritev2,clone,clone3,fork,vfork,execve"
)
READS = {"read", "readv", "pread64", "preadv", "preadv2"}
WRITES = {"write", "writev", "pwrite64", "pwritev", "pwritev2"}
# With an offset of their own.
AT = {"pread64", "preadv", "preadv2", "pwrite64", "pwritev", "pwritev2"}
NO_FILES = ("/dev/", "/proc/", "/sys/")


def rate(text):
    match = re.fullmatch(r"([\d.]+)([kKMGT]?i?)B?(?:/s)?", text)
    if not match or match[2] not in UNITS:
        raise argparse.ArgumentTypeError(f"'{text}' is no rate, such as 200MB/s")
    return float(match[1]) * UNITS[match[2]]


def seconds(text):
    match = re.fullmatch(r"([\d.]+)(us|ms|s)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is no time, such as 8ms")
    return float(match[1]) * {"us": 1e-6, "ms": 1e-3, "s": 1}[match[2]]


def is_file(path):
    return path.startswith("/") and not path.startswith(NO_FILES)


class Description:
    """An open file: several descriptors, also of several processes, may share it."""
    def __init__(self, path, append=False):
        self.path, self.append, self.at = path, append, 0


class Pieces:
    """Makes pieces of the lines of strace -f -y."""
    LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
    FD = re.compile(r"(-?\d+)<([^>]*)>")

    def __init__(self):
        self.tables = {}  # by thread: descriptors of its process
        self.begun = {}   # by thread: a call that has not returned
        self.ends = {}    # by file: where it ends

    def take(self, line):
        """The piece (kind, offset, bytes, file) that a line is, or None."""
        thread, _, rest = line.partition(" ")
        if rest.rstrip().endswith("<unfinished ...>"):
            self.begun[thread] = line[:line.rindex("<unfinished")].rstrip()
            return None
        resumed = re.match(r" *<\.\.\. \w+ resumed>(.*)", rest)
        if resumed:
            line = self.begun.pop(thread, "") + resumed[1]
        match = self.LINE.match(line)
        if not match:
            return None
        thread, call, arguments, result, path = match.groups()
        table = self.tables.setdefault(thread, {})
        return self.call(table, call, arguments, int(result), path)

    def call(self, table, call, arguments, result, path):
        if result < 0:
            return None
        if call in ("open", "openat", "creat"):
            table[result] = Description(path, "O_APPEND" in arguments)
            if "O_TRUNC" in arguments or call == "creat":
                self.ends[path] = 0
        elif call in ("clone", "clone3", "fork", "vfork"):
            child = table if "CLONE_FILES" in arguments else dict(table)
            # The new thread may have run before the call returned here.
            child.update(self.tables.get(str(result), {}))
            self.tables[str(result)] = child
        elif fd := self.FD.match(arguments):
            return self.use(table, call, int(fd[1]), fd[2], arguments, result)
        return None

    def use(self, table, call, fd, path, arguments, result):
        if call == "close":
            table.pop(fd, None)
            return None
        open_file = table.setdefault(fd, Description(path))
        if call.startswith("dup") or (call == "fcntl" and "F_DUPFD" in arguments):
            table[result] = open_file
        elif call == "lseek":
            open_file.at = result
        elif call in READS | WRITES and result and is_file(path):
            return self.piece(open_file, call, path, arguments, result)
        return None

    def piece(self, open_file, call, path, arguments, result):
        if call in AT:
            flags_follow = call.endswith("2")
            at = int(arguments.rsplit(", ", 2)[-2 if flags_follow else -1])
        elif open_file.append and call in WRITES:
            at = self.ends.get(path, 0)
        else:
            at = open_file.at
        if call not in AT:
            open_file.at = at + result
        self.ends[path] = max(self.ends.get(path, 0), at + result)
        return ("R" if call in READS else "W"), at, result, path


def trace(command, to, **more):
    """Runs a command under strace; `to(piece)` gets its pieces when it has ended. Its exit code.
    `more` is for subprocess.run()."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "strace")
        try:
            options = ["-f", "-y", "-s", "0", "-qq", "--seccomp-bpf", "-e", "signal=none"]
            options += ["-e", "trace=io_uring_setup," + CALLS, "-o", str(log)]
            options += ["-e", "inject=io_uring_setup:error=ENOSYS", "--"]
            code = subprocess.run(["strace", *options, *command], **more).returncode
        except FileNotFoundError:
            sys.exit("iolog: strace is not installed: apt-get install strace")
        pieces = Pieces()
        with log.open(errors="replace") as lines:
            for line in lines:
                if piece := pieces.take(line):
                    to(piece)
    return code


class Replay:
    """What a device with one head does for pieces."""
    def __init__(self, under=""):
        self.under, self.place = under, None
        self.bytes = {"R": 0, "W": 0}
        self.runs = 0

    def take(self, piece):
        kind, at, size, path = piece
        if not path.startswith(self.under):
            return
        self.runs += self.place != (kind, path, at)
        self.place = (kind, path, at + size)
        self.bytes[kind] += size

    def moved(self):
        """Bytes."""
        return self.bytes["R"] + self.bytes["W"]

    def mean_run(self):
        """Bytes."""
        return self.moved() / self.runs if self.runs else 0

    def seconds(self, speed, seek):
        return self.moved() / speed + self.runs * seek

    def report(self, speed, seek):
        read, written = self.bytes["R"] / 1e6, self.bytes["W"] / 1e6
        time = self.seconds(speed, seek)
        print(f"read {read:.1f} MB, written {written:.1f} MB, {self.runs} seeks, ", end="")
        print(f"mean run {self.mean_run() / 1e6:.4f} MB")
        print(f"on a device of {speed / 1e6:.0f} MB/s and {seek * 1000:g} ms a seek: ", end="")
        print(f"{time:.1f} s, {self.moved() / time / 1e6 if time else 0:.1f} MB/s")


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="run a program and write what it reads and writes")
    record.add_argument("-o", dest="log", required=True)
    replay = commands.add_parser("replay", help="seeks, mean run and time of a log on a device")
    replay.add_argument("log")
    run = commands.add_parser("run", help="record and replay")
    for sub in (replay, run):
        sub.add_argument("--rate", type=rate, default=200e6, help="of the device (200MB/s)")
        sub.add_argument("--seek", type=seconds, default=8e-3, help="for a change of place (8ms)")
        sub.add_argument("--under", default="", help="only files in this directory")
    for sub in (record, run):
        sub.add_argument("program", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if args.command != "replay" and not args.program:
        parser.error("which program?")
    if args.command == "record":
        with open(args.log, "w") as log:
            return trace(args.program, lambda p: log.write("%s %d %d %s\n" % p))
    device, code = Replay(args.under), 0
    if args.command == "run":
        code = trace(args.program, device.take)
    else:
        with open(args.log) as log:
            for line in log:
                kind, at, size, path = line.rstrip("\n").split(" ", 3)
                device.take((kind, int(at), int(size), path))
    device.report(args.rate, args.seek)
    return code


if __name__ == "__main__":
    sys.exit(main())
