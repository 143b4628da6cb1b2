# RUN: %python %s
"""Waits that are part of the work: who is charged, in --stats, --metrics-json and traces; and how many
workers a program gets that may wait."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, expect, expect_in, finish, sluice, write  # noqa: E402

PROGRAM = write(
    "Stages.spl",
    """composite Stages {
  graph
    stream<int32 n> Read = Custom() {
      logic onProcess : {
        mutable int32 i = 0;
        while (i < 20) {
          block(0.002);
          submit({n = i++}, Read);
        }
      }
    }
    stream<int32 n> Pass = Custom(Read) {
      logic
        state : mutable int32 last = 0;
        onTuple Read : { if (n < last) abort(); last = n; submit(Read, Pass); }
    }
    stream<int32 n> Write = Custom(Pass) {
      logic
        state : mutable int32 last = 0;
        onTuple Pass : { block(0.003); last = n; submit({n = last}, Write); }
    }
    () as Sink = Custom(Write) {
      logic
        state : mutable int32 sum = 0;
        onTuple Write : sum += n;
        onPunct Write : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) sum);
    }
}
""",
)
# Waits for its time, for its data and at its pace: no work.
IDLE = write(
    "Idle.spl",
    """composite Idle {
  graph
    stream<int32 n> Ticks = Beacon() { param iterations : 20u; }
    stream<int32 n> Slow = Throttle(Ticks) { param rate : 500.0; }
    () as Sink = Custom(Slow) {
      logic
        state : mutable int32 sum = 0;
        onTuple Slow : sum++;
        onPunct Slow : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) sum);
    }
}
""",
)
FILE = os.path.join(DATA, "metrics.json")
TRACE = os.path.join(DATA, "trace.jsonl")
CPUS = len(os.sched_getaffinity(0))


def run(program, *options):
    """What it waited for by operator, as the metrics say; the header and samples of its trace."""
    for path in (FILE, TRACE):
        if os.path.exists(path):
            os.remove(path)
    out = sluice("run", program, "--metrics-json", FILE, "--trace", TRACE, "--stats", *options)
    expect(f"{options}: exit code", out.returncode, 0)
    with open(FILE, encoding="utf-8") as file:
        metrics = json.load(file)
    with open(TRACE, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    waited = {
        operator["name"]: sum(port.get("waitedSeconds", 0) for port in operator["inputs"])
        for operator in metrics["operators"]
    }
    return out, waited, lines[0], [line for line in lines if line["line"] == "sample"]


for profiler in ("cycles", "sampling"):
    for queues in ("all", "none"):
        what = f"{profiler}, {queues}"
        out, waited, header, samples = run(
            PROGRAM, "--boundaries=all", f"--queues={queues}", f"--profiler={profiler}"
        )
        expect(what + ": result", out.stdout, "190\n")
        # Sleeping takes at least as long as asked for.
        expect(what + ": Write", waited["Write"] >= 0.06, True)
        expect(what + ": others", (waited["Pass"], waited["Sink"]), (0, 0))
        expect_in(what + ": the line of --stats", "\nwaits: Read ", out.stderr)
        expect_in(what + ": the line of --stats", ", Write ", out.stderr)
        names = [node["name"] for node in header["graph"]["nodes"]]
        for sample in samples:
            of = dict(zip(names, sample["nodes"].get("waited", [0] * len(names))))
            expect(what + ": nobody else in the trace", (of["Pass"], of["Sink"]), (0, 0))

# Read is a source; of the domains behind boundaries Write may wait.
for options, wanted in (([], CPUS + 1), (["--threads=2"], 2), (["--threads=1"], 1)):
    header = run(PROGRAM, "--boundaries=all", "--elastic=off", *options)[2]
    expect(f"{options}: workers", header["machine"]["maxThreads"], wanted)

out, waited, header, samples = run(IDLE, "--boundaries=all", "--queues=all")
expect("no waits of the work", (set(waited.values()), "waits:" in out.stderr), ({0}, False))
expect("as many workers as processors", header["machine"]["maxThreads"], CPUS)
finish()
