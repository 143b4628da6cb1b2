# REQUIRES: slow
# RUN: %python %s
"""--stats and --metrics-json: counts are exact in every mode, what is not known is null,
and the report is there after a failure and a signal, too."""

import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

ROWS = 20000
PROGRAM = """
composite Main {
  param expression<int64> $bad : (int64) getSubmissionTimeValue("bad", "-1");
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 20000u;
      output Numbers : n = (int64) IterationCount();
    }
    stream<int64 n> Twice = Functor(Numbers) { output Twice : n = n * 2l; }
    stream<int64 n> Thirds = Filter(Twice) { param filter : n % 3l == 0l; }
    stream<int64 n> Inverse = Custom(Thirds) {
      logic onTuple Thirds : submit({n = 1000l / (n - $bad)}, Inverse);
    }
    stream<int64 n> Both = Custom(Twice; Inverse) {
      logic
        onTuple Twice : submit({n = n}, Both);
        onTuple Inverse : submit({n = n}, Both);
    }
    () as Count = Custom(Both) {
      logic
        state : mutable int64 c = 0l;
        onTuple Both : c += n;
        onPunct Both : println(c);
    }
}
"""
THIRDS = sum(1 for n in range(ROWS) if 2 * n % 3 == 0)
OUT = {
    "Numbers": ROWS,
    "Twice": ROWS,
    "Thirds": THIRDS,
    "Inverse": THIRDS,
    "Both": ROWS + THIRDS,
    "Count": 0,
}
IN = {
    "Numbers": 0,
    "Twice": ROWS,
    "Thirds": ROWS,
    "Inverse": THIRDS,
    "Both": ROWS + THIRDS,
    "Count": ROWS + THIRDS,
}
TOP = {
    "version",
    "program",
    "exitCode",
    "wallSeconds",
    "cyclesPerSecond",
    "pe",
    "links",
    "sourceTuples",
    "sourceTuplesPerSecond",
    "operators",
    "sources",
    "workers",
    "latency",
}
# Each tuple waits on its way, and then for the one before it: 20 ms each.
SLOW = """
composite Main {
  graph
    stream<int64 n> Numbers = Beacon() { param iterations : 10u; period : 0.001; }
    stream<int64 n> Slow = Custom(Numbers) {
      logic onTuple Numbers : {
        block(0.02);
        submit({n = n}, Slow);
      }
    }
    () as Sink = Custom(Slow) {
      logic
        state : mutable int64 c = 0l;
        onTuple Slow : c++;
    }
}
"""
OPERATOR = {
    "leftOut",
    "name",
    "kind",
    "part",
    "segmentOf",
    "tuplesIn",
    "tuplesOut",
    "tuplesPerSecond",
    "cycles",
    "cyclesEstimated",
    "cyclesPerTuple",
    "timeShare",
    "inputs",
    "outputs",
    "metrics",
}
INPUT = {
    "tuples",
    "derived",
    "boundary",
    "batches",
    "timedBatches",
    "cycles",
    "direct",
    "queued",
    "queuedBytes",
    "blockedSeconds",
    "waitedSeconds",
    "dropped",
    "queueMax",
    "queueDepth",
}
FUSED = {"tuples", "derived", "boundary"}
WORKER = {
    "busySeconds",
    "idleSeconds",
    "parkedSeconds",
    "blockedSeconds",
    "waitedSeconds",
    "batches",
    "entries",
    "steals",
}
MODES = {
    "batched": ["--elastic=off"],
    "one row a batch": ["--batch-rows", "1"],
    "deterministic": ["--deterministic"],
    "queued": ["--queues", "all"],
    "chaos 1": ["--chaos", "1"],
    "chaos 2": ["--chaos", "2", "--batch-rows", "3"],
    "one worker": ["--queues", "all", "--threads", "1"],
}
source = write("Main.spl", PROGRAM)
file = os.path.join(FOLDER, "metrics.json")


def check_keys(what, metrics):
    expect(what + ": keys", set(metrics), TOP)
    expect(what + ": version", metrics["version"], 1)
    for operator in metrics["operators"]:
        expect(what + ": keys of an operator", set(operator), OPERATOR)
        for port in operator["inputs"]:
            expect(
                what + ": keys of an input",
                set(port),
                FUSED if port["boundary"] == "fused" else INPUT,
            )
        for port in operator["outputs"]:
            expect(what + ": keys of an output", set(port), {"tuples", "derived", "marks"})
    for worker in metrics["workers"]:
        expect(what + ": keys of a worker", set(worker), WORKER)
    expect(
        what + ": sources", [set(s) for s in metrics["sources"]], [{"operator", "waitedSeconds"}]
    )


def run(what, *options, code=0):
    if os.path.exists(file):
        os.remove(file)
    out = sluice("run", source, "--data-dir", DATA, "--stats", "--metrics-json", file, *options)
    expect(what + ": exit code", out.returncode, code)
    with open(file) as text:
        metrics = json.load(text)
    check_keys(what, metrics)
    expect(what + ": exit code in the file", metrics["exitCode"], code)
    return metrics, out.stderr


