"""For tests of checkpoints: a program is killed again and again, and goes on each time."""

import os
import random
import signal
import subprocess

from support import FOLDER, TIMEOUT, expect

EVERY = "20ms"


class Killed:
    """Runs of a program that are killed. Each has its data in a directory of its own."""

    def __init__(self, program, name, *args, seed=1):
        self.data = os.path.join(FOLDER, name, "data")
        self.checkpoints = os.path.join(FOLDER, name, "checkpoints")
        os.makedirs(self.data, exist_ok=True)
        self.program = program
        self.args = args
        self.random = random.Random(seed)
        self.kills = 0
        self.out = ""  # what all runs have printed

    def start(self):
        return subprocess.Popen(
            [self.program, *self.args, f"--data-dir={self.data}", f"--checkpoint={self.checkpoints}",
             f"--checkpoint-every={EVERY}", "--resume"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)

    def step(self, seconds):
        """Runs it, and kills it after that time. Whether it has ended before."""
        process = self.start()
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            self.out += process.communicate()[0]
            self.kills += 1
            return False
        expect("exit code", (process.returncode, out if process.returncode else ""), (0, ""))
        self.out += out
        return True

    def run(self, least=0.1, most=0.5, kills=15):
        """Kills it after some time between these, in seconds, until it ends. After so many kills it
        is left alone."""
        while not self.step(self.random.uniform(least, most) if self.kills < kills else TIMEOUT):
            pass


def undisturbed(program, name, *args):
    """A run without checkpoints. Its data directory, which may have files already."""
    data = os.path.join(FOLDER, name, "data")
    os.makedirs(data, exist_ok=True)
    done = subprocess.run([program, *args, f"--data-dir={data}"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    expect("undisturbed", done.returncode, 0)
    return data


def files_of(directory):
    """The contents of all files below, by name."""
    result = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                result[os.path.relpath(path, directory)] = file.read()
    return result
