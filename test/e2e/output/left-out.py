# REQUIRES: slow
# RUN: %python %s
"""What operators leave out is counted, the same in all modes: a line at the end of the run says
what was not said before, --metrics-json has every counter, and nothing is said where nothing is
lost."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, MODES, TIMEOUT, expect, finish, sluice, write  # noqa: E402

LINE = re.compile(r"^Main: \S+: warning: operator (\w+): (\d+ .*?)(?:;.*)?$")
MOST = {mode: MODES[mode] for mode in ("batched", "deterministic", "chaos")}
WIDE = ["--boundaries=all", "--queues=all", "--threads=4", "--width=4", "--batch-rows=7"]


def counters(file):
    with open(os.path.join(FOLDER, file), encoding="utf-8") as text:
        operators = json.load(text)["operators"]
    return {
        (op["name"], each["name"]): each["count"] for op in operators for each in op["leftOut"]
    }


def run(source, *options):
    """(standard error, counters) of a run."""
    out = sluice("run", source, "-O0", *options, "--metrics-json=m.json", f"--data-dir={DATA}")
    expect(f"{source} {options}: exit code", out.returncode, 0)
    return out.stderr, counters("m.json")


def said(stderr):
    """Operator -> what its line at the end says."""
    return [found.groups() for found in map(LINE.match, stderr.splitlines()) if found]


def check(name, text, wanted, lines, modes=MOST):
    """`wanted`: the counters; `lines`: (operator, text) of the lines at the end."""
    source = write("Main.spl", f"composite Main {{\n  graph\n{text}\n}}\n")
    for mode, options in modes.items():
        stderr, found = run(source, *options)
        expect(f"{name}, {mode}: counters", found, wanted)
        expect(f"{name}, {mode}: lines", said(stderr), lines)
    return source


def numbers(count, output="n = (int32) IterationCount()", schema="int32 n"):
    return f"""
    stream<{schema}> Numbers = Beacon() {{
      param iterations : {count}; output Numbers : {output};
    }}"""


def sink(*streams):
    ports, first = "; ".join(streams), streams[0]
    return f"    () as Out = Custom({ports}) {{ logic onTuple {first} : println({first}); }}"


def aggregate(window, outputs="sum = Sum(n)", params=""):
    return f"""
    stream<int32 n, int32 sum> Totals = Aggregate(Numbers) {{
      window Numbers : {window};
      {params}
      output Totals : {outputs};
    }}"""


# ===--- windows ----------------------------------------------------------------===

def still(count):
    return f"{count} tuple{'s were' if count > 1 else ' was'} still in windows at the end"


def in_windows(name, window, count, params="", head=None, modes=MOST):
    wanted = {("Totals", "inWindows"): count} if count else {}
    lines = [("Totals", still(count))] if count else []
    text = (head or numbers(17)) + aggregate(window, params=params) + "\n" + sink("Totals")
    return check(name, text, wanted, lines, modes)


in_windows("tumbling, count", "tumbling, count(10)", 7)
in_windows("tumbling, nothing left", "tumbling, count(17)", 0)
in_windows("tumbling, delta", "tumbling, delta(n, 15)", 1)
in_windows("tumbling, punct", "tumbling, punct()", 0)  # Beacon ends with a marker
KEYED = "param partitionBy : n % 5;"
in_windows("tumbling, partitioned", "tumbling, count(2), partitioned", 3, KEYED,
           modes=MODES | {"by key": WIDE})
BY_KEY = numbers(1007, "n = (int32) IterationCount() % 10, v = 1", "int32 n, int32 v")
in_windows("tumbling, by key", "tumbling, count(10), partitioned", 1007 - 1000,
           "param partitionBy : n;", BY_KEY, MODES | {"by key": WIDE})
in_windows("sliding, each tuple fires", "sliding, count(3), count(1)", 0)
in_windows("sliding, never full", "sliding, count(30), count(1)", 17)
in_windows("sliding, since the last firing", "sliding, count(4), count(5)", 2)
in_windows("sliding, more than it holds", "sliding, count(1), count(5)", 1)
in_windows("sliding, full but not fired", "sliding, count(16), count(9)", 16)
in_windows("sliding, delta trigger", "sliding, count(4), delta(n, 5)", 4)
in_windows("sliding, incomplete", "sliding, count(30), count(1)", 0,
           "param aggregateIncompleteWindows : true;")

# By time: nothing is left of what a tick has seen.
CLOCK = """
    stream<int32 n> Numbers = Custom() {
      logic onProcess : for (int32 i in range(5)) { submit({n = i}, Numbers); block(1.0); }
    }"""
VIRTUAL = {"virtual": ["--clock=virtual"], "small": ["--clock=virtual", "--batch-rows=1"]}
in_windows("tumbling, time", "tumbling, time(3.5)", 1, head=CLOCK, modes=VIRTUAL)
in_windows("sliding, time", "sliding, time(10.0), time(3.5)", 1, head=CLOCK, modes=VIRTUAL)
in_windows("each fires", "sliding, time(10.0), count(1)", 0, head=CLOCK, modes=VIRTUAL)

SORT = """
    stream<Numbers> Sorted = Sort(Numbers) {
      window Numbers : %s; param sortBy : n;
    }
