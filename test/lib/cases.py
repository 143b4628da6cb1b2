"""Runs the small programs of test/cases, which are made of public reports; the layout is in
test/cases/README.md."""

import os
import shutil
import subprocess
import tempfile

import programs

MODES = ("deterministic", "batched")
OTHERS = ("queued", "built")  # of each case one
NOT_FILES = ("rc", "stdout", "stderr-contains", "gone")
SKIPPED_CODE = 77  # of check.sh: it cannot run here


class Case:
    def __init__(self, driver, folder, mode):
        self.driver, self.folder, self.mode = driver, folder, mode

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def lines(self, *names):
        if not os.path.exists(self.path(*names)):
            return []
        with open(self.path(*names), encoding="utf-8") as file:
            return [line for line in file.read().split("\n") if line]

    def content(self, *names):
        with open(self.path(*names), "rb") as file:
            return self.normal(file.read())

    def normal(self, data):
        """As it is compared."""
        script = self.path("normalise")
        if os.path.exists(script):
            command = ["sed", "-E", "-f", script]
            data = subprocess.run(command, input=data, stdout=subprocess.PIPE).stdout
        return data


def cases(context):
    base = os.path.join(context.root, "test", "cases")
    found = []
    for number, name in enumerate(sorted(os.listdir(base))):
        folder = os.path.join(base, name)
        if not os.path.exists(os.path.join(folder, "Main.spl")):
            continue
        modes = MODES if context.fast else (*MODES, OTHERS[number % 2])
        if os.path.exists(os.path.join(folder, "check.sh")):
            modes = ["check"]
        found += [(f"cases/{name} ({mode})", Case(context.driver, folder, mode)) for mode in modes]
    return found


def run(case, skipped):
    with tempfile.TemporaryDirectory() as temp:
        return check(case, temp, skipped) if case.mode == "check" else compare(case, temp)


def check(case, temp, skipped):
    names = {"SLUICE": case.driver, "CASE": case.folder, "WORK": temp}
    out = subprocess.run(
        ["bash", case.path("check.sh")],
        cwd=temp,
        env=dict(programs.ENV, **names),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=programs.TIMEOUT,
    )
    if out.returncode == SKIPPED_CODE:
        return skipped
    text = out.stdout.decode("utf-8", "replace")
    return f"check.sh: exit code {out.returncode}\n{text}" if out.returncode else None


def compare(case, temp):
    data = os.path.join(temp, "data")
    given = case.path("data")
    shutil.copytree(given, data) if os.path.isdir(given) else os.mkdir(data)
    rc = int((case.lines("expected", "rc") or ["0"])[0])
    command, problem = programs.command(case.driver, case.path("Main.spl"), case.mode, temp)
    if problem:  # it cannot be built, which may be what is right
        code, stdout, errors = rc, b"", problem
    else:
        out = subprocess.run(
            [*command, "--data-dir", data, *case.lines("args")],
            cwd=temp,
            env=programs.ENV,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=programs.TIMEOUT,
        )
        code, stdout, errors = out.returncode, out.stdout, out.stderr.decode("utf-8", "replace")
    if code != rc or (problem and not rc):
        return f"exit code {code} instead of {rc}\n{errors}"
    wrong = differences(case, data, stdout, errors)
    return "\n".join([*wrong, errors]) if wrong else None


def differences(case, data, stdout, errors):
    wrong = []
    if os.path.exists(case.path("expected", "stdout")):
        actual, wanted = case.normal(stdout), case.content("expected", "stdout")
        if "order: lines" in case.lines("compare"):
            actual, wanted = sorted(actual.split(b"\n")), sorted(wanted.split(b"\n"))
        if actual != wanted:
            wrong.append(f"standard output differs:\n- {wanted}\n+ {actual}")
    for text in case.lines("expected", "stderr-contains"):
        if text not in errors:
            wrong.append(f"standard error lacks: {text}")
    for name in case.lines("expected", "gone"):
        if os.path.exists(os.path.join(data, name)):
            wrong.append(f"still there: {name}")
    for name in sorted(set(os.listdir(case.path("expected"))) - set(NOT_FILES)):
        path = os.path.join(data, name)
        if not os.path.isfile(path):
            wrong.append(f"{name} was not written")
            continue
        with open(path, "rb") as file:
            actual = case.normal(file.read())
        if actual != case.content("expected", name):
            wrong.append(f"{name} differs:\n- {case.content('expected', name)}\n+ {actual}")
    return wrong