def check_table(what, table, metrics):
    """The table says what the file says."""
    for operator in metrics["operators"]:
        line = next(
            (
                line
                for line in table.splitlines()
                if line.startswith((operator["name"] + " ", "  " + operator["name"] + " "))
            ),
            "",
        )
        words = line.split()
        wanted = [
            operator[key]
            for key, ports in (("tuplesIn", "inputs"), ("tuplesOut", "outputs"))
            if operator[ports]
        ]
        expect(
            f"{what}: {operator['name']} in the table",
            words[1 : 1 + len(wanted)],
            ["-" if w is None else str(w) for w in wanted],
        )
    expect_in(what + ": total", "total: ", table)
    expect_in(what + ": workers", "workers: ", table)
    expect(
        what + ": latency",
        "latency: 50 % of the tuples within " in table,
        metrics["latency"]["tuples"] > 0,
    )


def check_latency(what, metrics, tuples, least=0.0):
    latency = metrics["latency"]
    expect(
        what + ": latency",
        (
            latency["tuples"] >= tuples,
            least <= latency["p50Seconds"] <= latency["p90Seconds"] <= latency["p99Seconds"],
        ),
        (True, True),
    )


def check_queues(what, metrics):
    """What was queued was run, and what was handed on was either queued or run at once."""
    ports = [
        port
        for operator in metrics["operators"]
        for port in operator["inputs"]
        if port["boundary"] != "fused"
    ]
    for port in ports:
        expect(what + ": batches", port["batches"], port["direct"] + port["queued"])
        expect(what + ": nothing is left in a queue", port["queueDepth"], 0)
        expect(
            what + ": queue high-water mark",
            (port["queueMax"] > 0, port["queuedBytes"] > 0),
            (port["queued"] > 0,) * 2,
        )
        expect(what + ": timed batches", 0 < port["timedBatches"] <= port["batches"], True)
    return sum(port["queued"] for port in ports)


# --- every port has counters: all counts are exact ---
for mode, options in MODES.items():
    metrics, table = run(mode, "--boundaries=all", *options)
    operators = {o["name"]: o for o in metrics["operators"]}
    expect(mode + ": tuples in", {name: o["tuplesIn"] for name, o in operators.items()}, IN)
    expect(mode + ": tuples out", {name: o["tuplesOut"] for name, o in operators.items()}, OUT)
    expect(mode + ": by port", [p["tuples"] for p in operators["Both"]["inputs"]], [ROWS, THIRDS])
    expect(mode + ": source tuples", metrics["sourceTuples"], ROWS)
    expect(mode + ": shares", round(sum(o["timeShare"] for o in operators.values()), 3), 1.0)
    check_table(mode, table, metrics)
    # Streams that meet are calls of one segment: the tuples that come to it count.
    check_latency(mode, metrics, ROWS)
    queued = check_queues(mode, metrics)
    if "--queues" in options:
        expect(mode + ": batches are queued", queued > 0, True)
    if mode in ("batched", "deterministic"):
        expect(mode + ": nothing is queued", queued, 0)

# --- as few boundaries as possible: exact or null ---
for mode, options in MODES.items():
    what = mode + ", fused"
    metrics, table = run(what, "--boundaries=none", *options)
    for operator in metrics["operators"]:
        for key, wanted in (("tuplesIn", IN), ("tuplesOut", OUT)):
            if operator[key] is not None:
                expect(f"{what}: {operator['name']} {key}", operator[key], wanted[operator["name"]])
        if operator["name"] in ("Numbers", "Twice"):  # a source counts, a Functor passes on
            expect(f"{what}: {operator['name']} tuplesOut", operator["tuplesOut"], ROWS)
    check_table(what, table, metrics)

# --- sources whose stream is a call ---
calls = write(
    "Calls.spl",
    """composite Calls {
  graph
    stream<int64 n> Loop = Custom() {
      logic onProcess : { for (int32 i in range(777)) if (i % 7 != 0) submit({n = (int64) i}, Loop); }
    }
    stream<int64 n> Beat = Beacon() { param iterations : 1000u; output Beat : n = (int64) IterationCount(); }
    () as A = Custom(Loop) { logic state : mutable int64 s = 0l; onTuple Loop : s += n; onPunct Loop : println(s); }
    () as B = Custom(Beat) { logic state : mutable int64 s = 0l; onTuple Beat : s += n; onPunct Beat : println(s); }
}
""",
)
for mode, options in MODES.items():
    out = sluice(
        "run", calls, "--data-dir", DATA, "--metrics-json", file, "--boundaries=none", *options
    )
    expect(mode + ", sources: exit code", (out.returncode, out.stderr), (0, ""))
    with open(file) as text:
        operators = {o["name"]: o for o in json.load(text)["operators"]}
    expect(mode + ", sources: called", operators["A"]["inputs"][0]["boundary"], "fused")
    expect(
        mode + ", sources",
        [operators[name]["tuplesOut"] for name in ("Loop", "Beat")],
        [sum(1 for i in range(777) if i % 7), 1000],
    )
    expect(
        mode + ", sources: what they call",
        [operators[name]["tuplesIn"] for name in ("A", "B")],
        [operators["Loop"]["tuplesOut"], 1000],
    )

