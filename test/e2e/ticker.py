# REQUIRES: slow
# RUN: %python %s
"""Tickers end with the program, however it ends: by SIGTERM, by a failure, with nothing but tickers;
in loops and in parallel regions."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import MODES, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

MODES = {**MODES, "virtual": ["--clock=virtual"]}


def in_all_modes(name, program, check):
    source = write(name + ".spl", program)
    for mode, options in MODES.items():
        check(f"{name}, {mode}", sluice("run", source, *options))


def prints(text, code=0):
    def check(what, out):
        expect(what, (out.returncode, sorted(out.stdout.split())), (code, sorted(text.split())))

    return check


# Nothing but tickers: they end at once, and their streams close.
in_all_modes(
    "Alone",
    """composite Alone {
  graph
    stream<int64 now> Slow = sluice.lang::Ticker() { param period : 100000.0; }
    stream<int64 now> Quick = sluice.lang::Ticker() { param period : 0.5; }
    () as Sink = Custom(Slow; Quick) {
      logic
        onTuple Quick : printStringLn("tick");
        onPunct Slow : if (currentPunct() == Sys.FinalMarker) printStringLn("slow");
        onPunct Quick : if (currentPunct() == Sys.FinalMarker) printStringLn("quick");
    }
}
""",
    prints("slow quick"),
)

# A failure of what a tick brings about, and of what a source brings about.
FAILING = """composite Failing {
  graph
    stream<int32 n> Data = Custom() {
      logic onProcess : { submit({n = 1}, Data); block(%s); submit({n = 0}, Data); }
    }
    stream<int64 now> Tick = sluice.lang::Ticker() { param period : 0.01; }
    () as Sink = Custom(Data; Tick) {
      logic
        state : { mutable int32 last = 1; mutable int32 ticks = 0; }
        onTuple Data : last = 1 / n;
        onTuple Tick : if (++ticks == 3) last = last / (ticks - %s);
    }
}
"""
for what, text in (("tick", FAILING % ("100000.0", "3")), ("data", FAILING % ("0.1", "4"))):

    def fails(name, out, what=what):
        expect(name, out.returncode, 1)
        expect_in(name, "division by zero", out.stderr)
        expect_in(name, "last / (ticks" if what == "tick" else "1 / n", out.stderr)

    in_all_modes("Failing", text, fails)

# In a region each channel has a ticker.
in_all_modes(
    "Region",
    """composite Channel(input In; output Out) {
  graph
    stream<int64 now> Tick = sluice.lang::Ticker() { param period : 0.02; }
    stream<rstring text> Out = Custom(In; Tick) {
      logic
        state : { mutable int32 count = 0; mutable boolean ticked = false; }
        onTuple In : count++;
        onTuple Tick : ticked = true;
        onPunct Tick : if (currentPunct() == Sys.FinalMarker)
          submit({text = (rstring) getChannel() + ":" + (rstring) count + (ticked ? "+" : "-")}, Out);
    }
}
composite Region {
  graph
    stream<int32 n> Data = Beacon() { param iterations : 40u; period : 0.005; }
    @parallel(width = 3)
    stream<rstring text> Out = Channel(Data) {}
    () as Sink = Custom(Out) { logic onTuple Out : printStringLn(text); }
}
""",
    prints("0:14+ 1:13+ 2:13+"),
)

# In a feedback loop, whose queue drains before the ticker closes it.
in_all_modes(
    "Loop",
    """composite Loop {
  graph
    stream<int32 n> Data = Beacon() { param iterations : 5u; period : 0.02; output Data : n = 3; }
    stream<int64 now> Tick = sluice.lang::Ticker() { param period : 0.01; }
    stream<int32 n> Down = Custom(Data, Back as In; Tick) {
      logic
        state : mutable int32 waiting = 0;
        onTuple In : if (n > 0) submit({n = n - 1}, Down);
        onTuple Tick : waiting++;
    }
    stream<int32 n> Back = Functor(Down) { }
    () as Sink = Custom(Down) {
      logic
        state : mutable int32 sum = 0;
        onTuple Down : sum += n;
        onPunct Down : if (currentPunct() == Sys.FinalMarker) printStringLn((rstring) sum);
    }
}
""",
    prints("15"),
)

# What waits in queues when the last source ends still sees ticks, even if these take long.
in_all_modes(
    "Drain",
    """composite Drain {
  graph
    stream<int32 n> Data = Beacon() { param iterations : 64u; }
    stream<int32 n> Slow = Custom(Data) {
      logic onTuple Data : { block(0.005); submit(Data, Slow); }
    }
    stream<int64 now> Tick = sluice.lang::Ticker() { param period : 0.001; }
    () as Sink = Custom(Slow; Tick) {
      logic
        state : { mutable int32 count = 0; mutable boolean ticked = false; }
        onTuple Slow : count++;
        onTuple Tick : { if (count > 0) ticked = true; block(0.01); }
        onPunct Slow : if (currentPunct() == Sys.FinalMarker)
          printStringLn((rstring) count + (ticked ? "+" : "-"));
    }
}
""",
    prints("64+"),
)

# SIGTERM: everything closes.
source = write(
    "Endless.spl",
    """composite Endless {
  graph
    stream<int32 n> Data = Custom() {
      logic onProcess : { submit({n = 1}, Data); block(1000000000.0); }
    }
    stream<int64 now> Tick = sluice.lang::Ticker() { param period : 0.01; }
    () as Sink = Custom(Data; Tick) {
      logic
        state : mutable boolean said = false;
        onTuple Tick : if (!said) { said = true; printStringLn("ticking"); }
        onPunct Data : if (currentPunct() == Sys.FinalMarker) printStringLn("data");
        onPunct Tick : if (currentPunct() == Sys.FinalMarker) printStringLn("ticks");
    }
}
""",
)
for mode, options in MODES.items():
    process = subprocess.Popen(
        ["sluice", "run", source, *options], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    first = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    text, _ = process.communicate(timeout=TIMEOUT)
    expect(mode + ": exit code", process.returncode, 0)
    expect(mode + ": lines", (first, sorted(text.split())), ("ticking\n", ["data", "ticks"]))
finish()
