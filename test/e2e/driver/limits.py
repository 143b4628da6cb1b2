# RUN: %python %s
"""Limits of threads, processes and open files: one message, exit code 1, and never a crash."""

import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import expect, expect_in, finish, sluice  # noqa: E402

# Where others may read and write: the folder for temporary files may be this user's.
shared = tempfile.TemporaryDirectory(prefix="sluice-limits-", dir="/tmp")
FOLDER = shared.name
os.chmod(FOLDER, 0o777)


def write(name, content):
    path = os.path.join(FOLDER, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return path


hello = write(
    "Hello.spl",
    """composite Hello {
  graph
    stream<int32 x> S = Beacon() { param iterations : 2u; }
    stream<int32 x> T = Functor(S) {}
    () as P = Custom(T) { logic onTuple T : println(T); }
}
""",
)
template = write("Mixed.splmm", "composite Mixed {\n<% print ''; %>}\n")
TOO_MANY = "no more processes and threads may be started: see `ulimit -u`"
ROWS = "{x=0}\n{x=0}\n"

# --- threads: root may have any number of them, so this is somebody else whom nobody is ---
NOBODY = {"user": 100000 + os.getpid()} if os.geteuid() == 0 else {}


def few(processes, *words):
    """Runs the driver as somebody who may have so many processes and threads."""
    limit = (processes, processes)
    return sluice(
        *words,
        env=dict(os.environ, TMPDIR=FOLDER),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, limit),
        **NOBODY,
    )


def may_be_limited():
    try:
        return few(1, "--version").returncode == 0
    except OSError:
        return False


if NOBODY and may_be_limited():
    program = os.path.join(FOLDER, "hello")
    # With one process clang cannot be started, with two not the linker.
    for count in (1, 2):
        out = few(count, "build", hello, "-o", program)
        expect(f"build, {count}: exit code", out.returncode, 1)
        expect_in(f"build, {count}", f"sluice: linking failed: {TOO_MANY}", out.stderr)
        expect(f"build, {count}: one line", out.stderr.count("\n"), 1)
    out = few(3, "build", hello, "-o", program)
    expect("build, 3: no more are needed", (out.returncode, out.stderr), (0, ""))
    for words in (["run", hello], ["run", hello, "--pes=2"]):
        out = few(1, *words)
        expect(f"{words}: exit code", (out.returncode, out.stdout), (1, ""))
        expect_in(f"{words}", TOO_MANY, out.stderr)
    out = few(1, "check", template)
    expect("no process for Perl: exit code", out.returncode, 1)
    expect_in("no process for Perl", TOO_MANY, out.stderr)
    expect("it is said of the file, not of a line", "Mixed.splmm:1:1: error" in out.stderr, True)
else:
    print("no test of threads: this user may not become another one", file=sys.stderr)


# --- open files ---
def few_files(files, *words):
    script = f'ulimit -n {files}; exec "$0" "$@"'
    return subprocess.run(["bash", "-c", script, "sluice", *words], capture_output=True, text=True)


for limit in (8, 12, 13, 20, 22, 24, 30):
    out = few_files(limit, "run", hello, "--pes=2")
    expect(f"{limit} files for a job: exit code", out.returncode, 1)
    expect_in(f"{limit} files for a job", "Too many open files: see `ulimit -n`\n", out.stderr)
    expect(f"{limit} files for a job: one line", out.stderr.count("\n"), 1)
out = few_files(100, "run", hello, "--pes=2")
expect("100 files for a job", (out.returncode, out.stdout, out.stderr), (0, ROWS, ""))
out = few_files(5, "run", hello)
expect("5 files for a program: exit code", out.returncode, 1)
expect_in("5 files for a program", "Too many open files: see `ulimit -n`\n", out.stderr)
finish()
