"""Runs programs with sluice-fuzz (sluice-fuzz.cpp), which is warm."""

import os
import subprocess
from dataclasses import dataclass

import generate

WARM = 20  # programs that are compiled first: a compiler that has seen much is faster


@dataclass(frozen=True)
class Run:
    how: str  # exit, signal or late
    what: int  # the code, or the number of the signal
    millis: int
    out: bytes
    err: bytes


class Server:
    def __init__(self, binary, folder, seconds):
        self.seconds = seconds
        warm = [self.warm(folder, seed) for seed in range(WARM)]
        environment = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(
            [binary, *warm],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=folder,
        )

    def warm(self, folder, seed):
        """A program in a folder of its own: those of one folder are one namespace."""
        path = os.path.join(folder, f"warm{seed}", "Main.spl")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(generate.program(seed))
        return path

    def run(self, arguments):
        text = f"{self.seconds} {len(arguments)}\n" + "".join(a + "\n" for a in arguments)
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if len(words) != 5:
            raise RuntimeError("sluice-fuzz has ended")
        how, (what, millis, out, err) = words[0].decode(), map(int, words[1:])
        read = self.process.stdout.read
        return Run(how, what, millis, read(out), read(err))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
