"""Runs programs with a trace, as long as it takes to see what they do."""

import contextlib
import os
import select
import signal
import subprocess
import time

from timing import BenchError, counted
from traces import Trace

LOOK = 0.2  # seconds between two looks at the trace
SHORT = 0.5  # seconds; a stop below that is none
DRAIN = 5.0  # seconds for what is in flight when it is told to end


class Traced:
    """A run of `command`, which never ends by itself, with its trace in `path`."""

    def __init__(self, command, path):
        if os.path.exists(path):
            os.remove(path)
        self.command, self.trace = command, Trace(path)
        self.began, self.text = time.time(), ""
        self.halted, self.stops = None, []  # when; after how many windows, and for how long
        self.child = subprocess.Popen(
            [*command, f"--trace={path}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.set_blocking(self.child.stdout.fileno(), False)

    @property
    def seconds(self):
        return time.time() - self.began

    def printed(self, wait):
        """What it has printed after at most that many seconds more; False once it has ended."""
        if select.select([self.child.stdout], [], [], wait)[0]:
            data = os.read(self.child.stdout.fileno(), 65536)
            self.text += data.decode("utf-8", "replace")
            return bool(data)
        return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Nobody else would end it."""
        if self.child.returncode is None:
            self.child.kill()
            self.child.wait()

    def halt(self):
        self.child.send_signal(signal.SIGSTOP)
        self.halted = time.monotonic()

    def go(self, place=None):
        """Its threads begin on processor `place`, modulo how many there are, and those that follow
        it; then they may go where they like."""
        if self.halted and time.monotonic() - self.halted > SHORT:
            self.stops.append((len(self.trace.read().windows), time.monotonic() - self.halted))
        places = sorted(os.sched_getaffinity(0))
        if place is not None:
            self.put(lambda number: {places[(number + place) % len(places)]})
        self.child.send_signal(signal.SIGCONT)
        if place is not None:
            self.put(lambda _: places)

    def put(self, where):
        """Its threads, by the order in which they were made, run on the processors `where(number)`.
        """
        for number, thread in enumerate(
            sorted(map(int, os.listdir(f"/proc/{self.child.pid}/task")))
        ):
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(thread, where(number))

    def watch_for(self, seconds):
        limit = time.monotonic() + seconds
        self.watch(lambda _: time.monotonic() >= limit, limit)

    def watch(self, enough, limit=float("inf")):
        """Lets it run until `enough(self)`, which looks at its trace and what it printed; asked at
        `limit` at the latest."""
        while self.printed(max(0.0, min(LOOK, limit - time.monotonic()))):
            self.trace.read()
            if enough(self):
                return
        self.finish()
        raise BenchError(
            f"`{' '.join(self.command)}` ended before it was told to: {self.error[-1000:]}"
        )

    def finish(self):
        """Ends it. Its count, or None if what was in flight took too long to drain."""
        self.go()
        for patience in (DRAIN, 2.0):
            if self.child.poll() is None:
                self.child.send_signal(signal.SIGTERM)
            limit = time.time() + patience
            while (left := limit - time.time()) > 0 and self.printed(left):
                pass
        self.child.kill()  # nothing, if it has ended
        self.error = self.child.stderr.read().decode("utf-8", "replace")
        self.child.stdout.close()
        self.child.stderr.close()
        code = self.child.wait()
        if code not in (0, 130, 143, -signal.SIGTERM, -signal.SIGKILL):
            raise BenchError(f"`{' '.join(self.command)}` ended with {code}:\n{self.error[-2000:]}")
        self.trace.read()
        return self.check() if code == 0 else None

    def check(self):
        """All that the sources submitted has arrived."""
        count = counted(self.command, self.text)[0]
        if self.trace.final and count != self.trace.final["rows"]:
            raise BenchError(
                f"`{' '.join(self.command)}`: {count} tuples arrived of"
                f" {self.trace.final['rows']:.0f}"
            )
        return count