# --- after a failure and a signal ---
for options in (["--boundaries=all"], ["--boundaries=none"]):
    metrics, table = run("failing", *options, "bad=600", code=1)
    expect_in("failing: the message", "division by zero", table)
    check_table("failing", table, metrics)
    for operator in metrics["operators"]:
        for key, wanted in (("tuplesIn", IN), ("tuplesOut", OUT)):
            if operator[key] is not None:
                expect(
                    f"failing: {operator['name']} {key}",
                    operator[key] <= wanted[operator["name"]],
                    True,
                )

endless = write(
    "Endless.spl",
    """composite Endless {
  graph
    stream<int64 n> Numbers = Beacon() { param period : 0.001; output Numbers : n = (int64) IterationCount(); }
    () as Out = FileSink(Numbers) { param file : "out.csv"; flush : 1u; }
}
""",
)
written = os.path.join(DATA, "out.csv")
process = subprocess.Popen(
    ["sluice", "run", endless, "--data-dir", DATA, "--stats", "--metrics-json", file],
    stderr=subprocess.PIPE,
    text=True,
)
while process.poll() is None and not (os.path.exists(written) and os.path.getsize(written)):
    time.sleep(0.01)
process.send_signal(signal.SIGINT)
_, table = process.communicate(timeout=TIMEOUT)
expect("SIGINT: exit code", process.returncode, 0)
expect("SIGINT: table", bool(re.search(r"^Numbers .*^total: ", table, re.M | re.S)), True)
with open(file) as text, open(written) as rows:
    metrics = json.load(text)
    lines = len(rows.readlines())
for operator in metrics["operators"]:
    for key in ("tuplesIn", "tuplesOut"):
        if operator[key]:
            expect(f"SIGINT: {operator['name']} {key}", operator[key], lines)

# --- wrong usage ---
for path in (os.path.join(FOLDER, "nowhere", "metrics.json"), FOLDER):
    out = sluice("run", source, "--data-dir", DATA, "--metrics-json", path)
    expect("a bad path: exit code", out.returncode, 1)
    expect_in("a bad path", "error: --metrics-json: cannot write " + path, out.stderr)
with open("/dev/full", "w"):
    out = sluice("run", source, "--data-dir", DATA, "--metrics-json", "/dev/full")
    expect("a full disk: exit code", out.returncode, 1)
    expect_in("a full disk", "--metrics-json: cannot write /dev/full: No space left", out.stderr)
expect("no file", sluice("run", source, "--data-dir", DATA, "--metrics-json=").returncode, 2)
# --- a source hands on what it makes in five milliseconds: the first batch is full, those after it
# are not ---
source = write(
    "Paced.spl",
    SLOW.replace("block(0.02)", "block(0.0005)").replace(
        "iterations : 10u; period : 0.001;", "iterations : 2000u;"
    ),
)
metrics, _ = run("paced", "--boundaries=all", "--elastic=off")
batches = [o["inputs"][0]["batches"] for o in metrics["operators"] if o["name"] == "Slow"]
expect(f"paced: {batches} batches", batches[0] >= 20, True)

# --- what is dealt brings each channel some rows at once, also where they bring payload ---
source = write(
    "Dealt.spl",
    """
composite Main {
  graph
    stream<uint64 n, list<uint64> more> In = Beacon() { param iterations : 1000000u; output In : n = IterationCount(), more = makeSequence(IterationCount(), 20); }
    @parallel(width = 64)
    stream<In> Out = Custom(In) { logic onTuple In : if (n < 2000000ul) submit(In, Out); }
    () as Sink = Custom(Out) { logic onTuple Out : if (n == 999999ul) printStringLn("last"); }
}
""",
)
metrics, _ = run("dealt", "--elastic=off")
batches = sum(
    o["inputs"][0]["batches"] for o in metrics["operators"] if o["name"].startswith("Out[")
)
expect(f"dealt: {batches} batches", batches < 1000000 / 5, True)

# --- ways of 20 ms and more ---
source = write("Slow.spl", SLOW)
for mode, options in {
    "called": ["--elastic=off"],
    "queued": ["--queues", "all"],
    "deterministic": ["--deterministic"],
}.items():
    metrics, _ = run("slow, " + mode, "--boundaries=all", *options)
    check_latency("slow, " + mode, metrics, 10, 0.02)

finish()
