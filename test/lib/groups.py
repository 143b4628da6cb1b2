"""The groups of tests that `sluice test` knows."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import cases
import conformance
import cross
import examples
import fuzz
import package
import sanitizers

# What is for all comes first, as --minutes may leave out the last ones.
ORDER = ["lint", "unit", "lit", "conformance", "examples", "connectors", "crash", "cases"]
ORDER += ["programs", "cluster", "instructions", "package", "cross", "windows", "model"]
ORDER += ["sanitizers", "fuzz", "bench-checksums"]
ABOUT = {
    "lint": "file sizes, include directions, a test for every pass, op and diagnostic",
    "unit": "GoogleTest of the runtime and the compiler's libraries",
    "model": "the protocol of ports, checked by spin: it holds, and every known mistake is noticed",
    "lit": "FileCheck tests of every phase",
    "examples": "examples/ in every mode against their expected output",
    "cases": "small programs made of public reports, in several modes",
    "windows": "random programs with windows against a reference, in every mode",
    "programs": "generated programs of all kinds, in other modes against -O0 --deterministic",
    "crash": "programs go on from checkpoints: killed, without power, on disks that fail or lie",
    "conformance": "programs recorded with IBM's compiler and run time, in every mode",
    "connectors": "connectors with real servers: Kafka, web servers, PostgreSQL, mosquitto",
    "cluster": "programs on Apache Flink: as with --pes, and while PEs and hosts are killed",
    "sanitizers": "unit tests of runtime and toolkit with AddressSanitizer, UBSan, ThreadSanitizer",
    "fuzz": "the parser, readers of csv, bin, frames, messages and state, with inputs of libFuzzer",
    "package": "the Debian package: installed on a bare Debian, used there, and removed",
    "cross": "unit tests, switching programs and examples for ppc64le, run under qemu",
    "bench-checksums": "results of the benchmarks' programs, in every mode and on ppc64le",
    "instructions": "instructions a tuple of twenty kernels, by valgrind, within 3 %",
}
# About how many seconds each takes on a machine of four processors, for --minutes: up to cluster as
# measured, the others are estimates. On a slower machine the last group ends later.
TAKES = {
    "lint": 40,
    "unit": 110,
    "lit": 850,
    "conformance": 410,
    "examples": 80,
    "connectors": 520,
    "crash": 130,
    "cases": 110,
    "programs": 60,
    "cluster": 390,
    "instructions": 180,
    "package": 300,
    "cross": 600,
    "windows": 300,
    "model": 180,
    "sanitizers": 900,
    "fuzz": 1200,
    "bench-checksums": 300,
}


@dataclass
class Context:
    root: str
    build: str
    fast: bool
    filter: str
    mode: str = ""
    jobs: int = field(default_factory=lambda: os.cpu_count() or 2)

    @property
    def waiting(self):
        """Jobs of programs that wait for time and for each other as long as they run."""
        return 2 * self.jobs

    @property
    def driver(self):
        return os.path.join(self.build, "bin", "sluice")


@dataclass
class Result:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def summary(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


SKIPPED = conformance.SKIPPED
# Most of a minute, which --fast does not take.
SLOW_UNIT = (
    "QueueExplore.EveryMistakeIsNoticed:QueueExplore.DepthFirst:SimFigures.*:*/SimFigures.*"
    ":SimPaper.*:SimModel.*:ModelRetry.*:*RemoteLink.MovesFramesInOrder*"
    ":ExternalSort.ManyPasses:ExternalSort.BareIntegers"
)


def each(context, cases, run):
    """Runs `run(case) -> problem, SKIPPED or None` on every (name, case), several at
    once, and prints each problem under the test's name."""
    result = Result()
    cases = [(name, case) for name, case in cases if context.filter in name]

    def guarded(case):
        try:
            return run(case)
        except subprocess.TimeoutExpired as late:
            return f"did not end within {late.timeout} s: {late.cmd}"

    with ThreadPoolExecutor(context.waiting) as pool:
        for (name, _), problem in zip(cases, pool.map(lambda c: guarded(c[1]), cases)):
            if problem is None:
                result.passed += 1
            elif problem is SKIPPED:
                result.skipped += 1
            else:
                result.failed += 1
                print(
                    f"FAIL {name}\n"
                    + "\n".join("    " + line for line in problem.splitlines()[:30]),
                    flush=True,
                )
    return result


def run_unit(context):
    result = Result()
    for name in ("sluice-unit", "sluice-unit-compiler"):
        result.add(run_googletest(context, os.path.join(context.build, "bin", name)))
    return result


def run_googletest(context, binary):
    command = [binary]
    if context.filter or context.fast:
        slow = f"-{SLOW_UNIT}" if context.fast else ""
        command.append(f"--gtest_filter=*{context.filter}*{slow}")
    if not os.path.exists(binary):
        print(f"FAIL unit: {binary} was not built")
        return Result(failed=1)
    # The parser's tests read the conformance programs.
    environment = {"SLUICE_SPL_TREE": os.path.join(context.root, "test", "conformance")}
    return googletest(command, environment, context.jobs, may_be_empty=bool(context.filter))


