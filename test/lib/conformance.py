"""Programs with what IBM's compiler and run time did with them; the layout is in
test/conformance/README.md. What does not pass yet is named, with its reason, in
test/conformance/expected-failures.txt; that list only shrinks: a program on it
that passes is reported as a failure until it is taken off."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import threading

import clustered
import programs

# Mode -> n. All programs run in the first modes, and every n-th in the others, which take longer.
# With --fast every second program runs in one mode.
MODES = {
    "batched": 1,
    "deterministic": 1,
    "virtual": 3,
    "saved": 2,
    "stopped": 5,
    "queued": 2,
    "chaos": 2,
    "elastic": 3,
    "built": 3,
    "pes-all": 3,
    "pes-3": 4,
    "pes-queued": 9,
    "pes-chaos": 9,
    "ppc64le": 6,
    "ppc64le-queued": 9,
    "ppc64le-chaos": 8,
    "ppc64le-elastic": 12,
}
LISTS = ("stdout", "also", "stdout.sound", "diagnostics", "rc")
NETWORK = threading.Lock()  # held by a program with fixed ports of the machine
ONE_AT_A_TIME = "one at a time"
SKIPPED = object()  # listed, and still not supported; or without a library under qemu
NO_LIBRARY = "which this system does not have"  # of one that is loaded when it is needed


class Case:
    def __init__(self, context, folder, name, mode, expected_to_fail):
        self.driver = context.driver
        self.folder, self.name, self.mode = folder, name, mode
        self.expected_to_fail = expected_to_fail


def load_expected_failures(root):
    known = {}
    with open(os.path.join(root, "test/conformance/expected-failures.txt")) as file:
        for line in file:
            line = line.split("#", 1)[0].strip() if line.startswith("#") else line.strip()
            if line:
                name, _, reason = line.partition(":")
                known[name.strip()] = reason.strip()
    return known


def modes_of(context, number, listed, compare):
    """Of the program with this number, by whether it is expected to fail."""
    if context.mode:
        modes = [] if listed or number % clustered.SAMPLE else [context.mode]
    elif context.fast:
        modes = ["batched"] if number % 2 == 0 or listed else []
    elif listed:
        modes = ["batched"]
    else:
        modes = [mode for mode, every in MODES.items() if number % every == 0]
    if "one process" in compare:
        modes = [m for m in modes if not m.startswith("pes-") and m != programs.CLUSTER]
    # What is sent over a network while a program does not run is lost. A virtual clock stands still
    # while a source waits for what comes from there.
    if ONE_AT_A_TIME in compare:
        modes = [mode for mode in modes if mode not in (programs.STOPPED, "virtual")]
    if "no cluster" in compare:
        modes = [mode for mode in modes if mode != programs.CLUSTER]
    if "no checkpoints" in compare:
        modes = [mode for mode in modes if mode != programs.STOPPED]
    return modes


def cases(context):
    base = os.path.join(context.root, "test/conformance")
    known = load_expected_failures(context.root)
    found, number = [], 0
    for group in ("language", "toolkit"):
        for name in sorted(os.listdir(os.path.join(base, group))):
            folder = os.path.join(base, group, name)
            if not os.path.exists(os.path.join(folder, "Main.spl")):
                continue
            full = f"{group}/{name}"
            if name.startswith("err-"):
                if not context.mode:
                    found.append((full, Case(context, folder, full, "check", full in known)))
                continue
            compare = lines_of(os.path.join(folder, "compare"))
            for mode in modes_of(context, number, full in known, compare):
                found.append((f"{full} ({mode})", Case(context, folder, full, mode, full in known)))
            number += full not in known
    return found


def read(path):
    with open(path, "rb") as file:
        return file.read()


def lines_of(path):
    return (
        read(path).decode("utf-8", "surrogateescape").splitlines() if os.path.exists(path) else []
    )


def compile_args(case):
    return [
        x
        for line in lines_of(os.path.join(case.folder, "ct-args"))
        if line
        for x in ("--arg", line)
    ]


def run(case):
    has_ports = ONE_AT_A_TIME in lines_of(os.path.join(case.folder, "compare"))
    with NETWORK if has_ports else contextlib.nullcontext():
        problem = check(case) if case.mode == "check" else execute(case)
    is_text = isinstance(problem, str)
    if is_text and case.mode.startswith("ppc64le") and NO_LIBRARY in problem:
        return SKIPPED
    if not case.expected_to_fail:
        return problem
    if problem is None:
        return "passes: take it off test/conformance/expected-failures.txt"
    # What is listed is not there yet; a crash or a wrong result is no such thing.
    return SKIPPED if "not supported yet: " in problem else problem


def check(case):
    compare = " ".join(lines_of(os.path.join(case.folder, "compare")))
    command = [
        case.driver,
        "check",
        os.path.join(case.folder, "Main.spl"),
        "--main",
        "Main",
        *compile_args(case),
    ]
    out = subprocess.run(command, capture_output=True, text=True, timeout=programs.TIMEOUT)
    if out.returncode == 0:
        return None if "may be accepted" in compare else "accepted, but should be refused"
    if out.returncode != 1:
        return f"exit code {out.returncode}\n{out.stderr}"
    reported = {int(m.group(1)) for m in re.finditer(r"Main\.spl:(\d+):\d+: error", out.stderr)}
    missing, allowed = [], set()
    for line in lines_of(os.path.join(case.folder, "expected/diagnostics")):
        wanted = {int(n) for n in line.split(":", 1)[0].split("|")}
        allowed |= wanted
        if not wanted & reported:
            missing.append(line)
    last = len(lines_of(os.path.join(case.folder, "Main.spl")))
    stray = reported - allowed - {last, last + 1}
    if missing or stray:
        return (
            (f"not reported: {missing}\n" if missing else "")
            + (f"reported on other lines: {sorted(stray)}\n" if stray else "")
            + out.stderr
        )
    return None


def execute(case):
    with tempfile.TemporaryDirectory() as temp:
        data = os.path.join(temp, "data")
        source = os.path.join(case.folder, "data")
        shutil.copytree(source, data) if os.path.isdir(source) else os.mkdir(data)
        command, problem = programs.command(
            case.driver,
            os.path.join(case.folder, "Main.spl"),
            case.mode,
            temp,
            ["--main", "Main", *compile_args(case)],
        )
        if problem:
            return problem
        command += [
            "--data-dir",
            data,
            "--exchange=off",  # they were recorded stand-alone
            *[l for l in lines_of(os.path.join(case.folder, "args")) if l],
        ]
        if case.mode in programs.CROSS:
            command.append("--trace-level=warn")  # each failure, so that a missing library is seen
        out = subprocess.run(
            command,
            capture_output=True,
            env=programs.ENV,
            timeout=programs.TIMEOUT,
            stdin=subprocess.DEVNULL,
        )
        errors = out.stderr.decode("utf-8", "replace")
        refused = programs.refused(case.mode, errors)
        if refused or programs.lacks_library(case.mode, errors):
            return SKIPPED
        wanted = int((lines_of(os.path.join(case.folder, "expected/rc")) or ["0"])[0])
        # A program that is to fail must not do so because it cannot be compiled yet.
        if out.returncode != wanted or "not supported yet: " in errors:
            return f"exit code {out.returncode} instead of {wanted}\n{errors}"
        return compare_stdout(case, out.stdout, errors) or compare_files(case, data)


def in_any_order(case):
    """Whether lines may come in any order, on stdout and in files."""
    return any("order: lines" in l for l in lines_of(os.path.join(case.folder, "compare")))


def compare_stdout(case, stdout, errors):
    expected = os.path.join(case.folder, "expected")
    actual = stdout.decode("utf-8", "surrogateescape").splitlines()
    if in_any_order(case):
        actual.sort()
        order = sorted
    else:
        order = list
    also = {}
    for line in lines_of(os.path.join(expected, "also")):
        also.setdefault(line.split(" = ")[0], set()).add(line)
    problem = None
    for name in ("stdout", "stdout.sound"):
        if not os.path.exists(os.path.join(expected, name)):
            continue
        wanted = order(lines_of(os.path.join(expected, name)))
        wrong = [
            f"- {w}\n+ {a}"
            for w, a in zip(wanted, actual)
            if a != w and a not in also.get(w.split(" = ")[0], ())
        ]
        if len(wanted) != len(actual):
            wrong.append(f"{len(actual)} lines instead of {len(wanted)}")
        if not wrong:
            return None
        problem = problem or "\n".join(wrong) + "\n" + errors
    return problem


def compare_files(case, data):
    expected = os.path.join(case.folder, "expected")
    for name in sorted(os.listdir(expected)):
        if name in LISTS or name.endswith(".sound"):
            continue
        path = os.path.join(data, name)
        if not os.path.exists(path):
            return f"{name} was not written"
        if not os.path.isfile(path):
            continue
        got = read(path)
        sound = os.path.join(expected, name + ".sound")
        if os.path.exists(sound) and read(sound) == got:
            continue
        wanted = read(os.path.join(expected, name))
        if in_any_order(case):
            wanted, got = (b"".join(sorted(x.splitlines(True))) for x in (wanted, got))
        if wanted != got:
            return f"{name} differs:\n- {wanted[:400]}\n+ {got[:400]}"
    return None
