# REQUIRES: slow
# RUN: %python %s
"""A program goes on with other widths of its @parallel regions: keyed state is dealt out anew, what
cannot be is refused by name."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

ROWS = 9000
SOURCE = """composite Main {
  param expression<int32> $width : (int32) getSubmissionTimeValue("width", "3");
  graph
    stream<int64 n, rstring k> In = Custom() {
      logic onProcess : {
        mutable int64 i = 0l;
        while (i < 9000l) {
          submit({n = i, k = "the key " + (rstring)(i % 97l)}, In);
          i++;
          if (i % 100l == 0l)
            block(0.01);
        }
      }
    }
    @parallel(width = $width, partitionBy = [{port = In, attributes = [k]}])
    stream<rstring k, int64 n, int64 sum> Sums = Custom(In) {
      logic state : mutable map<rstring, int64> sums = {};
            onTuple In : {
              if (!(k in sums))
                sums[k] = 0l;
              sums[k] += n;
              submit({k = k, n = n, sum = sums[k]}, Sums);
            }
    }
    @parallel(width = $width, partitionBy = [{port = In, attributes = [k]}])
    stream<rstring k, int64 first, int64 sum> Lasts = Aggregate(In) {
      window In : sliding, count(3), count(1), partitioned;
      param partitionBy : k;
      output Lasts : k = Last(k), first = First(n), sum = Sum(n);
    }
    @parallel(width = $width)
    stream<Sums> Turns = Functor(Sums) { param filter : n >= 0l; }
    () as Out = FileSink(Turns) { param file : "sums.csv"; }
    () as Out2 = FileSink(Lasts) { param file : "lasts.csv"; }
    MORE
}
"""
STATES = {
    "Counts": """@parallel(width = $width)
    stream<In> Counts = Custom(In) {
      logic state : { mutable int64 count = 0l; int32 limit = 5; }
            onTuple In : { count++; submit({n = count + (int64) limit, k = k}, Counts); }
    }""",
    "OtherKey": """@parallel(width = $width, partitionBy = [{port = In, attributes = [n]}])
    stream<In> OtherKey = Custom(In) {
      logic state : mutable map<rstring, int64> seen = {};
            onTuple In : {
              if (!(k in seen)) seen[k] = 0l;
              seen[k] += n;
              submit({n = seen[k], k = k}, OtherKey);
            }
    }""",
    "Late": """@parallel(width = $width)
    stream<In> Late = Delay(In) { param delay : 5.0; }""",
    "Made": """@parallel(width = $width)
    stream<int32 n> Made = Beacon() { param period : 0.01; iterations : 1000; }""",
}


def build(name, more="", *options, source=SOURCE):
    path = os.path.join(FOLDER, name)
    source = write(name + ".spl", source.replace("MORE", more))
    out = sluice("build", source, "--main", "Main", "-o", path, *options)
    expect("build " + name, (out.returncode, out.stderr), (0, ""))
    return path


def start(path, state, width, *options):
    data = state + ".data"
    os.makedirs(data, exist_ok=True)
    return subprocess.Popen(
        [path, f"--data-dir={data}", f"--checkpoint={state}", "--checkpoint-every=20ms",
         "--resume", f"width={width}", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip


def stop(process, seconds):
    time.sleep(seconds)
    process.send_signal(signal.SIGTERM)
    errors = process.communicate()[1]
    expect_in("stop", "stopped with checkpoint", errors)


def rows(state, file):
    with open(os.path.join(state + ".data", file), encoding="utf-8") as lines:
        return sorted(lines.read().splitlines())


sums, wanted = {}, []
for n in range(ROWS):
    key = f"the key {n % 97}"
    sums[key] = sums.get(key, 0) + n
    wanted.append(f'"{key}",{n},{sums[key]}')

main = build("Main")
undisturbed = start(main, os.path.join(FOLDER, "undisturbed"), 2)
runs = {
    "plain": (main, (3, 2, 5), []),
    "queued": (main, (3, 2, 5), ["--queues=all", "--threads=3", "--width=3"]),
    "processes": (build("Processes", "", "--pes=all", "-O0"), (2, 3), []),
}
expect("undisturbed", undisturbed.communicate()[1], "")
wanted_lasts = rows(os.path.join(FOLDER, "undisturbed"), "lasts.csv")
expect("undisturbed", len(wanted_lasts) > ROWS / 2, True)
for mode, (program, widths, options) in runs.items():
    state = os.path.join(FOLDER, mode)
    for width in widths:
        stop(start(program, state, width, *options), 0.2)
    last_run = start(program, state, 1, *options)
    expect(mode, (last_run.communicate()[1], last_run.returncode), ("", 0))
    expect(mode + ": sums", rows(state, "sums.csv") == sorted(wanted), True)
    expect(mode + ": windows", rows(state, "lasts.csv") == wanted_lasts, True)
process = start(main, os.path.join(FOLDER, "plain"), 2)
expect_in("at its end", " had 1 channel and has 2: a stream of ", process.communicate()[1])

WRONG = {
    "Counts": "Counts had 3 channels and has 2: the variable Counts.count has changed",
    "OtherKey": "OtherKey had 3 channels and has 2: the variable OtherKey.seen has changed",
    "Late": "what Late, a spl.utility::Delay, remembers belongs to its channel",
    "Made": "what Made, a spl.utility::Beacon, remembers belongs to its channel",
}
for name, more in STATES.items():
    sink = f'() as Rest = FileSink({name}) {{ param file : "rest.csv"; }}'
    path, state = build("With" + name, more + sink), os.path.join(FOLDER, "with" + name)
    stop(start(path, state, 3), 0.2)
    process = start(path, state, 2)
    errors = process.communicate()[1]
    expect_in(name, WRONG[name], errors)
    expect_in(name, "; --resume-drop=" + name, errors)
    expect(name, process.returncode, 1)
    stop(start(path, state, 2, f"--resume-drop={name}"), 0.2)

# A variable that is gone, or has another type, is no less so with another width.
OTHER = {
    "Gone": ({"sums": "totals"}, "is gone, which is a map<rstring, int64>"),
    "Retyped": (
        {
            "map<rstring, int64>": "map<rstring, uint64>",
            "= 0l;\n": "= 0ul;\n",
            "+= n": "+= (uint64) n",
            "sum = sums[k]}": "sum = (int64) sums[k]}",
        },
        "was a map<rstring, int64> and is a map<rstring, uint64>",
    ),
}
state = os.path.join(FOLDER, "changed")
stop(start(main, state, 3), 0.2)
for name, (changes, text) in OTHER.items():
    at = SOURCE.index("logic state : mutable map")
    changed = SOURCE[at : SOURCE.index("@parallel", at)]
    for old, new in changes.items():
        expect(name, old in changed, True)
        changed = changed.replace(old, new)
    other = build(name, source=SOURCE[:at] + changed + SOURCE[SOURCE.index("@parallel", at) :])
    process = start(other, state, 2)
    errors = process.communicate()[1]
    expect_in(name, f"Sums had 3 channels and has 2: the variable Sums.sums {text}", errors)
    expect_in(name, "; --resume-drop=Sums.sums lets it go", errors)
    expect(name, process.returncode, 1)
stop(start(other, state, 2, "--resume-drop=Sums.sums"), 0.2)
finish()
