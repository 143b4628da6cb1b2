"""Fuzzers of what reads text and bytes from outside, built on demand and run for a while. The inputs
follow from SEED, and for the parser from the programs in the tree, so that the same ones come each
time."""

import os
import subprocess
import tempfile

SEED = 1
OPTIONS = [f"-seed={SEED}", "-timeout=60", "-rss_limit_mb=2048", "-max_len=4096"]
# Target -> how many inputs.
RUNS = {"fuzz-parse": 10_000, "fuzz-csv": 200_000, "fuzz-bin": 200_000}
CORPUS = ("test/conformance/language", "test/frontend")


def build(context, targets):
    """None, or what is wrong."""
    command = ["ninja", "-C", context.build, *targets]
    out = subprocess.run(command, capture_output=True, text=True)
    return out.stdout[-4000:] + out.stderr if out.returncode else None


def programs(context):
    """The files that the parser begins with, in order: libFuzzer would read a folder in the order
    of the file system."""
    return sorted(
        os.path.join(folder, name)
        for corpus in CORPUS
        for folder, _, names in os.walk(os.path.join(context.root, corpus))
        for name in names
    )


def run(context, target):
    """None, or the end of what the fuzzer says, which names the input that failed."""
    # ANTLR's library is not instrumented.
    environment = dict(os.environ, ASAN_OPTIONS="detect_container_overflow=0")
    runs = RUNS[target]
    with tempfile.TemporaryDirectory() as folder:
        listed, found = os.path.join(folder, "inputs"), os.path.join(folder, "found")
        os.mkdir(found)
        command = [os.path.join(context.build, "test", "fuzz", target), *OPTIONS, f"-runs={runs}"]
        if target == "fuzz-parse":
            with open(listed, "w", encoding="utf-8") as file:
                file.write(",".join(programs(context)))
            command += ["-dict=" + os.path.join(context.root, "test/fuzz/spl.dict")]
            command += ["-seed_inputs=@" + listed]
        command.append(found)
        out = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=found)
        said = out.stderr[-6000:]
        if out.returncode == 0:
            return None if f"Done {runs} runs" in said else f"not all runs were made:\n{said}"
        for name in os.listdir(found):
            if name.startswith(("crash-", "timeout-", "oom-")):
                with open(os.path.join(found, name), "rb") as file:
                    said += f"\n{name}: {file.read()!r}"
        return said
