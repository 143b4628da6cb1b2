"""Builds what is measured: the SPL programs, the references, the text of W5b."""
import os
import re
import shutil
import subprocess
import sys
import time

from timing import BenchError, say
import workloads

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
FLAGS = ["-std=c++20", "-O3", "-march=native", "-ffp-contract=off"]
PPC64LE = "powerpc64le-linux-gnu"


def call(command, what, **more):
    """Runs a tool; its time in seconds and its stderr."""
    start = time.perf_counter()
    try:
        out = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
    except OSError as error:
        raise BenchError(f"{what}: `{command[0]}` cannot be started: {error.strerror}") from None
    if out.returncode:
        raise BenchError(f"{what} failed: `{' '.join(command)}`\n{out.stderr[-3000:]}")
    return time.perf_counter() - start, out.stderr


class Programs:
    def __init__(self, build):
        self.driver = os.path.join(build, "bin", "sluice")
        self.folder = os.path.join(build, "bench")
        if not os.access(self.driver, os.X_OK):
            raise BenchError(f"`{self.driver}` is missing: build it first")
        os.makedirs(self.folder, exist_ok=True)
        self.compiler = next((c for c in map(shutil.which, ("g++", "clang++-22", "clang++")) if c), None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def boundary_commands(self, config):
        """Ours without boundaries, and with one at every port: called, or queued."""
        found = {}
        for name, choice, more in (("none", "none", []), ("all", "all", []), ("queued", "all", ["--queues=all"])):
            program = self.sluice(config, boundaries=choice)[0]
            found[name] = lambda n, program=program, more=more: [program, *config.sluice_arguments(n), *more]
        return found

    def sluice(self, config, target=None, boundaries=None):
        """Compiles a configuration ahead of time. Its program, the seconds that took
        and the milliseconds of each step of the compiler."""
        file, options = config.spl()
        program = self.path(config.name + (".ppc64le" if target else "") + (f".{boundaries}" if boundaries else ""))
        options = [*options, f"--boundaries={boundaries}"] if boundaries else options
        command = [self.driver, "build", os.path.join(HERE, "spl", file), *options, "--time", "-o", program]
        seconds, log = call(command + ([f"--target={target}"] if target else []), f"compiling {config.name}")
        steps = {m[0].strip(): float(m[1]) for m in re.findall(r"^(.+?)\s+([\d.]+) ms$", log, re.M)}
        return program, seconds, steps

    def reference(self, name):
        """Compiles hand/NAME.cpp if it changed."""
        if not self.compiler:
            raise BenchError("no C++ compiler for the reference programs: install g++ or clang-22")
        folder, program = os.path.join(HERE, "hand"), self.path("hand-" + name)
        source = os.path.join(folder, name + ".cpp")
        newest = max(os.path.getmtime(p) for p in (source, os.path.join(folder, "workload.h")))
        if not os.path.exists(program) or os.path.getmtime(program) < newest:
            call([self.compiler, *FLAGS, "-o", program, source], f"compiling {source}")
        return program

    def reference_version(self):
        out = subprocess.run([self.compiler, "--version"], capture_output=True, text=True)
        return out.stdout.splitlines()[0] + " " + " ".join(FLAGS)

    def text(self, size):
        """The first `size` bytes of the text of W5b, and the rest of that line."""
        path = self.path(f"text-{size}.txt")
        if not os.path.exists(path):
            if size > 20_000_000:
                say(f"making a text of {size:,} bytes")
            program = self.reference("text")
            with open(path + ".part", "wb") as file:
                call([program, str(size)], "making the text", stdout=file)
            os.rename(path + ".part", path)
        return path

    def timely(self):
        """The timely-dataflow peer, or None (and a message) if it cannot be built."""
        cargo = shutil.which("cargo")
        if not cargo:
            say("timely is left out: cargo is not installed")
            return None
        say("building the timely peer with cargo")
        # cargo leaves a Cargo.lock beside the manifest, which the source tree should not get.
        crate = self.path("timely")
        shutil.copytree(os.path.join(HERE, "timely"), crate, dirs_exist_ok=True)
        env = dict(os.environ, CARGO_TARGET_DIR=os.path.join(crate, "target"), RUSTFLAGS="-C target-cpu=native")
        try:
            call([cargo, "build", "--release", "--quiet"], "building timely", env=env, cwd=crate, stdout=sys.stderr)
        except BenchError as error:
            say(f"timely is left out: {error}")
            return None
        return os.path.join(crate, "target", "release", "timely-peer")

    def commands(self, config, compiled, peers):
        """Name -> function from a length (or file) to a command line."""
        if config is workloads.WORDS:
            reference = {"hand-1t": [self.reference("wordcount")]}
        else:
            pipeline = self.reference("pipeline")
            reference = {v: [pipeline, v] for v in ("hand-1t", "hand-simd1")}
        for name, program in peers.items():
            reference[name] = [program, config.name.split("-")[0]]
        found = {"sluice": lambda n: [compiled, *config.sluice_arguments(n)]}
        for name, head in reference.items():
            found[name] = lambda n, head=head: [*head, *config.reference_arguments(n)]
        return found
