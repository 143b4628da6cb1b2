# RUN: %python %s
"""config threadedPort and @threading: queues, threads, and what is dropped."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, expect, expect_in, finish, sluice, write  # noqa: E402

COUNT = 2000


def run(policy, size, *options, seconds=0.2):
    """The numbers that came through a port whose consumer takes so many seconds for the first
    one, and what its counters say."""
    program = write(
        f"{policy}{size}.spl",
        f"""composite {policy}{size} {{
  graph
    stream<int64 n> Numbers = Beacon() {{
      param iterations : {COUNT}u;
      output Numbers : n = (int64) IterationCount();
    }}
    stream<rstring text> Slow = Custom(Numbers) {{
      logic onTuple Numbers : {{
              if (n == 0l)
                block({seconds});
              submit({{text = (rstring) n}}, Slow);
            }}
            onPunct Numbers : submit({{text = (rstring) currentPunct()}}, Slow);
      config threadedPort : queue(Numbers, Sys.{policy}, {size});
    }}
    () as Sink = FileSink(Slow) {{ param file : "{policy}{size}.txt"; format : line; }}
}}
""",
    )
    metrics = os.path.join(DATA, "metrics.json")
    out = sluice("run", program, "--data-dir", DATA, f"--metrics-json={metrics}", *options)
    expect(f"{policy}: exit code", out.returncode, 0)
    with open(os.path.join(DATA, f"{policy}{size}.txt"), encoding="ascii") as file:
        lines = file.read().splitlines()
    with open(metrics, encoding="ascii") as file:
        slow = next(op for op in json.load(file)["operators"] if op["name"] == "Slow")
    dropped = slow["inputs"][0]["dropped"]
    were = "tuples were" if dropped > 1 else "tuple was"
    said = f"operator Slow: {dropped} {were} dropped" if dropped else ""
    expect(f"{policy}: messages", out.stderr.count("\n"), 1 if dropped else 0)
    expect_in(f"{policy}: what was dropped", said, out.stderr)
    expect(f"{policy}: the Final comes last", lines[-1], "FinalMarker")
    return [int(line) for line in lines if line.isdigit()], slow["inputs"][0]


def drops(policy, size):
    """The same, with a consumer that is slow enough for this machine to drop something."""
    for seconds in (0.2, 2.0, 20.0):
        numbers, port = run(policy, size, seconds=seconds)
        if port["dropped"]:
            break
    expect(f"{policy}: some are dropped", port["dropped"] > 0, True)
    expect(f"{policy}: in order", numbers == sorted(numbers), True)
    expect(f"{policy}: all are accounted for", port["dropped"] + len(numbers), COUNT)
    return numbers


for boundaries in ["none", "all"]:
    numbers, port = run("Wait", 7, "--boundaries=" + boundaries)
    expect("Wait: nothing is lost or reordered", numbers == list(range(COUNT)), True)
    expect("Wait: boundary", port["boundary"], "queue")
    expect("Wait: batches that wait", port["queueMax"] <= 7, True)
    expect("Wait: dropped", port["dropped"], 0)

expect("DropLast: the first ones come", drops("DropLast", 10)[:10], list(range(10)))
expect(
    "DropFirst: the last ones come", drops("DropFirst", 10)[-10:], list(range(COUNT - 10, COUNT))
)

numbers, _ = run("DropFirst", 10, "--deterministic")
expect("deterministic: nothing is too fast", numbers == list(range(COUNT)), True)

models = write(
    "Models.spl",
    """@threading(model = dynamic, threads = 3, elastic = false)
composite Pool(output Out; input In) {
  graph
    stream<int64 n> Out = Custom(In) { logic onTuple In : submit({n = n + 1l}, Out); }
}
composite Own(output Out; input In) {
  graph
    stream<int64 n> A = Custom(In) { logic onTuple In : submit({n = n * 2l}, A); }
    stream<int64 n> Out = Custom(A) { logic onTuple A : submit({n = n + 1l}, Out); }
}
composite Models {
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 1000u;
      output Numbers : n = (int64) IterationCount();
    }
    stream<int64 n> Pooled = Pool(Numbers) {}
    @threading(model = dedicated)
    stream<int64 n> Owned = Own(Pooled) {}
    @threading(model = manual)
    stream<int64 n> Called = Own(Owned) {}
    () as Sink = Custom(Called) {
      logic state : mutable int64 sum = 0l;
            onTuple Called : sum += n;
            onPunct Called : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) sum);
    }
}
""",
)
for options in [
    [],
    ["--deterministic"],
    ["--boundaries=all", "--queues=all"],
    ["--boundaries=all", "--chaos=3"],
]:
    out = sluice("run", models, *options)
    expect(f"models {options}: sum", out.stdout, "2005000\n")
    expect(f"models {options}: exit code", out.returncode, 0)
out = sluice("run", models, "--stats", "--boundaries=all")
expect_in("three in the pool and one for each dedicated port", "workers: 5,", out.stderr)
out = sluice("run", models, "--stats", "--threads=1")
expect_in("--threads is about the pool", "workers: 3,", out.stderr)
out = sluice("explain", models)
for line in ["queue (@threading(model = dynamic))", "queue (@threading(model = dedicated))"]:
    expect_in("explain", line, out.stdout)
finish()
