"""ppc64le under qemu: the runtime's unit tests, and programs that check themselves while
queues, widths and workers come and go. qemu orders memory no weaker than this machine
does: what is tested is the code for that processor, not its memory model."""

import os
import subprocess
import tempfile

import programs

# Left out: what runs longest and computes the same on every processor.
UNIT_FILTER = (
    "-*EveryMistakeIsNoticed:Model/Pipelines.*:Model.AThousandSteadyIntervals*"
    ":ModelWatch.NoiseIsNoChange:Paper.SettlesNearTheBest*"
)
UNIT_ENV = {"SLUICE_EXPLORE_RUNS": "60"}  # executions of each of the explorer's graphs
MANY = ["--threads=4", "--batch-rows=20"]
# Name -> source in test/e2e, options of build, options of the run, values.
PROGRAMS = {
    "switching, chaos": ("switching.spl", [], ["--chaos=1", *MANY], ["count=20000"]),
    "switching, one row a batch": (
        "switching.spl",
        [],
        ["--chaos=2", "--threads=8", "--batch-rows=1"],
        ["count=3000"],
    ),
    "switching, queued": ("switching.spl", [], ["--queues=all", "--threads=3"], ["count=50000"]),
    "regions, chaos": ("switching-regions.spl", [], ["--chaos=3", *MANY], ["count=5000"]),
    "regions, chaos, any order": (
        "switching-regions.spl",
        ["--merge-order=any"],
        ["--chaos=4", *MANY],
        ["count=5000"],
    ),
    "regions, shared": (
        "switching-regions.spl",
        ["--merge-order=any"],
        ["--queues=all", "--width=4", "--threads=4"],
        ["count=5000"],
    ),
    "regions, elastic": (
        "switching-regions.spl",
        ["--merge-order=any"],
        programs.RUN["elastic"][1],
        ["count=5000"],
    ),
    "shared, queued": ("shared.spl", [], ["--queues=all", "--width=4", *MANY], []),
    "shared, chaos": ("shared.spl", [], ["--chaos=5", *MANY], []),
    "feedback, chaos": ("feedback.spl", [], ["--chaos=6", *MANY], []),
}


def unit_command(context):
    """Builds the unit tests and gives the words that run them; or None and what is wrong."""
    out = subprocess.run(
        ["ninja", "-C", context.build, "sluice-unit-cross"], capture_output=True, text=True
    )
    if out.returncode:
        return None, out.stdout[-4000:] + out.stderr
    return [
        *programs.PPC64LE[1],
        os.path.join(context.build, "bin", "sluice-unit-ppc64le"),
        "--gtest_filter=" + UNIT_FILTER,
    ], None


PROCESSES = {
    f"shared, three PEs, {name}": ("shared.spl", ["--pes=3"], options, [])
    for name, options in {
        "sockets": ["--transport=socket"],
        "sockets, interrupt": ["--transport=socket", "--receive=interrupt"],
        "shared memory": ["--transport=shm"],
        "the fastest": [],
    }.items()
}


def cases(context):
    return [
        (f"{name} (ppc64le)", (context, *case)) for name, case in (PROGRAMS | PROCESSES).items()
    ]


def outcome(command, folder, source):
    """Exit code, lines of the console in any order, what is in the files. An executable names its
    source without the folder."""
    out = subprocess.run(
        [*command, "--data-dir", folder],
        capture_output=True,
        text=True,
        env=programs.ENV,
        timeout=programs.TIMEOUT,
        stdin=subprocess.DEVNULL,
    )
    files = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    errors = out.stderr.replace(os.path.dirname(source) + "/", "")
    return out.returncode, sorted(out.stdout.splitlines()), sorted(errors.splitlines()), files


def run(case):
    """The same as here with --deterministic."""
    context, source, compiling, running, values = case
    source = os.path.join(context.root, "test", "e2e", source)
    with tempfile.TemporaryDirectory() as temp:
        folders = [os.path.join(temp, name) for name in ("here", "there")]
        for folder in folders:
            os.mkdir(folder)
        target, runner = programs.PPC64LE
        program = os.path.join(temp, "program")
        out = subprocess.run(
            [
                context.driver,
                "build",
                source,
                "-o",
                program,
                *target,
                "--boundaries=all",
                *compiling,
            ],
            capture_output=True,
            text=True,
            env=programs.ENV,
            timeout=programs.TIMEOUT,
        )
        if out.returncode:
            return f"building: exit code {out.returncode}\n{out.stderr}"
        here = [context.driver, "run", source, "--deterministic", *values]
        wanted = outcome(here, folders[0], source)
        actual = outcome([*runner, program, *running, *values], folders[1], source)
        for what, here, there in zip(("exit code", "stdout", "stderr", "files"), wanted, actual):
            if here != there:
                return f"{what} differs:\n- {str(here)[:600]}\n+ {str(there)[:600]}"
    return None
