# REQUIRES: slow
# RUN: %python %s
"""Regions whose channels are alike: one channel may run a batch for all of them. The results and
the numbers of tuples of each channel are those of one tuple after the other."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import (  # noqa: E402
    ELASTIC,
    FOLDER,
    expect,
    expect_in,
    finish,
    run_built,
    sluice,
    write,
)

REFERENCE = ["-O0", "--batch-rows=1", "--deterministic"]
MODES = {
    "batched": [],
    "called": ["--elastic=off"],
    "short batches": ["-O0", "--batch-rows=7", "--elastic=off"],
    "queues": ["-O0", "--boundaries=all", "--queues=all", "--threads=2"],
    "chaos": ["-O0", "--boundaries=all", "--chaos=11", "--threads=3"],
    "several workers": ["-O0", "--boundaries=all", "--queues=all", "--threads=3", "--width=3"],
    "elastic": ["-O0", "--boundaries=all", *ELASTIC, "--threads=3"],
}
CALLED = ["called", "short batches"]  # up to the last batch rows leave a region in their order
WIDTHS = [1, 3, 50]
JIT_WIDTH = 3

PROGRAM = """
int32 mine() {{ return getChannel(); }}
int32 same() {{ return 7; }}
composite Chain(output Out; input In) {{
  graph
    stream<In> First = Functor(In) {{ output First : x = x * 3.0 + (float64) getChannel(); }}
    stream<In> Out = Functor(First) {{ output Out : c = getChannel() + same(); }}
}}
composite Outer(output Out; input In) {{
  graph
    @parallel(width = (int32) getSubmissionTimeValue("w"))
    stream<In> Out = Functor(In) {{ output Out : c = getChannel() + 100000 * getMaxChannels(); }}
}}
composite Main {{
  graph
    stream<int64 n, rstring key, float64 x, int32 c> In = Custom() {{
      logic onProcess : for (int32 k in range(5000)) {{
        int64 i = (int64) k;
        submit({{n = i, key = "no short key " + (rstring) (i % 7l), x = (float64) i, c = 0}}, In);
        {mark}
      }}
    }}
{region}
    {behind}
    () as Show = Custom(Out) {{
      logic
        onTuple Out :
          printStringLn((rstring) n + " " + (rstring) x + " " + (rstring) c + " " + key);
        onPunct Out : printStringLn((rstring) currentPunct());
    }}
}}
"""
WIDE = '@parallel(width = (int32) getSubmissionTimeValue("w")'
MARK = "if (i == 1234l || i == 4000l) submit(Sys.WindowMarker, In);"
MARKS = f"""
    {WIDE}) stream<In> Out = Custom(In) {{
      logic
        onTuple In : submit({{n = n, key = key, x = x, c = getChannel()}}, Out);
        onPunct In : if (currentPunct() == Sys.WindowMarker) submit(Sys.WindowMarker, Out);
    }}"""
NAME = "length(getThisOperatorName()) + 100 * getLocalChannel()"
KEY = ", partitionBy = [{port = In, attributes = [key]}]"
AGAIN = "@parallel(width = 2) stream<Got> Out = Functor(Got) { output Out : c = getChannel(); }"
FILTER = "stream<Got> Out = Filter(Got) { param filter : (n + (int64) c) % 3l != 0l; }"


def functor(name, output, by=""):
    return f"    {WIDE}{by}) stream<In> {name} = Functor(In) {{ output {name} : {output}; }}"


PROGRAMS = {
    "handler": {"region": functor("Out", "c = getChannel(), x = sqrt(x)")},
    "function": {"region": functor("Out", "c = mine()")},
    "lists": {"region": functor("Out", "c = getAllChannels()[0] + getLocalChannel()")},
    "name": {"region": functor("Out", f"c = {NAME}")},
    "key": {"region": functor("Out", "c = getChannel()", KEY)},
    "chain": {"region": f"    {WIDE}) stream<In> Out = Chain(In) {{}}"},
    "filter behind": {"region": functor("Got", "c = getChannel()"), "behind": FILTER},
    # Its turns begin at the channel that a tuple comes from.
    "another region": {"region": functor("Got", "x = x + 1.0"), "behind": AGAIN},
    "marks": {"region": MARKS, "mark": MARK},
    "nested": {"region": "    @parallel(width = 2) stream<In> Out = Outer(In) {}"},
}


def run(program, options, width, *more):
    """Without options it is compiled in memory at one width; else it is built once for all runs."""
    composite = "Outer" if "nested" in program else "Main"
    more = [*more, f"{composite}.w={width}"]
    if options or width != JIT_WIDTH:
        return run_built(program, options, *more)
    return sluice("run", program, *more)


def by_channel(out):
    """The lines of each channel in their order."""
    channels = {}
    for line in out.stdout.splitlines():
        channels.setdefault(line.split(" ")[2] if " " in line else "", []).append(line)
    return channels


def tuples_of(path):
    """The tuples that came to and left each operator of a region."""
    with open(path) as file:
        operators = json.load(file)["operators"]
    return {op["name"]: (op["tuplesIn"], op["tuplesOut"]) for op in operators if "[" in op["name"]}


def counted(program, options, width):
    path = os.path.join(FOLDER, "metrics.json")
    out = run(program, options, width, "--metrics-json=" + path)
    expect("it runs", out.stderr[:300] if "sluice:" in out.stderr else "", "")
    return out, tuples_of(path)


for name, parts in PROGRAMS.items():
    text = PROGRAM.format(**{"mark": "", "behind": "", **parts})
    text = text.replace('getSubmissionTimeValue("w")', 'getSubmissionTimeValue("w", "3")')
    program = write(name.replace(" ", "-") + ".spl", text)
    for width in WIDTHS + [1000] * (name == "handler"):
        wanted, tuples = counted(program, REFERENCE, width)
        expect(f"{name}, width {width}", (wanted.returncode, wanted.stderr), (0, ""))
        for mode, options in MODES.items():
            what = f"{name}, {mode}, width {width}"
            out, found = counted(program, options, width)
            expect(what, (out.returncode, out.stderr), (0, ""))
            if name == "another region":  # what comes from several channels meets in any order
                expect(what, sorted(out.stdout.splitlines()), sorted(wanted.stdout.splitlines()))
            else:
                expect(what, by_channel(out), by_channel(wanted))
            expect(what + ": tuples", found, tuples)

# --- a failure is that of the row's channel, and the rows before it go on

FAIL = write(
    "fail.spl",
    PROGRAM.format(
        mark="",
        behind="",
        region=functor("Out", "c = getChannel(), n = n + 100l / (n - 1501l)"),
    ).replace('getSubmissionTimeValue("w")', 'getSubmissionTimeValue("w", "3")'),
)
for width in WIDTHS:
    wanted, tuples = counted(FAIL, REFERENCE, width)
    for mode, options in MODES.items():
        what = f"failure, {mode}, width {width}"
        out, found = counted(FAIL, options, width)
        expect(what, out.returncode, 1)
        expect_in(what, f"operator Out[{1501 % width}]: ", out.stderr)
        if mode in CALLED:
            expect(what, (out.stdout, out.stderr), (wanted.stdout, wanted.stderr))
            expect(what + ": tuples", found, tuples)

# --- a checkpoint holds whose turn it is

TURNS = write(
    "turns.spl",
    """
