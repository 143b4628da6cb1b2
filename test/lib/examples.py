"""Runs every example in every mode and compares with its expected output.

An example is a folder with one main .spl, `expected/` (stdout and the files it
leaves in its data directory), and optionally `args` (submission-time values), `compile` (options
of the compiler; `{}` is the folder),
`expected/rc` and `expected/stderr` (lines that stderr must contain). `modes` lists those in which
it is run, for one whose output depends on time; it is empty if a test in test/e2e runs it. Of one
that has no `expected/`, `check` names the script below test/ that runs it."""

import os
import shutil
import re
import subprocess
import sys
import tempfile

import clustered
import conformance
import programs


class Case:
    def __init__(self, driver, folder, source, mode):
        self.driver, self.folder, self.source, self.mode = driver, folder, source, mode


def cases(context, cross):
    base = os.path.join(context.root, "examples")
    found = []
    for number, name in enumerate(sorted(os.listdir(base))):
        if number % clustered.SAMPLE:
            continue
        folder = os.path.join(base, name)
        sources = (
            [f for f in sorted(os.listdir(folder)) if f.endswith(".spl")]
            if os.path.isdir(folder)
            else []
        )
        check = os.path.join(folder, "check")
        if os.path.exists(check) and not cross and not context.fast and not context.mode:
            script = os.path.join(context.root, "test", lines(check)[0])
            found.append((f"{name} (check)", Case(context.driver, folder, script, "check")))
        if not sources or not os.path.isdir(os.path.join(folder, "expected")):
            continue
        modes = (
            programs.CROSS
            if cross
            else ["batched", "deterministic"] if context.fast else [*programs.RUN, "built"]
        )
        only = os.path.join(folder, "modes")
        if os.path.exists(only):
            modes = [] if cross else lines(only)
        if context.mode:  # of those that can run in all
            modes = [] if os.path.exists(only) else [context.mode]
        for mode in modes:
            found.append(
                (
                    f"{name} ({mode})",
                    Case(context.driver, folder, os.path.join(folder, sources[0]), mode),
                )
            )
    return found


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def run_check(case):
    command = [sys.executable, case.source, "--driver", case.driver]
    out = subprocess.run(command, capture_output=True, text=True, timeout=10 * programs.TIMEOUT)
    if re.search(r"^0 passed, 0 failed, 1 skipped$", out.stdout, re.M):
        return conformance.SKIPPED
    return out.stdout + out.stderr if out.returncode else None


def run(case):
    if case.mode == "check":
        return run_check(case)
    expected = os.path.join(case.folder, "expected")
    with tempfile.TemporaryDirectory() as temp:
        data = os.path.join(temp, "data")
        source = os.path.join(case.folder, "data")
        shutil.copytree(source, data) if os.path.isdir(source) else os.mkdir(data)
        options = os.path.join(case.folder, "compile")
        options = [
            line.replace("{}", case.folder)
            for line in (lines(options) if os.path.exists(options) else [])
        ]
        command, problem = programs.command(case.driver, case.source, case.mode, temp, options)
        if problem:
            return problem
        args = os.path.join(case.folder, "args")
        out = subprocess.run(
            [*command, "--data-dir", data, *(lines(args) if os.path.exists(args) else [])],
            capture_output=True,
            env=programs.ENV,
            timeout=programs.TIMEOUT,
            stdin=subprocess.DEVNULL,
        )
        errors = out.stderr.decode("utf-8", "replace")
        if programs.refused(case.mode, errors):
            return conformance.SKIPPED
        rc = os.path.join(expected, "rc")
        wanted = int(lines(rc)[0]) if os.path.exists(rc) else 0
        if out.returncode != wanted:
            return f"exit code {out.returncode} instead of {wanted}\n{errors}"
        return compare(expected, data, out.stdout, errors)


def compare(expected, data, stdout, errors):
    for name in sorted(os.listdir(expected)):
        path = os.path.join(expected, name)
        with open(path, "rb") as file:
            wanted = file.read()
        if name == "rc":
            continue
        if name == "stderr":
            for line in wanted.decode().splitlines():
                if line not in errors:
                    return f"stderr lacks: {line}\n{errors}"
            continue
        if name == "stdout":
            actual = stdout
        elif os.path.exists(os.path.join(data, name)):
            with open(os.path.join(data, name), "rb") as file:
                actual = file.read()
        else:
            return f"{name} was not written\n{errors}"
        if actual != wanted:
            return f"{name} differs:\n- {wanted[:600]}\n+ {actual[:600]}\n{errors}"
    return None
