"""Compiles a program once and runs it in all modes, with many inputs."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import programs  # noqa: E402

import invocations  # noqa: E402
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
CLOSE_WINDOWS = "--close-windows"
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
    """A program in a folder of its own. `closes`: its windows fire at the end, too."""

    def __init__(self, driver, folder, text, times=False, closes=False):
        self.driver, self.folder, self.text, self.times = driver, folder, text, times
        self.closing = [CLOSE_WINDOWS] if closes else []
        self.metrics = os.path.join(folder, "metrics.json")
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
            command += self.closing
            out = call([*command, "-o", path])
            if out.returncode:
                raise BuildError(out.stderr or f"exit code {out.returncode}")

    def run(self, mode):
        """(lines by the stream that is printed, or None; what is wrong)."""
        if mode == JIT:
            command = [self.driver, "run", self.source, "--main", "Main", *self.closing]
        else:
            command = [self.executable(mode)]
        options = MODES[mode]
        if self.times and VIRTUAL_CLOCK not in options:
            options = [*options, VIRTUAL_CLOCK]
        try:
            command += [f"--metrics-json={self.metrics}", "--data-dir", self.folder]
            out = call([*command, *options])
        except subprocess.TimeoutExpired:
            return None, f"did not end within {TIMEOUT} s"
        if out.returncode:
            return None, f"exit code {out.returncode}\n{out.stderr[-2000:]}"
        return by_stream(out.stdout), None

    def counters(self, names):
        """Operator -> counter -> what the last run has left out."""
        with open(self.metrics, encoding="utf-8") as file:
            operators = json.load(file)["operators"]
        found = {name: {} for name in names}
        for operator in operators:
            for each in operator["leftOut"]:
                found.setdefault(operator["name"], {})[each["name"]] = each["count"]
        return found

    def differences(self, script, modes):
        """Where the modes do not print what the reference says, or not all the same."""
        counts = {}
        expected = program_text.expected(self.text, script, bool(self.closing), counts)
        program_text.write(self.folder, self.text, script)
        wanted = left_out(self.text, counts)
        found, first = [], {}
        for mode in modes:
            got, problem = self.run(mode)
            if problem:
                found.append(Difference(None, mode, problem))
                continue
            counted = self.counters(wanted)
            for name in wanted:
                if counted[name] != wanted[name]:
                    wrong = f"{name} left out {counted[name]}, not {wanted[name]}"
                    found.append(Difference(program_text.printed(self.text, name), mode, wrong))
            for stream, items in expected.items():
                lines = got.get(stream, [])
                wrong = match.difference(items, lines)
                if wrong:
                    found.append(Difference(stream, mode, wrong))
                elif lines != first.setdefault(stream, lines):
                    found.append(Difference(stream, mode, f"another order than in {modes[0]}"))
        return found


def left_out(text, counts):
    """Operator -> counter -> what the reference says. Tuples whose time is up leave a sliding
    window when something else happens there, so that is not compared."""
    wanted = {}
    for invocation in invocations.read(text):
        by_time = any(
            not window.lengths and not window.tumbling and window.evict.kind == "time"
            for window in invocation.windows.values()
        )
        if counts.get(invocation.name) is not None and not by_time:
            wanted[invocation.name] = {k: n for k, n in counts[invocation.name].items() if n}
    return wanted


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