composite Main {
  graph
    stream<int64 n, int32 c> In = Beacon() {
      param iterations : 3000000u;
      output In : n = (int64) IterationCount(), c = 0;
    }
    @parallel(width = 7)
    stream<In> Out = Functor(In) { output Out : c = getChannel(); }
    () as Show = Custom(Out) {
      logic
        state : { mutable int64 seen = 0l; mutable int64 wrong = 0l; }
        onTuple Out : { seen++; if (n % 7l != (int64) c) wrong++; }
        onPunct Out : if (currentPunct() == Sys.FinalMarker)
          printStringLn((rstring) seen + " " + (rstring) wrong);
    }
}
""",
)
for mode in ["called", "queues", "elastic"]:
    options = ["--checkpoint=" + os.path.join(FOLDER, mode), *MODES[mode]]
    out = sluice("run", TURNS, "--checkpoint-every=3ms", "--checkpoint-keep=99", *options)
    expect(f"checkpoints, {mode}", (out.returncode, out.stdout), (0, "3000000 0\n"))
    out = sluice("run", TURNS, "--resume-from=1", *options)
    expect(f"resumed, {mode}", (out.returncode, out.stdout), (0, "3000000 0\n"))
out = sluice("run", TURNS, "--pes=all")
expect("in processes", (out.returncode, out.stdout), (0, "3000000 0\n"))

finish()
