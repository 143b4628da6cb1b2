"""The fuzzer of the parser, built on demand and run for a while. The inputs follow from the programs
in the tree and from SEED, so that the same ones come each time."""

import os
import subprocess
import tempfile

SEED, RUNS = 1, 10_000
OPTIONS = [f"-seed={SEED}", f"-runs={RUNS}", "-timeout=60", "-rss_limit_mb=2048", "-max_len=4096"]
CORPUS = ("test/conformance/language", "test/frontend")


def build(context):
    """None, or what is wrong."""
    command = ["ninja", "-C", context.build, "fuzz-parse"]
    out = subprocess.run(command, capture_output=True, text=True)
    return out.stdout[-4000:] + out.stderr if out.returncode else None


def inputs(context):
    """The files to begin with, in order. libFuzzer reads a folder in the order of its disk."""
    return sorted(
        os.path.join(folder, name)
        for corpus in CORPUS
        for folder, _, names in os.walk(os.path.join(context.root, corpus))
        for name in names
    )


def run(context):
    """None, or the end of what the fuzzer says, which names the input that failed."""
    # ANTLR's library is not instrumented.
    environment = dict(os.environ, ASAN_OPTIONS="detect_container_overflow=0")
    with tempfile.TemporaryDirectory() as folder:
        listed, found = os.path.join(folder, "inputs"), os.path.join(folder, "found")
        os.mkdir(found)
        with open(listed, "w", encoding="utf-8") as file:
            file.write(",".join(inputs(context)))
        command = [os.path.join(context.build, "test", "fuzz", "fuzz-parse"), *OPTIONS]
        command += ["-dict=" + os.path.join(context.root, "test/fuzz/spl.dict")]
        command += ["-seed_inputs=@" + listed, found]
        out = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=found)
        said = out.stderr[-6000:]
        if out.returncode == 0:
            return None if f"Done {RUNS} runs" in said else f"not all runs were made:\n{said}"
        for name in os.listdir(found):
            if name.startswith(("crash-", "timeout-", "oom-")):
                with open(os.path.join(found, name), "rb") as file:
                    said += f"\n{name}: {file.read()!r}"
        return said