def googletest(command, environment, jobs, may_be_empty=False):
    """The tests are dealt out to as many processes."""

    def run(number):
        shard = {"GTEST_TOTAL_SHARDS": str(jobs), "GTEST_SHARD_INDEX": str(number)}
        return subprocess.run(
            [*command, "--gtest_brief=1"],
            capture_output=True,
            text=True,
            errors="replace",
            env=dict(os.environ, **environment, **shard),
        )

    result = Result()
    with ThreadPoolExecutor(jobs) as pool:
        for out in pool.map(run, range(jobs)):
            result.add(googletest_result(out))
    if not result.passed + result.failed + result.skipped and not may_be_empty:
        print(f"FAIL unit: {' '.join(command)} ran no test")
        result.failed = 1
    return result


def googletest_result(out):
    text = out.stdout + out.stderr
    passed, failed, skipped = (
        int(m.group(1)) if m else 0
        for m in (
            re.search(rf"^\[  {word} \] (\d+) test", text, re.M)
            for word in ("PASSED ", "FAILED ", "SKIPPED")
        )
    )
    if out.returncode and not failed:
        failed = 1  # it crashed
    if failed:
        print(text[-6000:])
    return Result(passed, failed, skipped)


def counted(command):
    """The result of a script that ends with `N passed, M failed`, or with `, K skipped` as well."""
    out = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", out.stdout, re.M)
    result = Result(*[int(n or 0) for n in found.groups()]) if found else Result(failed=1)
    if out.returncode:
        result.failed = result.failed or 1
        print(out.stdout + out.stderr)
    return result


def run_model(context):
    """A model is checked as a whole; --fast leaves it out."""
    if context.fast or context.filter not in "model":
        return Result()
    command = [sys.executable, os.path.join(context.root, "test", "model", "check.py")]
    return counted(command)


# Where Debian's llvm-22-tools has put it, by version.
LIT = ["/usr/lib/llvm-22/bin/lit", "/usr/lib/llvm-22/build/utils/lit/lit.py"]


def run_lit(context):
    suites = ("test",), ("stdlib", "operators"), ("toolkits",)
    sites = [os.path.join(context.build, *path) for path in suites]
    lit = next((path for path in LIT if os.path.exists(path)), None)
    if not lit:
        print(f"FAIL lit: none of {', '.join(LIT)} is there: install llvm-22-tools")
        return Result(failed=1)
    command = [sys.executable, lit, "--no-progress-bar", f"-j{context.waiting}", "-v", *sites]
    if context.fast:
        command += ["-Dfast"]
    if context.filter:
        command += ["--filter", re.escape(context.filter), "--allow-empty-runs"]
    out = subprocess.run(command, capture_output=True, text=True)
    text = out.stdout + out.stderr

    def count(word):
        found = re.search(rf"^\s*{word}\s*:\s*(\d+)", text, re.M)
        return int(found.group(1)) if found else 0

    failed = (
        count("Failed") + count("Unexpectedly Passed") + count("Unresolved") + count("Timed Out")
    )
    if out.returncode and not failed:
        failed = 1
    if failed:
        print("\n".join(l for l in text.splitlines() if not l.startswith("PASS:"))[-8000:])
    return Result(
        count("Passed") + count("Expectedly Failed"),
        failed,
        count("Unsupported") + count("Skipped"),
    )


def run_lint(context):
    import lint

    return each(context, lint.checks(context.root, context.build), lambda check: check())


def run_examples(context):
    return each(context, examples.cases(context, cross=False), examples.run)


def run_cases(context):
    return each(context, cases.cases(context), lambda case: cases.run(case, SKIPPED))


def run_cross(context):
    if context.fast:
        return Result()
    result = each(context, cross.cases(context), cross.run)
    result.add(each(context, examples.cases(context, cross=True), examples.run))
    if context.filter in "unit":
        result.add(run_cross_unit(context))
    if context.filter in "connectors/ppc64le":
        script = os.path.join(context.root, "test", "connectors", "ppc64le.py")
        libraries = os.path.join(context.build, "foreign", "ppc64el")
        command = [sys.executable, script, "--driver", context.driver, "--libraries", libraries]
        result.add(counted(command))
    return result


def run_cross_unit(context):
    command, problem = cross.unit_command(context)
    if problem:
        print(f"FAIL unit (ppc64le): building\n{problem}")
        return Result(failed=1)
    return googletest(command, cross.UNIT_ENV, context.jobs)


