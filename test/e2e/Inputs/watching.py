"""For tests that look at running programs: those that run until told to end, and pages."""

import os
import re
import subprocess
import time
import urllib.error
import urllib.request

from Inputs.support import FOLDER, TIMEOUT

# Where programs are listed: a registry of the test's own.
RUNTIME = os.path.join(FOLDER, "runtime", "sluice")
os.makedirs(os.path.dirname(RUNTIME), exist_ok=True)
os.mkdir(RUNTIME, mode=0o700)
ENVIRONMENT = dict(os.environ, XDG_RUNTIME_DIR=os.path.dirname(RUNTIME))
PATIENCE = TIMEOUT


def until(what, holds):
    """Waits until it holds; returns what it returned."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = holds()
        if result:
            return result
        time.sleep(0.05)
    raise SystemExit(f"it took too long: {what}")


class Program:
    """A program that runs. `where`: what it says of console and metrics, by name."""

    def __init__(self, *command):
        self.errors = os.path.join(FOLDER, f"errors{time.monotonic_ns()}.txt")
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env=ENVIRONMENT,
                cwd=FOLDER,
            )

    def said(self):
        with open(self.errors, encoding="utf-8", errors="replace") as file:
            return file.read()

    def where(self, name):
        """The address that it prints."""

        def look():
            if self.process.poll() is not None:
                raise SystemExit(f"it has ended: {self.said()}")
            return re.search(rf"^{name}: (\S+)$", self.said(), re.M)

        return until(f"the address of {name}", look).group(1)

    def end(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, problem, *_):
        if problem:  # what is waited for may not come because the program failed
            print(f"exit code {self.process.poll()}, and it has said:\n{self.said()}")
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def get(url, body=None, **headers):
    """Status, headers and text of an answer."""
    request = urllib.request.Request(
        url, data=body, headers={name.replace("_", "-"): v for name, v in headers.items()}
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return reply.status, reply.headers, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()
