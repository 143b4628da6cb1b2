"""Compiles a program once and runs it in all modes, with many inputs."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import programs  # noqa: E402

import match  # noqa: E402
import program_text  # noqa: E402

DRIVER = os.path.join(HERE, "..", "..", "build", "release", "bin", "sluice")
TIMEOUT = 60
JIT = "in-memory"  # compiled by `sluice run`; the others run an executable
FUSED = "fused"  # one without boundaries, where operators call each other
# The options of the run; those of the other tests, and every number of workers.
MODES = {mode: running for mode, (_, running) in programs.RUN.items()}
MODES |= {
    f"queued-{n}": ["--queues=all", f"--threads={n}", f"--width={n}", "--batch-rows=5"]
    for n in (1, 2, 3, 4)
}
MODES |= {FUSED: [], JIT: []}
# The sign of a NaN is that of the processor; the sign of a zero is not compared.
SIGNS = re.compile(r"(?<=[=\[,])-(?=(nan|0)[,\]}])")
VIRTUAL_CLOCK = "--clock=virtual"
# The modes in which the virtual clock may run: one thread at a time, and no policy.
VIRTUAL_MODES = ["virtual", "batch-rows-1", FUSED, JIT]


class BuildError(Exception):
    pass


@dataclass
class Difference:
    stream: str
    mode: str
    what: str


class Program:
    """A program in a folder of its own."""

    def __init__(self, driver, folder, text, times=False):
        self.driver, self.folder, self.text, self.times = driver, folder, text, times
        self.source = os.path.join(folder, "Main.spl")

    def executable(self, mode):
        return os.path.join(self.folder, FUSED if mode == FUSED else "program")

    def build(self, modes):
        """Builds the executables that the modes run."""
        os.makedirs(self.folder, exist_ok=True)
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(self.text)
        for path in {self.executable(mode) for mode in modes if mode != JIT}:
            options = [] if path == self.executable(FUSED) else ["--boundaries=all"]
            command = [self.driver, "build", self.source, "--main", "Main", *options]
            out = call([*command, "-o", path])
            if out.returncode:
                raise BuildError(out.stderr or f"exit code {out.returncode}")

    def run(self, mode):
        """(lines by the stream that is printed, or None; what is wrong)."""
        if mode == JIT:
            command = [self.driver, "run", self.source, "--main", "Main"]
        else:
            command = [self.executable(mode)]
        options = MODES[mode]
        if self.times and VIRTUAL_CLOCK not in options:
            options = [*options, VIRTUAL_CLOCK]
        try:
            out = call([*command, *options, "--data-dir", self.folder])
        except subprocess.TimeoutExpired:
            return None, f"did not end within {TIMEOUT} s"
        if out.returncode:
            return None, f"exit code {out.returncode}\n{out.stderr[-2000:]}"
        return by_stream(out.stdout), None

    def differences(self, script, modes):
        """Where the modes do not print what the reference says, or not all the same."""
        expected = program_text.expected(self.text, script)
        program_text.write(self.folder, self.text, script)
        found, first = [], {}
        for mode in modes:
            got, problem = self.run(mode)
            if problem:
                found.append(Difference(None, mode, problem))
                continue
            for stream, items in expected.items():
                lines = got.get(stream, [])
                wrong = match.difference(items, lines)
                if wrong:
                    found.append(Difference(stream, mode, wrong))
                elif lines != first.setdefault(stream, lines):
                    found.append(Difference(stream, mode, f"another order than in {modes[0]}"))
        return found


def call(command):
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        env=programs.ENV,
        stdin=subprocess.DEVNULL,
        timeout=TIMEOUT,
    )


def by_stream(text):
    found = {}
    for line in text.splitlines():
        stream, _, rest = line.partition(" ")
        found.setdefault(stream, []).append(SIGNS.sub("", rest))
    return found