def run_windows(context):
    """The reference against conformance programs, then docs and random programs against it."""
    if context.filter not in "windows":
        return Result()
    folder, result = os.path.join(context.root, "test", "windows"), Result()
    times = ["--times", "--seed=5000", "--count=128"]
    events = ["--events", "--seed=9000", "--count=128"]
    close = ["--close-windows", "--count=64"]
    scripts = [["check_reference.py"], ["check_docs.py"]]
    if context.fast:
        scripts += [["random_programs.py", "--count=256"]]
    else:
        scripts += [["random_programs.py", *options] for options in ([], times, events)]
        scripts += [["random_programs.py", *options, *close] for options in ([], times, events)]
    for script, *options in scripts:
        command = [sys.executable, os.path.join(folder, script), *options]
        result.add(counted([*command, "--driver", context.driver]))
    return result


def run_programs(context):
    """The seeds are always the same; compare.py takes others."""
    if context.filter not in "programs":
        return Result()
    script = os.path.join(context.root, "test", "fuzz", "programs", "compare.py")
    count = "--count=60" if context.fast else "--count=250"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, script, "--driver", context.driver, "--keep", folder, count]
        return counted([*command, f"--jobs={context.jobs}"])


CRASHES = (
    ("crash.py", "--kills=50"),
    ("flips.py", "--flips=300"),
    ("faults.py", "--most=60", "--step=4"),
    ("cuts.py", "--cuts=20"),
)


def run_crash(context):
    """Two scripts at once. The seeds are always the same; the scripts take others."""
    result = Result()
    if context.fast or context.filter not in "crash":
        return result
    folder = os.path.join(context.root, "test", "crash")

    def run(script, *options):
        path = os.path.join(folder, script)
        return counted([sys.executable, path, *options, "--driver", context.driver])

    with ThreadPoolExecutor(2) as pool:
        for each in pool.map(lambda words: run(*words), CRASHES):
            result.add(each)
    return result


def run_conformance(context):
    return each(context, conformance.cases(context), conformance.run)


# Each list one after the other, all lists at once: they mostly wait, each for servers of its own.
# The first ones have a broker of Kafka, which Maven fetches once for a build; the others Debian's
# servers.
CONNECTORS = [
    ["kafka", "kafka_groups", "kafka_once"],
    ["http_clients", "http_fetches", "websocket", "web_tls", "web_requests", "web_fuzz"],
    ["jdbc", "jdbc_login", "jdbc_numbers", "jdbc_hosts"],
    ["mqtt", "objectstorage"],
]


def run_connectors(context):
    def run(names):
        result = Result()
        for name in names:
            if context.filter not in f"connectors/{name}":
                continue
            options = ["--jars", os.path.join(context.build, "foreign")] if "kafka" in name else []
            script = os.path.join(context.root, "test", "connectors", name + ".py")
            result.add(counted([sys.executable, script, "--driver", context.driver, *options]))
        return result

    result = Result()
    if not context.fast:
        with ThreadPoolExecutor(len(CONNECTORS)) as pool:
            for each in pool.map(run, CONNECTORS):
                result.add(each)
    return result


def run_cluster(context):
    if context.fast or context.filter not in "cluster":
        return Result()
    script = os.path.join(context.root, "test", "cluster", "cluster.py")
    return counted([sys.executable, script, "--driver", context.driver])


def run_sanitizers(context):
    """As a whole: it builds for minutes, which a filter for some test does not ask for."""
    if context.fast or context.filter not in "sanitizers":
        return Result()
    result = Result()
    for preset in sanitizers.PRESETS:
        command, environment, problem = sanitizers.unit(context, preset)
        if problem:
            print(f"FAIL sanitizers: {preset}: {problem}")
            result.add(Result(failed=1))
            continue
        command.append(f"--gtest_filter=-{SLOW_UNIT}")
        result.add(googletest(command, environment, context.jobs))
    return result


def run_fuzz(context):
    targets = [] if context.fast else [target for target in fuzz.RUNS if context.filter in target]
    wrong = {target: fuzz.build(context, target) for target in targets}
    return each(
        context,
        [(target, target) for target in targets],
        lambda target: wrong[target] or fuzz.run(context, target),
    )


def run_package(context):
    """One after the other, as each needs what the one before has made."""
    if context.fast or context.filter not in "package":
        return Result()
    if why := package.unavailable():
        print(f"package: skipped: {why}")
        return Result(skipped=1)
    result = Result()
    for name, problem in package.checks(context):
        result.add(each(context, [(f"package: {name}", problem)], lambda problem: problem))
    return result


def bench(context, *options):
    path = os.path.join(context.root, "bench", "run.py")
    return counted([sys.executable, path, "--build", context.build, *options])


def run_bench_checksums(context):
    if context.fast or context.filter not in "bench-checksums":
        return Result()
    return bench(context, "--verify-only", "--quick")


def run_instructions(context):
    if context.fast or context.filter not in "instructions":
        return Result()
    return bench(context, "--instructions")


def run(name, context):
    return globals()["run_" + name.replace("-", "_")](context)
