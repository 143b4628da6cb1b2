"""Writes programs of a given number of lines, as people write them: types, functions, and composites
with operators that compute, keep state and aggregate. All parts differ. Measures how long the
compiler takes for them."""

import os
import resource
import statistics
import subprocess
import time

from programs import call
from timing import say

LINES = (2000, 10000)

# One part, for number {i}; {c} and {d} are small constants that differ from part to part.
PARTS = (
    """
type Reading{i} = tuple<rstring sensor, float64 value, int32 count>;

// The value of a reading in the unit of sensor {i}.
float64 scaled{i}(float64 value, int32 count) {{
  mutable float64 result = value * {c}.5;
  for (int32 k in range(count % {d})) {{
    if (k % 2 == 0) result += (float64) k / 4.0;
    else result -= 0.25;
  }}
  return result > 1000.0 ? result - {c}.0 : result;
}}

composite Scale{i}(output Out; input In) {{
  param expression<float64> $limit : {c}.25;
  graph
    stream<Reading{i}> Read = Functor(In) {{
      output Read : sensor = "sensor{i}-" + (rstring) (id % {d}l), value = scaled{i}(amount, (int32) id),
                    count = (int32) id;
    }}
    stream<Reading{i}> Kept = Filter(Read) {{
      param filter : value > $limit && count % {c} != 1;
    }}
    stream<Item> Out = Functor(Kept) {{
      output Out : id = (int64) count, name = sensor, amount = value;
    }}
}}
""",
    """
// What is known of a name so far.
type Total{i} = tuple<int32 seen, float64 sum, list<float64> last>;

Total{i} updated{i}(Total{i} before, float64 amount) {{
  mutable Total{i} after = before;
  after.seen++;
  after.sum += amount;
  appendM(after.last, amount);
  if (size(after.last) > {d}) removeM(after.last, 0);
  return after;
}}

composite Totals{i}(output Out; input In) {{
  graph
    stream<Item> Out = Custom(In) {{
      logic
        state : {{
          mutable map<rstring, Total{i}> totals = {{}};
          mutable int64 tuples = 0l;
        }}
        onTuple In : {{
          tuples++;
          if (!(name in totals)) totals[name] = {{seen = 0, sum = 0.0, last = (list<float64>) []}};
          totals[name] = updated{i}(totals[name], amount);
          float64 mean = totals[name].sum / (float64) totals[name].seen;
          if (amount > mean * 1.{c} || tuples % {d}l == 0l)
            submit({{id = id, name = name + "/{i}", amount = mean}}, Out);
        }}
        onPunct In : if (currentPunct() == Sys.WindowMarker) submit(Sys.WindowMarker, Out);
    }}
}}
""",
    """
// Names are cut and put together anew.
rstring label{i}(rstring name, int32 part) {{
  list<rstring> words = tokenize(name, "-/", false);
  mutable rstring result = "";
  for (rstring word in words) {{
    if (length(word) > {d}) result += substring(word, 0, {d});
    else result += upper(word);
    result += ".";
  }}
  return result + (rstring) (part % {c} + {i});
}}

composite Labels{i}(output Out; input In) {{
  graph
    (stream<Item> Low; stream<Item> High) as Parts = Split(In) {{
      param index : amount < {c}0.0 ? 0u : 1u;
    }}
    stream<Item> Named = Functor(Low) {{
      param  filter : findFirst(name, "{d}", 0) < {c};
      output Named : name = label{i}(name, (int32) id), amount = amount + 0.{d};
    }}
    stream<Item> Out = Functor(High, Named) {{
      output Out : id = id + {c}l;
    }}
}}
""",
    """
composite Windows{i}(output Out; input In) {{
  type
    Sum{i} = rstring name, float64 total, float64 most, int32 tuples;
  graph
    stream<Sum{i}> Sums = Aggregate(In) {{
      window In : tumbling, count({c}{d}), partitioned;
      param  partitionBy : name;
      output Sums : total = Sum(amount), most = Max(amount), tuples = Count();
    }}
    stream<Item> Out = Custom(Sums) {{
      logic
        state : mutable float64 highest = 0.0;
        onTuple Sums : {{
          if (most > highest) highest = most;
          // The share of the highest value.
          float64 share = highest > 0.0 ? total / highest : 0.0;
          submit({{id = (int64) tuples, name = name, amount = share * {c}.0}}, Out);
        }}
    }}
}}
""",
)
NAMES = ("Scale", "Totals", "Labels", "Windows")
CHAIN = 12  # composites behind each other


def program(lines):
    """The text of a program of at least `lines` lines, and at most a part more."""
    parts = ["type Item = tuple<int64 id, rstring name, float64 amount>;\n"]
    uses = []
    count = i = 0
    while count < lines:
        kind = i % len(PARTS)
        text = PARTS[kind].format(i=i, c=i % 7 + 2, d=i % 5 + 3)
        source = "Source" if i % CHAIN == 0 else f"S{i - 1}"
        use = f"    stream<Item> S{i} = {NAMES[kind]}{i}({source}) {{ }}\n"
        parts.append(text)
        uses.append(use)
        count += text.count("\n") + 1
        i += 1
    ends = [k for k in range(i) if k % CHAIN == CHAIN - 1 or k == i - 1]
    main = "".join(uses)
    streams = ", ".join(f"S{k}" for k in ends)
    parts.append(f"""
composite Main {{
  graph
    stream<Item> Source = Beacon() {{
      param  iterations : 1000u;
      output Source : id = (int64) IterationCount(), name = "n" + (rstring) (IterationCount() % 10ul),
                      amount = (float64) IterationCount() * 0.5;
    }}
{main}
    () as Sink = Custom({streams} as In) {{
      logic state : mutable int64 tuples = 0l;
            onTuple In : tuples++;
            onPunct In : if (currentPunct() == Sys.FinalMarker) println(tuples);
    }}
}}
""")
    return "".join(parts)


def timed(command, what):
    """Seconds and processor seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    call(command, what, stdout=subprocess.DEVNULL)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def medians(command, what, runs):
    samples = [timed(command, what) for _ in range(runs)]
    return {
        "seconds": statistics.median(wall for wall, _ in samples),
        "cpu_seconds": statistics.median(cpu for _, cpu in samples),
        "samples": samples,
    }


def measure(programs, runs, build_runs):
    """What `sluice check` and `sluice build` take for programs of LINES lines."""
    entries = []
    for lines in LINES:
        # In a folder of its own: the compiler looks into the neighbours of a file.
        folder = programs.path(f"large-{lines}")
        os.makedirs(folder, exist_ok=True)
        source = os.path.join(folder, "Large.spl")
        text = program(lines)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        say(f"compile: {lines} lines")
        build = [programs.driver, "build", source, "-o", os.path.join(folder, "large")]
        entries.append(
            {
                "lines": text.count("\n"),
                "check": medians([programs.driver, "check", source], "checking", runs),
                "build": medians(build, "compiling", build_runs),
                "build_native": medians([*build, "--cpu=native"], "compiling", build_runs),
            }
        )
    return entries