"""
check("tumbling Sort", numbers(17) + SORT % "tumbling, count(10)" + sink("Sorted"),
      {("Sorted", "inWindows"): 7}, [("Sorted", still(7))])
check("sliding Sort", numbers(17) + SORT % "sliding, count(10)" + sink("Sorted"), {}, [])

EVICTED = "tumbling, count(3), partitioned, partitionCount(2)"
check("evicted partitions", numbers(17) + aggregate(EVICTED, params=KEYED) + "\n" + sink("Totals"),
      {("Totals", "inPartitions"): 15, ("Totals", "inWindows"): 2},
      [("Totals", still(2)), ("Totals", "15 tuples were in partitions that were evicted")])

JOIN = """
    (stream<int32 a> L; stream<int32 b> R) = Custom() {
      logic onProcess : for (int32 i in range(10)) {
        submit({a = i}, L);
        if (i %% 3 == 0) submit({b = i}, R);
      }
    }
    stream<int32 a, int32 b> J = Join(L; R) {
      window L : sliding, count(5); R : sliding, count(5); param match : a == b; %s
    }
"""
check("inner Join", JOIN % "" + sink("J"), {}, [])
check("outer Join", JOIN % "algorithm : leftOuter;" + sink("J"),
      {("J", "inWindows"): 3}, [("J", still(3))])

# ===--- event time -------------------------------------------------------------===

EVENTS = """
    @eventTime(eventTimeAttribute = t, minimumGap = 0.0)
    stream<int32 n, int64 t> Events = Custom() {
      logic onProcess : {
        int64 times = [1000l, 3000l, 5000l, 2500l, 500l, 9000l, 3500l, 12000l, 13000l];
        for (int32 i in range(size(times))) submit({n = i, t = times[i]}, Events);
      }
    }
    stream<int32 n> Totals = Aggregate(Events) {
      window Events : timeInterval, intervalDuration(4.0)%s;
      output Totals : n = Count();
    }
""".replace("int64 times", "list<int64> times")
check("event time", EVENTS % "" + sink("Totals"),
      {("Totals", "inWindows"): 2, ("Totals", "late"): 3},
      [("Totals", still(2)), ("Totals", "3 tuples came too late for a window and were left out")])
check("event time, late firings", EVENTS % ", discardAge(3.0)" + sink("Totals"),
      {("Totals", "inWindows"): 2, ("Totals", "late"): 2, ("Totals", "lateFirings"): 1},
      [("Totals", still(2)), ("Totals", "2 tuples came too late for a window and were left out"),
       ("Totals", "1 pane fired again, as tuples came late")])

# ===--- rows, failures, queues, keys ---------------------------------------------===

with open(os.path.join(DATA, "rows.csv"), "w", encoding="utf-8") as file:
    file.write("1\ntwo\n3\nfour\nfive\n")
for parsing in ("permissive", "fast"):
    source = check(f"bad rows, {parsing}", f"""
    stream<int32 n> Rows = FileSource() {{ param file : "rows.csv"; parsing : {parsing}; }}
""" + sink("Rows"), {("Rows", "badRows"): 3}, [])
    expect(f"bad rows, {parsing}: said once", run(source)[0].count("bad row"), 1)

CATCH = """
    @catch(exception = all)
    stream<int32 n> Risky = Functor(Numbers) { output Risky : n = 1 / (n %% %d); }
"""
source = check("caught failures", numbers(40) + CATCH % 4 + sink("Risky"),
               {("Risky", "caught"): 10}, [("Risky", "10 failures were caught")])
shown = {level: run(source, f"--trace-level={level}")[0].count("(caught)")
         for level in ("off", "error", "warn")}
expect("caught failures that are shown", shown, {"off": 0, "error": 3, "warn": 10})
check("few caught failures", numbers(40) + CATCH % 14 + sink("Risky"), {("Risky", "caught"): 3}, [])

NAN = numbers(10, "n = 1, x = 0.0 / (float64) (IterationCount() % 2ul)",
              "int32 n, float64 x")
in_pairs = aggregate("tumbling, count(2), partitioned", params="param partitionBy : x;")
check("NaN as a key", NAN + in_pairs + "\n" + sink("Totals"),
      {("Totals", "noKey"): 5, ("Totals", "inWindows"): 1},
      [("Totals", still(1)), ("Totals", "5 tuples were left out, as NaN equals no key")])

TWO = """
    (stream<int32 a> L; stream<int32 b> R) = Custom() {
      logic onProcess : { for (int32 i in range(9)) submit({a = i}, L); submit({b = 1}, R); }
    }
