# REQUIRES: slow
# RUN: %python %s
"""Custom metrics: each operator has its own, with the same values in every mode; a call in a function
is one of the operator that has called the function; MetricsSink; nScans; what fails."""

import glob
import json
import os

from Inputs.support import DATA, FOLDER, MODES, expect, expect_in, finish, sluice, write

ROWS = 400
source = write(
    "Main.spl",
    """stateful boolean make(rstring name) {
  createCustomMetric(name, "tuples", Sys.Counter, 0l);
  return hasCustomMetric(name) && !hasCustomMetric(name + name);
}

stateful void count(rstring name) {
  mutable int64 seen = -1l;
  getCustomMetricValue(name, seen);
  setCustomMetricValue(name, seen + 1l);
}

// Other operators run while it waits.
stateful void countSlowly(rstring name) {
  block(0.00001);
  count(name);
}

composite Main {
  graph
    stream<int64 n> In = Beacon() {
      param  iterations : 400u;
      output In : n = (int64) IterationCount();
    }
    stream<int64 n> Head = Custom(In) {
      logic
        state : boolean made = make("seen") && make("behind");
        onTuple In : {
          count("seen");
          submit(In, Head);
          countSlowly("behind");
          assert(made && getCustomMetricNames() == ["seen", "behind"]);
        }
        onPunct In : if (currentPunct() == Sys.FinalMarker)
          createCustomMetric("late"u, "at the end"u, Sys.Time, -7l);
    }
    stream<int64 n> Middle = Functor(Head) {
      logic
        state : boolean made = make("seen");
        onTuple Head : if (n % 2l == 0l) count("seen");
    }
    @parallel(width = 2)
    stream<int64 n> Wide = Custom(Middle) {
      logic
        state : boolean made = make("seen");
        onTuple Middle : { count("seen"); submit(Middle, Wide); }
    }
    () as Twice = Custom(Head) {
      logic onTuple Head : {
        createCustomMetric("greatest", "a \\"maximum\\"", Sys.Gauge, n);
        mutable int64 most = 0l;
        getCustomMetricValue("greatest"u, most);
        setCustomMetricValue("greatest"u, max(most, n));
      }
    }
    () as Sink = MetricsSink(Head) {
      param metrics       : n, n * 2l, -1l;
    }
    () as Named = MetricsSink(Never) {
      param metrics       : n, n;
            names         : "a" + "b", getSubmissionTimeValue("name", "given");
            descriptions  : "first", "second";
            initialValues : 7l, -8l;
    }
    stream<int64 n> Never = Filter(Head) { param filter : n < 0l; }
}
""",
)
LAST = ROWS - 1
WANTED = {
    "Head": [
        ("seen", "tuples", "Counter", ROWS),
        ("behind", "tuples", "Counter", ROWS),
        ("late", "at the end", "Time", -7),
    ],
    "Middle": [("seen", "tuples", "Counter", ROWS // 2)],
    "Twice": [("greatest", 'a "maximum"', "Gauge", LAST)],
    "Sink": [("n", "", "Gauge", LAST), ("n * 2l", "", "Gauge", 2 * LAST), ("-1l", "", "Gauge", -1)],
    "Named": [("ab", "first", "Gauge", 7), ("given", "second", "Gauge", -8)],
}


def metrics_of(program, *options):
    """Of each operator that has some; and standard error."""
    out = sluice(*program, "--stats", "--metrics-json", "m.json", "--data-dir", DATA, *options)
    expect(f"{options}: exit code", (out.returncode, out.stdout), (0, ""))
    found = {}
    for path in glob.glob(os.path.join(FOLDER, "m*.json")):
        with open(path, encoding="utf-8") as file:
            operators = json.load(file)["operators"]
        os.remove(path)
        for operator in operators:
            all_of_it = [
                (m["name"], m["description"], m["kind"], m["value"]) for m in operator["metrics"]
            ]
            if all_of_it:
                found[operator["name"]] = found.get(operator["name"], []) + all_of_it
    return found, out.stderr


app = os.path.join(FOLDER, "app")
expect("it is built", sluice("build", source, "-o", app).returncode, 0)
everywhere = {
    **MODES,
    "virtual": ["--clock=virtual"],
    "saved": ["--boundaries=all", "--deterministic", "--save-every=3"],
    "three PEs": ["--pes=3"],
}
for mode, options in everywhere.items():
    found, said = metrics_of(["run", source], *options)
    wide = [found.pop(f"Wide[{channel}]") for channel in (0, 1)]
    expect(f"{mode}: channels", sum(metrics[0][3] for metrics in wide), ROWS)
    expect(f"{mode}: metrics", found, WANTED)
    expect_in(f"{mode}: the table", f"metrics of Head: seen {ROWS}, behind {ROWS}, late -7\n", said)
    expect_in(f"{mode}: the table", f"metrics of Middle: seen {ROWS // 2}\n", said)

# Operators that have none say so.
none = "composite None { graph stream<int32 n> In = Beacon() { param iterations : 1; } }\n"
expect("none", metrics_of(["run", write("None.spl", none)])[0], {})

# Operators of the toolkit have some, too.
os.mkdir(os.path.join(DATA, "in"))
scan = write(
    "Scan.spl",
    """composite Scan {
  graph
    stream<rstring f> Files = DirectoryScan() { param directory : "in"; sleepTime : 1.0; }
    () as Stop = Custom() { logic onProcess : { block(2.5); shutdownPE(); } }
}
""",
)
wanted = {"Files": [("nScans", "how often it has looked for files", "Counter", 3)]}
expect("nScans", metrics_of(["run", scan], "--clock=virtual")[0], wanted)

# A metric that is not there: the operator fails, which may be caught.
FAILS = """composite Fails {
  graph
    stream<int64 n> In = Beacon() { param iterations : 2u; }
    () as Make = Custom(In) {
      logic onTuple In : createCustomMetric("m", "", Sys.Gauge, 1l);
    }
    %s
    () as Use = Custom(In) {
      logic onTuple In : { mutable int64 m = 0l; %s; println(m); }
    }
}
"""
for call in ('getCustomMetricValue("m", m)', 'setCustomMetricValue("m", m)'):
    out = sluice("run", write("Fails.spl", FAILS % ("", call)))
    expect(f"{call}: exit code", (out.returncode, out.stdout), (1, ""))
    expect_in(call, "operator Use: the operator has no custom metric 'm'", out.stderr)
    out = sluice("run", write("Fails.spl", FAILS % ("@catch(exception = streams)", call)))
    expect(f"{call} is caught: exit code", (out.returncode, out.stdout), (0, ""))

# So does asking for a port that there is not, or for what is not counted.
for call, says in (
    ("getInputPortMetricValue(7u, Sys.nTuplesProcessed, m)", "no input port 7: the operator has 1"),
    ("getInputPortMetricValue(0u, Sys.recentMaxItemsQueued, m)", "not supported yet: this metric"),
    ("getOutputPortMetricValue(0u, Sys.nTuplesSubmitted, m)", "no output port 0"),
    ("m = isControlInputPort(1u) ? 1l : 0l", "no input port 1: the operator has 1"),
):
    out = sluice("run", write("Fails.spl", FAILS % ("", call)))
    expect(f"{call}: exit code", (out.returncode, out.stdout), (1, ""))
    expect_in(call, says, out.stderr)
    out = sluice("run", write("Fails.spl", FAILS % ("@catch(exception = streams)", call)))
    expect(f"{call} is caught: exit code", (out.returncode, out.stdout), (0, ""))

# What was dropped and what was processed is all.
drops = write(
    "Drops.spl",
    """composite Drops {
  graph
    stream<int64 n> In = Beacon() { param iterations : 3000u; }
    () as Slow = Custom(In) {
      logic
        state : { mutable int64 taken = 0l; mutable int64 dropped = 0l; mutable int64 most = 0l; }
        onTuple In : block(0.001);
        onPunct In : {
          getInputPortMetricValue(0u, Sys.nTuplesProcessed, taken);
          getInputPortMetricValue(0u, Sys.nTuplesDropped, dropped);
          getInputPortMetricValue(0u, Sys.maxItemsQueued, most);
          if (currentPunct() == Sys.FinalMarker)
            println([taken + dropped, dropped > 0l ? 1l : 0l,
                     most > 0l ? 1l : 0l]);
        }
      config threadedPort : queue(In, Sys.DropLast, 2);
    }
}
""",
)
expect("dropped", sluice("run", drops).stdout, "[3000,1,1]\n")
finish()
