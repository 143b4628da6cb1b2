# RUN: %python %s
# UNSUPPORTED: sanitized
"""A crash of the compiler: exit code 70, a report, and a script that crashes again.
With too little stack the compiler crashes on a program that is deep, but right."""

import glob
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

REPORTS = os.path.join(FOLDER, "reports")
os.mkdir(REPORTS)
ENV = dict(os.environ, TMPDIR=REPORTS)
DEEP = 200


def small_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (112 << 10, 112 << 10))


os.makedirs(os.path.join(FOLDER, "app", "deep"))
write(
    "app/deep/Sums.spl",
    "namespace deep;\npublic int32 sum(int32 x) { return "
    + "(" * DEEP
    + "x"
    + " + 1)" * DEEP
    + "; }\n",
)
main = write(
    "app/Main.spl",
    """use deep::sum;
composite Main {
  graph
    stream<int32 x> S = Beacon() { param iterations : 1u; output S : x = sum(0); }
    () as P = Custom(S) { logic onTuple S : println(x); }
}
""",
)
out = sluice("run", "app/Main.spl", env=ENV)
expect("with enough stack", (out.returncode, out.stdout), (0, f"{DEEP}\n"))
expect("no report without a crash", os.listdir(REPORTS), [])

out = sluice("run", "app/Main.spl", env=ENV, preexec_fn=small_stack)
expect("exit code", out.returncode, 70)
expect_in("message", "internal error: the compiler crashed while ", out.stderr)
reports = glob.glob(os.path.join(REPORTS, "sluice-crash-*"))
expect("one report", len(reports), 1)
if reports:
    expect_in("message", reports[0], out.stderr)
    for name in ("Main.spl", "deep/Sums.spl"):
        with open(os.path.join(FOLDER, "app", name)) as wanted, open(
            f"{reports[0]}/files{FOLDER}/app/{name}"
        ) as actual:
            expect(name, actual.read(), wanted.read())
    script = os.path.join(reports[0], "run.sh")
    again = subprocess.run(
        [script], capture_output=True, text=True, env=ENV, timeout=TIMEOUT, preexec_fn=small_stack
    )
    expect("the script crashes again", again.returncode, 70)
    os.rename(os.path.join(FOLDER, "app"), os.path.join(FOLDER, "gone"))
    again = subprocess.run([script], capture_output=True, text=True, env=ENV, timeout=TIMEOUT)
    expect("the script has all files", (again.returncode, again.stdout), (0, f"{DEEP}\n"))

# What is too deep is the user's problem, whatever it is made of.
for name, text in (
    ("parentheses", "(" * 100000 + "x" + ")" * 100000),
    ("brackets", "[" * 100000 + "]" * 100000),
    ("a sum", "x" + " + 1" * 100000),
    ("signs", "- " * 100000 + "x"),
    ("choices", "true ? 1 : " * 100000 + "x"),
    ("casts", "(int32) " * 100000 + "x"),
):
    path = write(
        "Deep.spl",
        "int32 f(int32 x) {\n  return "
        + text
        + ";\n}\ncomposite Main { graph () as P = Custom() { } }\n",
    )
    out = sluice("check", path, env=ENV)
    expect(name + ": exit code", out.returncode, 1)
    expect_in(name, "Deep.spl:2:", out.stderr[:300])
    expect_in(name, "nested too deeply", out.stderr[:300])
expect("no reports of them", len(os.listdir(REPORTS)), len(reports) + 1)
finish()