"""
check("Barrier", TWO + "    stream<int32 a, int32 b> Both = Barrier(L; R) {}\n" + sink("Both"),
      {("Both", "waiting"): 8},
      [("Both", "8 tuples were left out, as what they waited for never came")])
GATE = """
    stream<int32 a> Passed = Gate(L; R) { param maxUnackedTupleCount : 2u; }
"""
check("Gate", TWO + GATE + sink("Passed"), {("Passed", "waiting"): 6},
      [("Passed", "6 tuples were left out, as what they waited for never came")])

DROPS = """
    stream<int32 n> Slow = Custom(Numbers) {
      logic onTuple Numbers : { block(0.001); submit(Numbers, Slow); }
      config threadedPort : queue(Numbers, Sys.%s, 4);
    }
"""
for policy in ("DropFirst", "DropLast"):
    source = write("Main.spl", "composite Main {\n  graph\n" + numbers(3000) + DROPS % policy
                   + sink("Slow") + "\n}\n")
    out = sluice("run", source, "-O0", "--metrics-json=m.json")
    dropped = 3000 - len(out.stdout.splitlines())
    expect(f"{policy}: some are dropped", dropped > 0, True)
    expect(f"{policy}: counters", counters("m.json"), {("Slow", "dropped"): dropped})
    expect(f"{policy}: lines", said(out.stderr),
           [("Slow", f"{dropped} tuples were dropped, as the queue was full")])

# ===--- where it is said ---------------------------------------------------------===

REGION = numbers(17) + "\n    @parallel(width = 3)" + aggregate("tumbling, count(4)")
REGION += "\n" + sink("Totals")
source = write("Main.spl", f"composite Main {{\n  graph\n{REGION}\n}}\n")
stderr, found = run(source)
expect("channels have counters of their own", list(found.values()), [2, 2, 1])
expect("which have their names", {name for name, _ in found},
       {"Totals[0]", "Totals[1]", "Totals[2]"})
expect("channels are counted together", said(stderr), [("Totals", still(5))])
expect("--trace-level=off hides the lines", run(source, "--trace-level=off")[0], "")
stderr = run(source, "--stats")[0]
expect("--stats has them in its table", re.findall(r"^(Totals.*): (.*?);", stderr, re.M),
       [("Totals[0]", still(2)), ("Totals[1]", still(2)), ("Totals[2]", still(1))])

# Each PE names its own operators.
APART = numbers(17) + aggregate("tumbling, count(10)") + """
    stream<Numbers> Sorted = Sort(Numbers) {
      window Numbers : tumbling, count(5); param sortBy : n;
    }
""" + sink("Totals", "Sorted")
source = write("Main.spl", f"composite Main {{\n  graph\n{APART}\n}}\n")
for options in ([], ["--pes=2"], ["--pes=all"]):
    out = sluice("run", source, "-O0", *options)
    expect(f"processes, {options}", (sorted(said(out.stderr)), out.returncode),
           ([("Sorted", still(2)), ("Totals", still(7))], 0))

# Executables say the same.
program = os.path.join(FOLDER, "program")
expect("build", sluice("build", source, "-o", program).returncode, 0)
out = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT, cwd=FOLDER)
expect("executable", sorted(said(out.stderr)), [("Sorted", still(2)), ("Totals", still(7))])

closing = [program, "--close-windows"]
out = subprocess.run(closing, capture_output=True, text=True, timeout=TIMEOUT, cwd=FOLDER)
expect("advice to an executable", (out.returncode, "give it to `sluice build`" in out.stderr),
       (2, True))

# What a program has failed to do is not what it left out.
FAILS = numbers(17) + """
    stream<int32 n> Risky = Functor(Numbers) { output Risky : n = 1 / (n - 15); }
    stream<int32 n, int32 sum> Totals = Aggregate(Risky) {
      window Risky : tumbling, count(10); output Totals : sum = Sum(n);
    }
""" + sink("Totals")
out = sluice("run", write("Main.spl", f"composite Main {{\n  graph\n{FAILS}\n}}\n"))
expect("after a failure", (said(out.stderr), out.returncode), ([], 1))
finish()
