# REQUIRES: slow
# RUN: %python %s
"""Sources keep few batches in flight where batches are slow; ports that keep some on purpose do not
count."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, expect, finish, sluice, write  # noqa: E402

LENGTH, ROWS, EACH = 40, 120, 4
trace, metrics = os.path.join(DATA, "trace.jsonl"), os.path.join(DATA, "metrics.json")


def chain(first=""):
    """Each tuple is 80 ms on its way, of which no processor is used."""
    text = f"""composite Main {{ graph
      stream<int64 n> O0 = Beacon() {{ param iterations : {ROWS}u; output O0 : n = (int64) IterationCount(); }}\n"""
    for i in range(1, LENGTH + 1):
        text += (
            f"stream<int64 n> O{i} = Custom(O{i - 1}) {{ logic onTuple O{i - 1} : {{ block(0.002);"
            f" submit(O{i - 1}, O{i}); }}"
        )
        text += (first if i == 1 else "") + " }\n"
    return text + f"""() as Sink = Custom(O{LENGTH}) {{ logic
      state : mutable int64 c = 0l;
      onTuple O{LENGTH} : {{ assert(n == c); c++; }}
      onPunct O{LENGTH} : println(c); }} }}"""


def run(name, text, *options):
    out = sluice(
        "run",
        write(name, text),
        "--boundaries=all",
        "--queues=all",
        "--threads=1",
        "--batch-rows=1",
        *options,
    )
    expect(f"{name}: end", (out.returncode, out.stdout, out.stderr), (0, f"{ROWS}\n", ""))


def traced(name, text):
    """How many batches sources let be in flight for each thread, as the policy is told, and the
    samples."""
    run(name, text, "--trace", trace)
    with open(trace) as file:
        header, *others = map(json.loads, file)
    return header["machine"]["inFlight"], [line for line in others if line["line"] == "sample"]


# One worker and one source; the rings would take all. Who waits in a handler is replaced, so what
# is in flight may all be worked at.
each, samples = traced("Chain.spl", chain())
waiting = [sum(sample["nodes"].get("depth", [0])) for sample in samples]
expect("in flight for each thread", each, EACH)
expect(f"few wait: {waiting}", bool(waiting) and max(waiting) <= 2 * EACH, True)

# A batch that is dealt to channels is as many.
each, _ = traced(
    "Dealt.spl",
    f"""composite Main {{ graph
      stream<int64 n> O0 = Beacon() {{ param iterations : {ROWS}u; output O0 : n = (int64) IterationCount(); }}
      @parallel(width = 3) stream<int64 n> O1 = Functor(O0) {{}}
      () as Sink = Custom(O1) {{ logic
      state : mutable int64 c = 0l;
      onTuple O1 : c++;
      onPunct O1 : if (currentPunct() == Sys.FinalMarker) println(c); }} }}""",
)
expect("in flight for each thread, dealt to three channels", each, 3 * EACH)

# What a port keeps on purpose holds no source back: it is given more at once than may be in flight.
run(
    "Kept.spl",
    chain(" config threadedPort : queue(O0, Sys.DropFirst, 1000);"),
    "--metrics-json",
    metrics,
)
with open(metrics) as file:
    kept = next(op for op in json.load(file)["operators"] if op["name"] == "O1")["inputs"][0][
        "queueMax"
    ]
expect(f"most wait where they are to: {kept}", kept > 4 * EACH, True)
finish()
