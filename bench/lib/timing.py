"""Runs programs and times them, wall clock and CPU; facts about the machine."""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass

LOAD_LIMIT = 1.5


class BenchError(Exception):
    """Something that the user should read; ends the run."""


def say(text):
    print(f"sluice bench: {text}", file=sys.stderr, flush=True)


@dataclass
class Sample:
    """A run; `lines` is what it printed before its count and sum."""

    wall: float
    cpu: float
    peak_kb: int
    count: int
    sum: int
    lines: tuple = ()


def counted(command, text):
    """Count, sum and the lines before, of what a program printed."""
    *lines, last = text.splitlines() or [""]
    words = last.split()
    if len(words) != 2 or not all(w.isdigit() for w in words):
        raise BenchError(f"`{' '.join(command)}` printed {text[-200:]!r}, not a count and a sum")
    return int(words[0]), int(words[1]), tuple(lines)


def run(command, limit=None):
    """Runs a program that prints `COUNT SUM` at its end and times it; stops it after `limit`
    seconds."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        try:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
            )
        except OSError as error:
            raise BenchError(f"`{command[0]}` cannot be started: {error.strerror}") from None
        watchdog = threading.Timer(limit or 0, child.kill)
        if limit:
            watchdog.start()
        text = child.stdout.read().decode("utf-8", "replace")
        child.stdout.close()
        watchdog.cancel()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        if limit and wall >= limit:
            raise BenchError(f"`{' '.join(command)}` was stopped after {limit} s")
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            errors.seek(0)
            raise BenchError(
                f"`{' '.join(command)}` ended with {child.returncode}:\n"
                + errors.read().decode("utf-8", "replace")[-2000:]
            )
    return Sample(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, *counted(command, text))


def expect(what, sample, count, total):
    if (sample.count, sample.sum) != (count, total):
        raise BenchError(
            f"{what}: count {sample.count} and sum {sample.sum}, expected {count} and {total}"
        )


@dataclass
class Pair:
    """A short and a long run of one program, one after the other; `more`: how many items the long
    one has more."""

    short: Sample
    long: Sample
    more: int

    def rate(self, clock):
        """Of those that the long run has more, in a second."""
        seconds = getattr(self.long, clock) - getattr(self.short, clock)
        return self.more / seconds if seconds > 0 else float("nan")

    def record(self):
        return {
            "short": asdict(self.short),
            "long": asdict(self.long),
            "rate_wall": self.rate("wall"),
            "rate_cpu": self.rate("cpu"),
        }


def median_rate(pairs, clock):
    return statistics.median(pair.rate(clock) for pair in pairs)


def lengths(command, seconds, warm=0):
    """Numbers of tuples for a short and a long run, the long one of about `seconds` beyond the
    first `warm` tuples, which both have. `command(n)` is the program's command line for n tuples.
    """
    base = run(command(warm or 1)).cpu
    seconds = max(seconds, base / 2)  # what is subtracted varies, too
    n = 50
    while True:
        spent = run(command(warm + n)).cpu - base
        if spent > seconds / (3 if warm else 10) or n > 1 << 36:
            break
        n = int(n * min(20, max(2, seconds / 8 / max(spent, 1e-3))))
    long = max(10, int(n * seconds / max(spent, 1e-3)))
    return warm + max(1, long // 5), warm + long


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith(("model name", "cpu\t")):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def machine():
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "load": list(os.getloadavg()),
        "kernel": platform.release(),
        "architecture": platform.machine(),
    }


def warn_if_busy():
    load = os.getloadavg()[0]
    if load > LOAD_LIMIT:
        say(
            f"warning: the load average is {load:.1f}: other programs are running, so trust no"
            " small difference"
        )
    return load
