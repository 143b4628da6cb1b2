# REQUIRES: slow
# RUN: %python %s
# UNSUPPORTED: sanitized
"""When the system gives no more memory the program ends as at its --memory-limit: whether malloc
fails, or `new` in an operator that is written in C++. No room for a thread is an error as well."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

MODES = (
    ["--elastic=off"],
    ["--queues=all", "--threads=2"],
    ["--deterministic"],
)


def limited(mib, command):
    """Runs a command with so much address space."""
    return subprocess.run(
        ["bash", "-c", f'ulimit -v {mib << 10}; exec "$@"', "bash", *command],
        capture_output=True,
        text=True,
        cwd=FOLDER,
        timeout=TIMEOUT,
    )


def check(what, out, *parts):
    expect(what + ": exit code", out.returncode, 1)
    for part in parts:
        expect_in(what, part, out.stderr)
    expect(what + ": one error", out.stderr.count("rror:"), 1)


store = write(
    "Store.spl",
    """composite Store {
  graph
    stream<int64 n> Numbers = Beacon() { output Numbers : n = (int64) IterationCount(); }
    stream<int64 n> Kept = Sort(Numbers) {
      window Numbers : tumbling, count(2000000000);
      param sortBy : n;
    }
}
""",
)
# The buffer for one line grows by `new`, to a gibibyte.
line = write(
    "Line.spl",
    """composite Line {
  graph
    stream<rstring line> Lines = FileSource() { param file : "long.txt"; format : line; }
    () as Count = Custom(Lines) { logic onTuple Lines : println(length(line)); }
}
""",
)
with open(os.path.join(DATA, "long.txt"), "wb") as file:
    file.truncate(2 << 30)  # takes no room on the disk
# A reader gives up a line before there is no memory left.
for source, said in (
    (store, "4:28: error: operator Kept: out of memory"),
    (line, f"3:34: error: operator Lines: cannot read {DATA}/long.txt: a line or a block "),
):
    program = source.removesuffix(".spl")
    built = sluice("build", source, "-o", program)
    expect("building", (built.returncode, "error" in built.stderr), (0, False))
    for options in MODES:
        for command in ([program], ["sluice", "run", source]):
            what = " ".join([*command, *options])
            out = limited(1400, [*command, *options, "--data-dir", DATA])
            name = os.path.basename(source)
            check(what, out, f"{name}:{said}")
for options in MODES[:2]:
    out = limited(60, [store.removesuffix(".spl"), *options])
    check("no room for threads", out, "error: cannot start ")
finish()
