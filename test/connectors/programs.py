"""Programs that meet real servers: compiled once, run in a folder, and what they write."""

import argparse
import os
import subprocess
import tempfile
import time

import servers

PATIENCE = 90  # s, for something to happen
checks = {"passed": 0, "failed": 0}


def expect(what, actual, wanted):
    good = actual == wanted
    checks["passed" if good else "failed"] += 1
    if not good:
        print(f"FAIL {what}:\n    wanted {wanted!r:.600}\n    got    {actual!r:.600}", flush=True)


def expect_in(what, part, text):
    checks["passed" if part in text else "failed"] += 1
    if part not in text:
        print(f"FAIL {what}:\n    no {part!r} in {text!r:.800}", flush=True)


def await_true(what, seconds=PATIENCE):
    """Whether it has become true in time."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Programs:
    def __init__(self, driver, folder):
        self.driver, self.folder = os.path.abspath(driver), folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def read(self, name):
        if not os.path.exists(self.path(name)):
            return ""
        with open(self.path(name), errors="replace") as file:
            return file.read()

    def build(self, name, source, *options):
        self.write(name + ".spl", source)
        command = [self.driver, "build", "-O0", name + ".spl", "-o", name, *options]
        out = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if out.returncode:
            raise RuntimeError(out.stderr)

    def start(self, name, *options, log="stderr"):
        command = [self.path(name), "--data-dir", self.folder, *options]
        with open(self.path(log), "w") as errors:
            return subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=errors, text=True
            )

    def run(self, name, *options):
        """Exit code, output, errors."""
        out, _ = (process := self.start(name, *options)).communicate(timeout=PATIENCE)
        return process.returncode, out, self.read("stderr")

    def rows(self, name):
        return sorted(self.read(name).splitlines())


def options_of(description, add=None):
    """What the command line says; `add` adds what only one script has."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--kills", type=int, help="of each kind that the tests have")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", action="store_true", help="what takes half a minute, too")
    parser.add_argument("--only", default="", help="tests whose names have this in them")
    if add:
        add(parser)
    return parser.parse_args()


def run_all(options, server, bench, tests):
    """Runs tests, functions of a bench, which `bench(driver, folder, server)` makes of what
    `server()` has started. The exit code; the last line says how many checks passed."""
    try:
        started = server()
    except servers.Missing as why:
        print(f"skipped: {why}\n0 passed, 0 failed, 1 skipped")
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
            made = bench(options.driver, folder, started)
            for test in tests:
                if options.only in test.__name__:
                    test(made)
    finally:
        started.close()
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0
