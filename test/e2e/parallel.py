# REQUIRES: slow
# RUN: %python %s
"""@parallel: nothing is lost or doubled, equal keys meet, every channel has state of
its own, whatever the width and however the program is run."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, ELASTIC, expect, expect_in, finish, run_built, sluice, write  # noqa: E402

MODES = {
    "batched": [],
    "deterministic": ["-O0", "--deterministic"],
    "one row a batch": ["-O0", "--batch-rows=1"],
    "queues": ["-O0", "--boundaries=all", "--queues=all", "--threads=3"],
    "chaos": ["-O0", "--boundaries=all", "--chaos=11"],
    "elastic": ["-O0", "--boundaries=all", *ELASTIC],
}


def run(program, mode, *values):
    """Without options it is compiled in memory; else it is built once for all runs."""
    options = MODES[mode]
    return run_built(program, options, *values) if options else sluice("run", program, *values)


# --- keys: sums are those of the whole stream

KEYS = write(
    "Keys.spl",
    """
composite Main {
  param expression<int32> $w : (int32) getSubmissionTimeValue("w", "3");
  graph
    stream<int64 n, rstring key> In = Beacon() {
      param iterations : 5000u;
      output In : n = (int64) IterationCount(), key = "a key that is no short one " + (rstring) (IterationCount() % 37ul);
    }
    @parallel(width = $w, partitionBy = [{port = In, attributes = [key]}])
    stream<rstring key, int64 sum, int32 channel, int32 max> Sums = Custom(In) {
      logic
        state : mutable map<rstring, int64> sums = {};
        onTuple In : {
          if (!(key in sums))
            sums[key] = 0l;
          sums[key] += n;
          submit({key = key, sum = sums[key], channel = getChannel(), max = getMaxChannels()}, Sums);
        }
    }
    () as Show = Custom(Sums) {
      logic
        state : {
          mutable map<rstring, int64> last = {};
          mutable map<rstring, int32> home = {};
          mutable int32 count = 0;
          mutable int32 wrong = 0;
        }
        onTuple Sums : {
          count++;
          if (key in last && (last[key] > sum || home[key] != channel))
            wrong++;
          if (channel < 0 || channel >= max)
            wrong++;
          last[key] = sum;
          home[key] = channel;
        }
        onPunct Sums : if (currentPunct() == Sys.FinalMarker) {
          printStringLn((rstring) count + " rows, " + (rstring) wrong + " wrong");
          for (rstring k in last)
            printStringLn(k + "=" + (rstring) last[k]);
        }
    }
}
""",
)
sums = {}
for n in range(5000):
    key = f"a key that is no short one {n % 37}"
    sums[key] = sums.get(key, 0) + n
for mode in MODES:
    for width in ["1", "2", "3", "8"]:
        out = run(KEYS, mode, "w=" + width)
        lines = out.stdout.splitlines()
        what = f"keys, {mode}, width {width}"
        expect(what, (out.returncode, out.stderr, lines[:1]), (0, "", ["5000 rows, 0 wrong"]))
        expect(
            what + ": sums",
            dict(line.split("=") for line in lines[1:]),
            {k: str(v) for k, v in sums.items()},
        )
for wrong in ["0", "-3", "many", "99999"]:
    out = run(KEYS, "batched", "w=" + wrong)
    expect(f"width {wrong}", (out.returncode, out.stdout), (1, ""))
    expect_in(
        f"width {wrong}", f"Keys.spl:9:5: the submission-time value Main.w = '{wrong}'", out.stderr
    )
for name in ["Sums", "Sums[1]", "Sums:0", "Show,Sums[2]"]:
    out = sluice("run", KEYS, "--queues=" + name)
    expect(
        "--queues=" + name,
        (out.returncode, out.stderr, out.stdout[:18]),
        (0, "", "5000 rows, 0 wrong"),
    )
expect_in(
    "--queues of a channel that is not",
    "there is no operator 'Sums[3]'",
    sluice("run", KEYS, "--queues=Sums[3]").stderr,
)

# --- a composite, a source, files, broadcast

SHAPES = write(
    "Shapes.spl",
    """
