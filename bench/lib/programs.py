"""Builds what is measured: the SPL programs, the references, the files that they read."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time

from timing import BenchError, say

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
FLAGS = ["-std=c++20", "-O3", "-march=native", "-ffp-contract=off"]
PPC64LE = "powerpc64le-linux-gnu"
# A source that would be too far ahead works, too: with a worker less than there are cores nobody
# takes turns.
OTHERS = max(1, len(os.sched_getaffinity(0)) - 1)
WATCH = os.path.join(HERE, "console", "watched.py")
SAVED = "saved"  # with checkpoints
WATCHED = "watched"  # with an open console
# How ours is compiled and run: options of `sluice build`, options of the program; {heaviest} is the
# configuration's, {state} a directory of its own.
VARIANTS = {
    "sluice": ([], ["--elastic=off"]),
    "none": (["--boundaries=none"], ["--elastic=off"]),
    "all": (["--boundaries=all"], ["--elastic=off"]),
    "queued": (["--boundaries=all"], ["--queues=all"]),
    "wide": (["--boundaries=all"], ["--queues=all", "--width=2"]),
    "port": (["--boundaries=all"], ["--queues={heaviest}", "--width=4", f"--threads={OTHERS}"]),
    "any": (["--merge-order=any"], ["--elastic=off"]),
    "any-queued": (["--merge-order=any", "--boundaries=all"], ["--queues=all"]),
    SAVED: ([], ["--elastic=off", "--checkpoint={state}", "--checkpoint-every=1s"]),
    WATCHED: ([], ["--elastic=off", "--console"]),
}


def call(command, what, **more):
    """Runs a tool; its time in seconds and its stderr."""
    start = time.perf_counter()
    try:
        out = subprocess.run(
            command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more
        )
    except OSError as error:
        raise BenchError(f"{what}: `{command[0]}` cannot be started: {error.strerror}") from None
    if out.returncode:
        raise BenchError(f"{what} failed: `{' '.join(command)}`\n{out.stderr[-3000:]}")
    return time.perf_counter() - start, out.stderr


class Programs:
    def __init__(self, build):
        self.build = build
        self.driver = os.path.join(build, "bin", "sluice")
        self.folder = os.path.join(build, "bench")
        if not os.access(self.driver, os.X_OK):
            raise BenchError(f"`{self.driver}` is missing: build it first")
        os.makedirs(self.folder, exist_ok=True)
        self.compiler = next(
            (c for c in map(shutil.which, ("g++", "clang++-22", "clang++")) if c), None
        )

    def path(self, name):
        return os.path.join(self.folder, name)

    def source(self, config):
        """The file with the program in SPL, written if it is a generated one."""
        if not hasattr(config, "text"):
            return os.path.join(HERE, "spl", config.file())
        with open(os.path.join(HERE, "spl", "common.spl"), encoding="utf-8") as file:
            text = (file.read() if getattr(config, "shared", True) else "") + config.text()
        path = self.path(config.name + ".spl")
        if self.read(path) != text:
            part = f"{path}.{threading.get_ident()}.part"
            with open(part, "w", encoding="utf-8") as file:
                file.write(text)
            os.rename(part, path)
        return path

    @staticmethod
    def read(path):
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def compiler_time(self):
        """When the newest file of the compiler and its libraries was made."""
        parts = [
            self.driver,
            *(
                os.path.join(base, name)
                for part in ("lib", "share")
                for base, _, names in os.walk(os.path.join(self.build, part))
                for name in names
            ),
        ]
        return max(os.path.getmtime(part) for part in parts)

    def compiled(self, config, options):
        """The program of a configuration, compiled again only if that could change it."""
        source, program = self.source(config), self.program(config, options)
        if os.path.exists(program) and os.path.getmtime(program) > max(
            self.compiler_time(), os.path.getmtime(source)
        ):
            return program
        say(f"{config.name}: compiling")
        return self.sluice(config, options)[0]

    def program(self, config, options):
        return self.path(
            config.name + "".join(re.sub("^-*", ".", o.replace("=", "-")) for o in options)
        )

    def sluice(self, config, options=(), target=None):
        """Compiles a configuration ahead of time. Its program, the seconds that took
        and the milliseconds of each step of the compiler."""
        options = [*options, *([f"--target={target}"] if target else [])]
        program = self.program(config, options)
        part = f"{program}.{threading.get_ident()}.part"  # a program that is there is whole
        values = getattr(config, "compiled", ())
        command = [self.driver, "build", self.source(config), *values, *options]
        told = target or any(option.startswith("--cpu=") for option in options)
        command += ["--time", "-o", part, *([] if told else ["--cpu=native"])]  # as FLAGS
        seconds, log = call(command, f"compiling {config.name}")
        os.rename(part, program)
        steps = {m[0].strip(): float(m[1]) for m in re.findall(r"^(.+?)\s+([\d.]+) ms$", log, re.M)}
        return program, seconds, steps

    def variants(self, config, names):
        """Ours as VARIANTS says: name -> function from a length to a command line."""
        found, built = {}, {}
        for name in names:
            options, more = VARIANTS[name]
            if "--merge-order=any" in options and not getattr(config, "forks", False):
                continue
            if any("{heaviest}" in option for option in more) and not getattr(
                config, "heaviest", None
            ):
                continue
            state = self.path(config.name + ".state")
            more = [
                option.replace("{heaviest}", getattr(config, "heaviest", None) or "").replace(
                    "{state}", state
                )
                for option in more
            ]
            key = tuple(options)
            built[key] = built.get(key) or self.sluice(config, options)[0]
            console = os.path.dirname(self.driver) + os.pathsep + os.environ["PATH"]
            # A run begins without checkpoints of the one before.
            first = {
                SAVED: ["sh", "-c", f"rm -rf '{state}'; exec \"$@\"", "sh"],
                WATCHED: ["env", f"PATH={console}", sys.executable, WATCH],
            }.get(name, [])
            found[name] = lambda n, program=built[key], first=first, more=more: [
                *first,
                program,
                *config.sluice_arguments(n),
                *more,
            ]
        return found

    def reference(self, name):
        """Compiles hand/NAME.cpp if it changed."""
        if not self.compiler:
            raise BenchError("no C++ compiler for the reference programs: install g++ or clang-22")
        folder = os.path.join(HERE, "hand")
        program = self.path("hand-" + name.replace("/", "-"))
        source = os.path.join(folder, name + ".cpp")
        headers = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".h")]
        newest = max(os.path.getmtime(p) for p in (source, *headers))
        if not os.path.exists(program) or os.path.getmtime(program) < newest:
            foreign = f"-I{self.build}/foreign"  # what the build has fetched: simdjson
            call([self.compiler, *FLAGS, foreign, "-o", program, source], f"compiling {source}")
        return program

    def reference_version(self):
        out = subprocess.run([self.compiler, "--version"], capture_output=True, text=True)
        return out.stdout.splitlines()[0] + " " + " ".join(FLAGS)

    def input(self, maker, size, *words):
        """A file that hand/`maker` makes: `text`, of so many bytes and the rest of that line, or
        `ticks`, of so many lines; `words` tell it more."""
        path = self.path("-".join([maker.replace("/", "-"), *words, f"{size}.txt"]))
        if not os.path.exists(path):
            say(f"making {os.path.basename(path)}")
            part = f"{path}.{threading.get_ident()}.part"
            with open(part, "wb") as file:
                call([self.reference(maker), str(size), *words], f"making {path}", stdout=file)
            os.rename(part, path)
        return path

    def measured_elsewhere(self):
        """Rates of other systems from peers.tsv: workload -> peer -> tuples a second."""
        found = {}
        with open(os.path.join(HERE, "peers.tsv"), encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    workload, peer, rate = line.split("\t")[:3]
                    found.setdefault(workload, {})[peer] = float(rate)
        return found

    def peers(self, wanted):
        """Name -> the words that start that peer, of those that are built here; None if it
        cannot be."""
        found = {}
        if "timely" in wanted:
            found["timely"] = [self.timely()]
        if "tbb" in wanted:
            program = self.tbb("flow")
            found |= {"tbb-serial": [program, "serial"], "tbb-light": [program, "light"]}
            program = self.tbb("pipeline")
            found |= {"tbb-pipe1": [program, "1"], "tbb-pipe2": [program, "2"]}
        return {name: words if words[0] else None for name, words in found.items()}

    def tbb(self, name):
        """A program of tbb/ for oneTBB, or None (and a message) if it cannot be built."""
        program = self.path("tbb-" + name)
        try:
            call(
                [
                    self.compiler,
                    *FLAGS,
                    "-o",
                    program,
                    os.path.join(HERE, "tbb", name + ".cpp"),
                    "-ltbb",
                ],
                f"building tbb/{name}.cpp",
            )
        except BenchError as error:
            say(f"tbb/{name}.cpp is left out (it needs libtbb-dev): {error}")
            return None
        return program

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
        env = dict(
            os.environ,
            CARGO_TARGET_DIR=os.path.join(crate, "target"),
            RUSTFLAGS="-C target-cpu=native",
        )
        try:
            call(
                [cargo, "build", "--release", "--quiet"],
                "building timely",
                env=env,
                cwd=crate,
                stdout=sys.stderr,
            )
        except BenchError as error:
            say(f"timely is left out: {error}")
            return None
        return os.path.join(crate, "target", "release", "timely-peer")

    def others(self, config, peers):
        """References, and peers that are told a length: name -> function from it to a command line.
        """
        program = self.reference(config.reference)
        found = {
            v or "hand-1t": lambda n, v=v: config.reference_command(program, v, n)
            for v in config.variants
        }
        for name, words in peers.items():
            if name.split("-")[0] in config.peers:
                found[name] = lambda n, words=words: [*words, *config.peer_arguments(n)]
        return found
