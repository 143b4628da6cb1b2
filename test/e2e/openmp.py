# REQUIRES: openmp
# RUN: %python %s %build/lib/omptlog.so
"""The workers are the threads of one OpenMP region: OMP_PLACES, OMP_PROC_BIND and OMP_THREAD_LIMIT
hold for them. Tools of OMPT see them in memory; an executable has another library of OpenMP."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

CPUS = sorted(os.sched_getaffinity(0))
WORKERS = 3
source = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int64 n> In = Beacon() {
      param iterations : 20000u;
      output In : n = (int64) IterationCount();
    }
    stream<int64 n> Middle = Functor(In) { output Middle : n = n + 1l; }
    () as Sink = Custom(Middle) {
      logic
        state : mutable int64 s = 0l;
        onTuple Middle : s += n;
        onPunct Middle : if (currentPunct() == Sys.FinalMarker) println(s);
    }
}
""",
)
RESULT = "200010000\n"
OPTIONS = ["--queues=all", f"--threads={WORKERS}"]


def run(**settings):
    """The regions that the program opened, and its threads: [(number, size, cpus)]."""
    log = os.path.join(FOLDER, "ompt.log")
    if os.path.exists(log):
        os.remove(log)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_"))}
    environment |= {"OMP_TOOL_LIBRARIES": sys.argv[1], "SLUICE_OMPT_LOG": log, **settings}
    command = ["sluice", "run", source, "--boundaries=all", *OPTIONS]
    out = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    expect(f"with {settings}", (out.returncode, out.stdout, out.stderr), (0, RESULT, ""))
    regions, threads = [], []
    with open(log, encoding="utf-8") as file:
        for line in file:
            kind, *numbers = line.split()
            if kind == "region":
                regions.append(int(numbers[0]))
            else:
                number, size, *cpus = map(int, numbers)
                threads.append((number, size, cpus))
    return regions, sorted(threads)


# --- a tool sees one region, and in it workers and spares ---
regions, threads = run()
size = len(threads)
expect("regions", len(regions), 1)
expect("at least the workers", size >= WORKERS, True)
expect("numbers", [t[0] for t in threads], list(range(size)))
expect("sizes", {t[1] for t in threads}, {size})
expect("not bound", {tuple(t[2]) for t in threads}, {tuple(CPUS)})

# --- close: consecutive threads share a place, in the order of places ---
regions, threads = run(OMP_PLACES="threads", OMP_PROC_BIND="close")
places = [t[2] for t in threads]
expect("one processor each", {len(p) for p in places}, {1})
expect("all places", sorted({p[0] for p in places}), CPUS[: len(places)])
expect("close", places, sorted(places))
each = [places.count([cpu]) for cpu in CPUS if [cpu] in places]
expect("evenly", max(each) - min(each) <= 1, True)

# --- one place only ---
regions, threads = run(OMP_PLACES=f"{{{CPUS[-1]}}}", OMP_PROC_BIND="close")
expect("the place", {tuple(t[2]) for t in threads}, {(CPUS[-1],)})

# --- fewer threads than asked for, down to one ---
for limit in (1, 2, WORKERS):
    regions, threads = run(OMP_THREAD_LIMIT=str(limit))
    expect(f"limit {limit}", len(threads), limit)

# --- only workers are bound ---
endless = write(
    "Endless.spl",
    """composite Main {
  graph
    stream<int64 n> In = Beacon() {
      param period : 0.01;
      output In : n = (int64) IterationCount();
    }
    () as Sink = Custom(In) { logic onTuple In : if (n == 2l) { println(n); flushStdio(); } }
}
""",
)
program = os.path.join(FOLDER, "endless")
out = sluice("build", endless, "--boundaries=all", "-o", program)
expect("build", (out.returncode, out.stderr), (0, ""))


def allowed(command, **settings):
    """The processors that each thread may use, as lists."""
    with subprocess.Popen(
        [*command, *OPTIONS],
        env=dict(os.environ, OMP_PLACES="threads", OMP_PROC_BIND="close", **settings),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        expect("it runs", process.stdout.readline(), "2\n")
        found = []
        for task in os.listdir(f"/proc/{process.pid}/task"):
            with open(f"/proc/{process.pid}/task/{task}/status", encoding="utf-8") as file:
                found.append(re.search(r"^Cpus_allowed_list:\s*(\S+)", file.read(), re.M)[1])
        process.terminate()
        expect("ends", process.wait(60), 0)
    return found


for command in (["sluice", "run", endless, "--boundaries=all"], [program]):
    threads = allowed(command)
    bound = [cpus for cpus in threads if cpus.isdigit()]
    if len(CPUS) > 1:
        expect(f"{command}: workers are bound", len(bound) >= WORKERS, True)
        others = len(threads) - len(bound)
        expect(f"{command}: source, timer and main thread are not", others >= 3, True)
    fewer = allowed(command, OMP_THREAD_LIMIT="1")
    expect(f"{command}: fewer workers", len(threads) - len(fewer) >= WORKERS - 1, True)


# --- what libomp and processes that were killed leave in shared memory ---
def segment(pid):
    return f"/dev/shm/__KMP_REGISTERED_LIB_{pid}_{os.getuid()}"


with subprocess.Popen(
    ["sluice", "run", endless, "--boundaries=all", "--threads=2"],
    preexec_fn=lambda: open(segment(os.getpid()), "w").close(),
    stdout=subprocess.PIPE,
    text=True,
) as process:
    expect("it runs beside an empty segment", process.stdout.readline(), "2\n")
    expect("none is left", os.path.exists(segment(process.pid)), False)
    process.terminate()
    expect("it ends", process.wait(60), 0)

# --- what a build uses ---
out = sluice("--version")
expect("--version", out.returncode, 0)
expect_in("the version", "sluice 0.1\nLLVM 22.", out.stdout)
expect_in("the team", "x86_64-linux-gnu       workers: OpenMP (libgomp)\n", out.stdout)
finish()
