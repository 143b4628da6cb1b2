# RUN: %python %s
"""Sources keep few batches in flight where batches are slow; ports that keep some on purpose do not count."""
import itertools
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, expect, finish, sluice, write  # noqa: E402

LENGTH, ROWS, EACH, CHANNELS = 40, 120, 4, 3
trace, metrics = os.path.join(DATA, "trace.jsonl"), os.path.join(DATA, "metrics.json")


def chain(first="", note=""):
    """Each tuple is 160 ms on its way, of which no processor is used."""
    body = ""
    for i in range(1, LENGTH + 1):
        out, into = "Out" if i == LENGTH else f"O{i}", "In" if i == 1 else f"O{i - 1}"
        body += f"stream<int64 n> {out} = Custom({into}) {{ logic onTuple {into} : {{ block(0.004); submit({into}, {out}); }}"
        body += (first if i == 1 else "") + " }\n"
    return f"""composite Chain(output Out; input In) {{ graph {body} }}
      composite Main {{ graph
      stream<int64 n> Made = Beacon() {{ param iterations : {ROWS}u; output Made : n = (int64) IterationCount(); }}
      {note} stream<int64 n> Done = Chain(Made) {{}}
      () as Sink = Custom(Done) {{ logic
      state : mutable int64 c = 0l;
      onTuple Done : {{ {"" if note else "assert(n == c);"} c++; }}
      onPunct Done : println(c); }} }}"""


def flight():
    """The most batches that were on their way when the trace looked; each has one row."""
    with open(trace) as file:
        header, *others = map(json.loads, file)
    names = [node["name"] for node in header["graph"]["nodes"]]
    samples = [line["nodes"]["rows"] for line in others if line["line"] == "sample"]
    made, done = (list(itertools.accumulate(rows[names.index(node)] for rows in samples)) for node in ("Made", "Sink"))
    return max((m - d for m, d in zip(made, done)), default=0)


def run(name, text, *options):
    out = sluice("run", write(name, text), "--boundaries=all", "--queues=all", "--threads=1", "--batch-rows=1", *options)
    expect(f"{name}: end", (out.returncode, out.stdout, out.stderr), (0, f"{ROWS}\n", ""))


# One worker and one source; the rings would take all. What the source is making counts as well.
run("Chain.spl", chain(), "--trace", trace)
expect(f"few are on their way: {flight()}", 1 <= flight() <= 2 * EACH + 1, True)

# Where a batch is dealt to channels there are more of them.
run("Dealt.spl", chain(note=f"@parallel(width={CHANNELS})"), "--trace", trace)
expect(f"more, where they are parts: {flight()}", 2 * EACH + 1 < flight() <= 2 * EACH * CHANNELS + 1, True)

# What a port keeps on purpose holds no source back: it is given more at once than may be in flight.
run("Kept.spl", chain(" config threadedPort : queue(In, Sys.DropFirst, 1000);"), "--metrics-json", metrics)
with open(metrics) as file:
    kept = next(op for op in json.load(file)["operators"] if op["name"] == "Done.O1")["inputs"][0]["queueMax"]
expect(f"most wait where they are to: {kept}", kept > 4 * EACH, True)
finish()
