"""Fuzzers of what reads text and bytes from outside, built on demand with AddressSanitizer and
UBSan (the parser without the latter), and run for a while. The inputs follow from SEED, for the parser
also from the programs in the tree, and for frames, hosts and checkpoints from those that the
fuzzer makes, so that the same ones come each time."""

import os
import subprocess
import tempfile

import sanitizers

# Those that need nothing of the compiler are in this build; the parser and the console have their
# own.
PRESET = "asan"
OF_PRESET = ("fuzz-csv", "fuzz-bin", "fuzz-frame", "fuzz-host", "fuzz-exchange", "fuzz-state")
OF_PRESET += ("fuzz-log", "fuzz-http", "fuzz-json", "fuzz-connect")
SEED = 1
OPTIONS = [f"-seed={SEED}", "-timeout=60", "-rss_limit_mb=2048", "-max_len=4096"]
# Target -> how many inputs.
RUNS = {
    "fuzz-parse": 10_000,
    "fuzz-csv": 200_000,
    "fuzz-bin": 200_000,
    "fuzz-frame": 100_000,
    "fuzz-host": 200_000,
    "fuzz-exchange": 200_000,
    "fuzz-state": 200_000,
    "fuzz-log": 5_000,
    "fuzz-http": 200_000,
    "fuzz-json": 50_000,
    "fuzz-connect": 50_000,
    "fuzz-console": 100_000,
}
# Those that write inputs to begin with into the folder that this variable names.
WRITES_INPUTS = {
    "fuzz-frame": "SLUICE_FRAMES",
    "fuzz-host": "SLUICE_HOSTS",
    "fuzz-state": "SLUICE_STATES",
}
CORPUS = ("test/conformance/language", "test/frontend")


def build(context, target):
    """None, or what is wrong."""
    if target in OF_PRESET:
        return sanitizers.build(context, PRESET, [target])
    command = ["ninja", "-C", context.build, target]
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
    environment = dict(os.environ, **sanitizers.ENVIRONMENT[PRESET])
    build = sanitizers.folder(context, PRESET) if target in OF_PRESET else context.build
    binary = os.path.join(build, "test", "fuzz", target)
    runs = RUNS[target]
    with tempfile.TemporaryDirectory() as folder:
        listed, found = os.path.join(folder, "inputs"), os.path.join(folder, "found")
        os.mkdir(found)
        command = [binary, *OPTIONS, f"-runs={runs}"]
        if target == "fuzz-parse":
            with open(listed, "w", encoding="utf-8") as file:
                file.write(",".join(programs(context)))
            command += ["-dict=" + os.path.join(context.root, "test/fuzz/spl.dict")]
            command += ["-seed_inputs=@" + listed]
        if target in WRITES_INPUTS:
            environment[WRITES_INPUTS[target]] = found
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
