"""Runs every example in every mode and compares with its expected output.

An example is a folder with one main .spl, `expected/` (stdout and the files it
leaves in its data directory), and optionally `args` (submission-time values),
`expected/rc` and `expected/stderr` (lines that stderr must contain)."""
import os
import shutil
import subprocess
import tempfile

TIMEOUT = 120
ENV = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8")


class Case:
    def __init__(self, driver, folder, source, mode):
        self.driver, self.folder, self.source, self.mode = driver, folder, source, mode


def cases(context, cross):
    base = os.path.join(context.root, "examples")
    found = []
    for name in sorted(os.listdir(base)):
        folder = os.path.join(base, name)
        sources = [f for f in sorted(os.listdir(folder)) if f.endswith(".spl")] if os.path.isdir(folder) else []
        if not sources or not os.path.isdir(os.path.join(folder, "expected")):
            continue
        modes = ["ppc64le"] if cross else ["batched", "deterministic"] if context.fast else \
            ["batched", "deterministic", "batch-rows-1", "built"]
        for mode in modes:
            found.append((f"{name} ({mode})", Case(context.driver, folder, os.path.join(folder, sources[0]), mode)))
    return found


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def command_of(case, temp, data):
    values = lines(os.path.join(case.folder, "args")) if os.path.exists(os.path.join(case.folder, "args")) else []
    options = ["--data-dir", data, *values]
    if case.mode in ("built", "ppc64le"):
        program = os.path.join(temp, "program")
        build = [case.driver, "build", case.source, "-o", program]
        if case.mode == "ppc64le":
            build.append("--target=powerpc64le-linux-gnu")
        out = subprocess.run(build, capture_output=True, text=True, env=ENV, timeout=TIMEOUT)
        if out.returncode:
            return None, f"building: exit code {out.returncode}\n{out.stderr}"
        runner = ["qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu"] if case.mode == "ppc64le" else []
        return [*runner, program, *options], None
    extra = {"batched": [], "deterministic": ["--deterministic"], "batch-rows-1": ["--batch-rows", "1"]}[case.mode]
    return [case.driver, "run", case.source, *extra, *options], None


def run(case):
    expected = os.path.join(case.folder, "expected")
    with tempfile.TemporaryDirectory() as temp:
        data = os.path.join(temp, "data")
        source = os.path.join(case.folder, "data")
        shutil.copytree(source, data) if os.path.isdir(source) else os.mkdir(data)
        command, problem = command_of(case, temp, data)
        if problem:
            return problem
        out = subprocess.run(command, capture_output=True, env=ENV, timeout=TIMEOUT, stdin=subprocess.DEVNULL)
        errors = out.stderr.decode("utf-8", "replace")
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
