"""For tests that run the driver and look at exit codes, files and signals."""

import os
import subprocess
import sys
import tempfile

TIMEOUT = 120
# A policy whose intervals are so short that it decides all the time.
ELASTIC = ["--elastic=paper", "--elastic-option=period=0.001", "--elastic-option=skip=0"]
MODES = {
    "batched": [],
    "one row a batch": ["--batch-rows", "1"],
    "deterministic": ["--deterministic"],
    "queued": ["--boundaries=all", "--queues=all"],
    "chaos": ["--boundaries=all", "--chaos=1", "--threads=3"],
    "elastic": ["--boundaries=all", *ELASTIC, "--threads=3"],
}
COMPILES = ("-O", "--boundaries=")  # options of MODES that are the compiler's
_folder = tempfile.TemporaryDirectory(prefix="sluice-e2e-")
FOLDER = _folder.name
DATA = os.path.join(FOLDER, "data")
os.mkdir(DATA)
_failed = []


def write(name, content):
    """A file in the test's folder; its path."""
    path = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def sluice(*args, **more):
    """Runs the driver to its end; out.stdout and out.stderr are text."""
    return _run(["sluice", *args], **more)


def _run(command, **more):
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        timeout=TIMEOUT,
        **more,
    )


_built = {}  # path of an executable -> its source


def run_built(source, options, *more):
    """As sluice("run", source, *options, *more), by an executable that is built once for all runs
    with the same options of the compiler. It is kept until another program has the same ones."""
    compiling = [option for option in options if option.startswith(COMPILES)]
    program = os.path.join(FOLDER, "built" + "".join(compiling))
    if _built.get(program) != source:
        out = sluice("build", source, "-o", program, *compiling)
        if out.returncode:
            raise SystemExit(f"{source}: {out.stderr}")
        _built[program] = source
    running = [option for option in options if option not in compiling]
    return _run([program, *running, *more])


def expect(what, actual, wanted):
    if actual != wanted:
        _failed.append(what)
        print(f"{what}:\n  wanted {wanted!r}\n  got    {actual!r}")


def expect_in(what, part, text):
    if part not in text:
        _failed.append(what)
        print(f"{what}:\n  {part!r} is not in\n{text}")


def finish():
    if _failed:
        sys.exit(f"{len(_failed)} checks failed")


def files_below(folder):
    """Of a folder and those in it; an empty folder counts as nothing."""
    return [name for _, _, names in os.walk(folder) for name in names]