composite Stage(output Out; input Data, Control) {
  graph
    stream<int64 n> Even = Filter(Data) { param filter : n % 2l == 0l; }
    stream<int64 n> Odd = Filter(Data) { param filter : n % 2l == 1l; }
    stream<int64 n, int32 channel> Out = Custom(Even, Odd; Control) {
      logic
        state : mutable int64 add = (int64) getChannel() * 0l;
        onTuple Even : submit({n = n, channel = getChannel()}, Out);
        onTuple Control : add += by;
        onPunct Control : if (currentPunct() == Sys.FinalMarker) printStringLn("control " + (rstring) getChannel() + " " + (rstring) add);
    }
    stream<int64 n> Marked = Functor(Data) { output Marked : n = n + 1000l * (int64) getChannel(); }
    () as File = FileSink(Marked) {
      logic state : mutable int32 rows = 0; onTuple Marked : rows = rows + 1;
      param file : "part" + (rstring) getChannel() + ".txt"; format : txt;
    }
}
composite Main {
  graph
    (stream<int64 n> Data; stream<int64 by> Control) = Custom() {
      logic onProcess : {
        submit({by = 5l}, Control);
        submit({by = 2l}, Control);
        for (int32 i in range(600))
          submit({n = (int64) i}, Data);
      }
    }
    @parallel(width = 3, broadcast = [Control])
    stream<int64 n, int32 channel> S = Stage(Data; Control) {}
    () as Show = Custom(S) {
      logic
        state : { mutable int32 count = 0; mutable int64 total = 0l; mutable int32 wrong = 0; }
        onTuple S : {
          count++;
          total += n;
          if (n % 3l != (int64) channel)
            wrong++;
        }
        onPunct S : printStringLn("stage " + (rstring) count + " " + (rstring) total + " " + (rstring) wrong);
    }
    @parallel(width = 4)
    stream<int32 channel, int32 n> Src = Beacon() {
      param iterations : 50u;
      output Src : channel = getChannel(), n = (int32) IterationCount();
    }
    () as Count = Custom(Src) {
      logic
        state : { mutable list<int32> next = [0, 0, 0, 0]; mutable int32 wrong = 0; mutable int32 windows = 0; }
        onTuple Src : { if (next[channel] != n) wrong++; next[channel]++; }
        onPunct Src : if (currentPunct() == Sys.WindowMarker) windows++; else
          printStringLn("source " + (rstring) next + " " + (rstring) wrong + " " + (rstring) windows);
    }
}
""",
)
for mode in MODES:
    out = run(SHAPES, mode)
    expect(
        f"shapes, {mode}",
        (out.returncode, out.stderr, sorted(out.stdout.splitlines())),
        (
            0,
            "",
            [
                "control 0 7",
                "control 1 7",
                "control 2 7",
                "source [50,50,50,50] 0 4",
                f"stage 600 {sum(range(600))} 0",
            ],
        ),
    )
    for channel in range(3):
        with open(os.path.join(DATA, f"part{channel}.txt")) as file:
            expect(
                f"shapes, {mode}: file {channel}",
                file.read().split(),
                ["{" + f"n={n + 1000 * channel}" + "}" for n in range(channel, 600, 3)],
            )

# --- regions in and behind regions

NEST = write(
    "Nest.spl",
    """
composite Inner(output Out; input In) {
  graph
    @parallel(width = (int32) getSubmissionTimeValue("inner", "2"), partitionBy = [{port = In, attributes = [k]}])
    stream<int32 n, int32 k, list<int32> at, rstring name> Out = Functor(In) {
      output Out : at = getAllChannels(), name = getThisOperatorName() + " " + getThisOperatorLogicalName();
    }
}
composite Main {
  graph
    stream<int32 n, int32 k> In = Custom() {
      logic onProcess : for (int32 i in range(900)) { submit({n = i, k = i % 9}, In); if (i == 500) submit(Sys.WindowMarker, In); }
    }
    @parallel(width = 3, partitionBy = [{port = In, attributes = [k]}])
    stream<int32 n, int32 k, list<int32> at, rstring name> Nest = Inner(In) {}
    @parallel(width = 2)
    stream<int32 n, int32 k, list<int32> at, rstring name> Behind = Custom(Nest) {
      logic
        onTuple Nest : submit(Nest, Behind);
        onPunct Nest : if (currentPunct() == Sys.WindowMarker) printStringLn("no window marks between regions");
    }
    () as Show = Custom(Behind) {
      logic
        state : { mutable map<int32, list<int32>> home = {}; mutable int32 wrong = 0; mutable int32 count = 0; }
        onTuple Behind : {
          count++;
          if (k in home && home[k] != at)
            wrong++;
          home[k] = at;
          if (name != "Nest[" + (rstring) at[1] + "].Out[" + (rstring) at[0] + "] Nest.Out" || at[0] / (int32) getSubmissionTimeValue("inner", "2") != at[1])
            wrong++;
        }
        onPunct Behind : printStringLn((rstring) count + " " + (rstring) wrong + " " + (rstring) size(home));
    }
}
""",
)
for mode in MODES:
    for values in [[], ["Inner.inner=1", "Main.inner=1"], ["Inner.inner=5", "Main.inner=5"]]:
        out = run(NEST, mode, *values)
        expect(
            f"nested, {mode}, {values}",
            (out.returncode, out.stderr, out.stdout),
            (0, "", "900 0 9\n"),
        )

# --- failure

FAIL = write(
    "Fail.spl",
    """
composite Main {
  graph
    stream<int64 n> In = Beacon() { param iterations : 2000u; output In : n = (int64) IterationCount(); }
    @parallel(width = 3)
    stream<int64 q> Quotient = Custom(In) {
      logic
        state : mutable int64 seen = 0l;
        onTuple In : { seen++; submit({q = 1000000l / (n - 1501l)}, Quotient); }
        onPunct In : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) getChannel() + " " + (rstring) seen);
    }
    () as Sink = Custom(Quotient) {
      logic state : mutable int32 c = 0;
      onTuple Quotient : c++;
      onPunct Quotient : printStringLn("all " + (rstring) c);
    }
}
""",
)
for mode in MODES:
    out = run(FAIL, mode)
    expect(f"failing channel, {mode}", out.returncode, 1)
    expect(f"failing channel, {mode}: one report", len(re.findall("error:", out.stderr)), 1)
    expect_in(f"failing channel, {mode}", "operator Quotient[1]: ", out.stderr)
with open(FAIL) as file:
    CATCH = write(
        "Catch.spl", file.read().replace("@parallel", "@catch(exception = all) @parallel")
    )
for mode in MODES:
    out = run(CATCH, mode)
    expect(
        f"caught, {mode}",
        (out.returncode, sorted(out.stdout.splitlines())),
        (0, ["0 667", "1 667", "2 666", "all 1999"]),
    )
    expect_in(f"caught, {mode}", "operator Quotient[1]: ", out.stderr)
finish()
