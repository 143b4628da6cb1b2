"""Checks that every program gives the right results, in every mode; times nothing."""
import os
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from programs import PPC64LE
from timing import BenchError, run
from workloads import FIRST, PIPELINES, WORDS, Pipeline

MODES = {"batched": [], "deterministic": ["--deterministic"], "batch-rows-1": ["--batch-rows", "1"],
         "queued": ["--queues=all"], "chaos": ["--chaos=1"],
         "elastic": ["--elastic=paper", "--elastic-option=period=0.001", "--elastic-option=skip=0"]}
TAIL = 10_007  # a prime: no batch or block of tuples divides it
QEMU = ["qemu-ppc64le-static", "-L", f"/usr/{PPC64LE}"]
CROSS = [Pipeline(10, 1, 8), Pipeline(10, 100, 8), Pipeline(10, 1, 128)]
CHECK_BYTES = 200_000


def expect(what, sample, count, total):
    if (sample.count, sample.sum) != (count, total):
        raise BenchError(f"{what}: count {sample.count} and sum {sample.sum}, expected {count} and {total}")


def word_sums(path):
    """Count of words and sum of their running counts, from the counts at the end."""
    with open(path, encoding="ascii") as file:
        counts = Counter(file.read().split())
    return sum(counts.values()), sum(c * (c + 1) // 2 for c in counts.values())


def runs_of(config, program, programs, modes, runner):
    """(what, command, count, sum) for one program of ours."""
    if config is WORDS:
        path = programs.text(CHECK_BYTES)
        lengths = [(path, *word_sums(path))]
    else:
        reference = run([programs.reference("pipeline"), "hand-1t", *config.reference_arguments(TAIL)])
        lengths = [(FIRST, FIRST, config.sum)] + ([] if runner else [(TAIL, TAIL, reference.sum)])
    for mode, options in modes.items():
        for length, count, total in lengths:
            name = f"{config.name} ({mode}, {os.path.basename(str(length))})"
            yield name, [*runner, program, *options, *config.sluice_arguments(length)], count, total


def reference_runs(programs):
    """The references against the table and against Python's count of the words."""
    for config in PIPELINES:
        for variant in ("hand-1t", "hand-simd1"):
            command = [programs.reference("pipeline"), variant, *config.reference_arguments(FIRST)]
            yield f"{config.name} ({variant})", command, FIRST, config.sum
    path = programs.text(CHECK_BYTES)
    yield f"{WORDS.name} (hand-1t)", [programs.reference("wordcount"), path], *word_sums(path)


def cases(programs, chosen, report):
    """(name, function that raises BenchError if it fails)."""
    def checked(runs):
        for what, command, count, total in runs:
            expect(what, run(command), count, total)
            report(what)

    def ours(config, target, modes, runner):
        program, _, _ = programs.sluice(config, target)
        checked(runs_of(config, program, programs, modes, runner))

    for name in ("pipeline", "wordcount", "text"):
        programs.reference(name)  # before threads could build one twice
    programs.text(CHECK_BYTES)
    found = [("references", lambda: checked(reference_runs(programs)))]
    for config in [*PIPELINES, WORDS]:
        if config.name in chosen:
            found.append((config.name, lambda c=config: ours(c, None, MODES, [])))
    if shutil.which(QEMU[0]) and shutil.which(PPC64LE + "-gcc"):
        for config in [*CROSS, WORDS]:
            if config.name in chosen:
                found.append((config.name + " (ppc64le)", lambda c=config: ours(c, PPC64LE, {"ppc64le": []}, QEMU)))
    return found


def verify(programs, chosen, report):
    """Runs all cases; how many passed, and the problems."""
    def attempt(case):
        try:
            case[1]()
            return None
        except BenchError as error:
            return f"{case[0]}: {error}"
    found = cases(programs, chosen, report)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        problems = [p for p in pool.map(attempt, found) if p]
    return len(found) - len(problems), problems
