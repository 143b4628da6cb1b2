#!/usr/bin/env python3
"""Generated programs in several modes, against -O0 --deterministic --batch-rows=1.

Each program runs in one other mode, every two hundredth in all. A difference is a compiler that
refuses the program or crashes, another exit code, other lines of an operator, another error, or no
end. It is printed with its seed, and the program is left in --keep, made smaller. The last line
says how many programs passed; the line before it, which seeds they were and how long it took."""

import argparse
import dataclasses
import os
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import generate
import server
from difference import difference, fault, unexpected
from shrink import shrink

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib"))
import programs  # noqa: E402
import stopped  # noqa: E402

DETERMINISTIC = "deterministic"
TRUTH = ["-O0", "--deterministic", "--batch-rows=1"]
OTHERS = ("batched", "batch-rows-1", "saved", "queued", "chaos", "elastic", "virtual")
# Mode -> options. Optimising takes longer than all the rest, so most runs do without.
MODES = {
    f"{name}-O{level}": [f"-O{level}", *programs.RUN[name][0], *programs.RUN[name][1]]
    for name in OTHERS
    for level in (0, 2)
}
MODES |= {f"queued-O{n}": [f"-O{n}", *sum(programs.RUN["queued"], [])] for n in (1, 3)}


# Ended with a checkpoint again and again, and gone on with.
STOPPED = "stopped-O0"
MODES[STOPPED] = MODES["virtual-O0"]

PLAIN = [mode for mode in MODES if mode.endswith("-O0")]


def modes_of(seed):
    if seed % 200 == 0:
        return list(MODES)
    choice = random.Random(seed)
    return [choice.choice(list(MODES) if choice.random() < 0.3 else PLAIN)]


def run_stopped(run, folder):
    """All runs as one: what they print, one behind the other, and the end of the last."""
    state = os.path.join(folder, "state")
    shutil.rmtree(state, ignore_errors=True)
    options = [f"--checkpoint={state}", "--checkpoint-every=1000s", "--resume"]
    out = err = b""
    for stop in stopped.stops():
        at = [f"--checkpoint-stop={stop}"] if stop else []
        result = run([*MODES[STOPPED], *options, *at])
        out, err = out + result.out, err + stopped.without_stop(result.err)
        if stopped.STOPPED not in result.err:
            break
    return dataclasses.replace(result, out=out, err=err)


class Comparison:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.servers = Queue()
        for number in range(options.jobs):
            own = os.path.join(folder, str(number))
            os.mkdir(own)
            binary = os.path.join(os.path.dirname(os.path.abspath(options.driver)), "sluice-fuzz")
            self.servers.put((server.Server(binary, own, options.seconds), own))
        self.millis = 0

    def problem(self, text, modes):
        """(mode, problem) of a program, or None."""
        one, folder = self.servers.get()
        try:
            path = os.path.join(folder, "Main.spl")
            with open(path, "w") as file:
                file.write(text)

            def run(words):
                result = one.run(["run", path, "-w", "--exchange=off", "--memory-limit=1G", *words])
                self.millis += result.millis
                return result

            truth = run(TRUTH)
            if found := fault(truth) or unexpected(text, truth):
                return DETERMINISTIC, found
            for mode in modes:
                result = run_stopped(run, folder) if mode == STOPPED else run(MODES[mode])
                if found := difference(text, truth, result):
                    return mode, found
            return None
        finally:
            self.servers.put((one, folder))

    def check(self, seed):
        text = generate.program(seed)
        modes = [self.options.mode] if self.options.mode else modes_of(seed)
        found = self.problem(text, modes)
        if not found:
            return None
        mode, problem = found
        if not self.options.whole:
            again = [] if mode == DETERMINISTIC else [mode]

            def fails(smaller):
                found = self.problem(smaller, again)
                return found and found[0] == mode and found[1].kind == problem.kind

            text = shrink(text, fails)
            problem = (self.problem(text, again) or found)[1]
        os.makedirs(self.options.keep, exist_ok=True)
        path = os.path.join(self.options.keep, f"{seed}.spl")
        with open(path, "w") as file:
            file.write(f"// {mode}\n{text}")
        return f"seed {seed} ({mode}): {problem}\nthe program: {path}"

    def close(self):
        while not self.servers.empty():
            self.servers.get()[0].close()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--driver", required=True, help="the compiler, with sluice-fuzz beside it")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--count", type=int, default=250, help="how many seeds (default 250)")
    parser.add_argument("--mode", choices=MODES, help="this mode only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=20, help="after which a run has no end")
    parser.add_argument("--keep", default="fuzz-failures", help="where failing programs are left")
    parser.add_argument("--whole", action="store_true", help="do not make failing programs smaller")
    parser.add_argument(
        "--progress", type=int, default=0, help="print a line every so many programs"
    )
    options = parser.parse_args()
    start, passed, failed = time.time(), 0, 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        comparison = Comparison(options, folder)
        seeds = range(options.seed, options.seed + options.count)
        for done, problem in enumerate(pool.map(comparison.check, seeds), 1):
            passed, failed = (passed, failed + 1) if problem else (passed + 1, failed)
            if problem:
                print("\n".join(problem.split("\n")[:20]), flush=True)
            if options.progress and done % options.progress == 0:
                print(f"{done} programs in {time.time() - start:.0f} s", flush=True)
        comparison.close()
    print(
        f"seeds {seeds[0]} to {seeds[-1]} in {time.time() - start:.0f} s,"
        f" {comparison.millis / options.count:.0f} ms of processor time for each"
    )
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
