# REQUIRES: slow
# RUN: %python %s
"""Tuples that wait in a Delay while checkpoints are made: a program goes on with them."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

# A buffer that is full, two Delays in a row, one in a loop, a window by time behind one.
SOURCE = """composite Main {
  type Row = int32 n, float64 at, rstring text, list<int32> all;
  graph
    stream<Row> In = Custom() {
      logic state : timestamp start = getTimestamp();
            onProcess : {
              mutable int32 i = 0;
              while (i < 12) {
                float64 at = diffAsSecs(getTimestamp(), start);
                submit({n = i, at = at, text = "the long text of " + (rstring) i, all = [i, i]}, In);
                i++;
                if (i % 4 == 0) {
                  submit(Sys.WindowMarker, In);
                  block(0.3);
                }
              }
            }
    }
    stream<Row> Late = Delay(In) { param delay : 1.0; bufferSize : 2u; }
    stream<Row> Later = Delay(Late) { param delay : 0.25; }
    () as Show = Custom(Later) {
      logic state : timestamp start = getTimestamp();
            onTuple Later : printStringLn((rstring) Later + " left at " + (rstring) diffAsSecs(getTimestamp(), start));
            onPunct Later : printStringLn((rstring) currentPunct() + " left at " + (rstring) diffAsSecs(getTimestamp(), start));
    }
    stream<int32 n> Rounds = Custom(Late; Back) {
      logic onTuple Late : submit({n = n}, Rounds);
            onTuple Back : if (n < 100) submit({n = n + 40}, Rounds);
    }
    stream<int32 n> Back = Delay(Rounds) { param delay : 0.4; }
    () as Show2 = Custom(Rounds) {
      logic state : timestamp start = getTimestamp();
            onTuple Rounds : printStringLn("round " + (rstring) n + " at " + (rstring) diffAsSecs(getTimestamp(), start));
            onPunct Rounds : printStringLn("rounds " + (rstring) currentPunct());
    }
    stream<int32 n> Counts = Aggregate(Later) { window Later : tumbling, time(0.5); output Counts : n = Count(); }
    () as Show3 = Custom(Counts) { logic onTuple Counts : printStringLn("count " + (rstring) n); }
}
"""
program = os.path.join(FOLDER, "Main")
expect("build", sluice("build", write("Main.spl", SOURCE), "-o", program).stderr, "")


def run(*options):
    return subprocess.run(
        [program, f"--data-dir={FOLDER}", *options], capture_output=True, text=True, check=False
    )


# On a virtual clock the output is that of an undisturbed run, wherever it was stopped.
wanted = run("--clock=virtual").stdout
expect("tuples", wanted.count("left at"), 12 + 3 + 1)
for distance in (1, 2, 3, 5):
    state, output, stops = os.path.join(FOLDER, f"state{distance}"), "", 0
    while stops < 100:
        out = run("--clock=virtual", f"--checkpoint={state}", "--checkpoint-every=1000s",
                  "--resume", f"--checkpoint-stop={distance}")  # fmt: skip
        output += out.stdout
        expect(f"exit {distance}", out.returncode, 0)
        if "stopped with checkpoint" not in out.stderr:
            break
        stops += 1
    expect(f"stops of {distance}", stops >= 30 // distance, True)
    expect(f"stopped after {distance}", output, wanted)

# On the real one nothing is lost and nothing leaves too early, in any mode.
WAITS = """composite Main {
  graph
    stream<int32 n, float64 at> In = Custom() {
      logic onProcess : {
        for (int32 i in range(5)) submit({n = i, at = getTimestampInSecs()}, In);
        block(1.5);
        submit({n = 5, at = getTimestampInSecs()}, In);
      }
    }
    stream<In> Late = Delay(In) { param delay : 2.0; }
    () as Show = Custom(Late) {
      logic onTuple Late : printStringLn((rstring) n + (getTimestampInSecs() - at > 1.99 ? " waited" : " left early"));
            onPunct Late : printStringLn((rstring) currentPunct());
    }
}
"""
all_lines = [f"{n} waited" for n in range(6)] + ["FinalMarker"]
ENDED = 0  # a program whose source has ended by then
paths = {}
for pes in (ENDED, 1, 2):
    paths[pes] = os.path.join(FOLDER, f"waits{pes}")
    source = write("Waits.spl", WAITS if pes else WAITS.replace("block(1.5)", "block(0.1)"))
    out = sluice("build", source, "-o", paths[pes], f"--pes={pes or 1}", "--boundaries=all")
    expect("build", out.stderr, "")
MODES = {
    "queued": [(1, ["--queues=all", "--threads=2"])] * 2,
    "deterministic": [(1, ["--deterministic"])] * 2,
    "ended": [(ENDED, [])] * 2,
    "ended, deterministic": [(ENDED, ["--deterministic"])] * 2,
    "two processes": [(2, [])] * 2,
    "two, then one": [(2, []), (1, [])],
    "changed": [(1, []), None],
}
started = {}
for mode, ((pes, options), _) in MODES.items():
    state = os.path.join(FOLDER, mode.replace(" ", "-"))
    started[mode] = subprocess.Popen(
        [paths[pes], f"--checkpoint={state}", "--checkpoint-every=50ms", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
time.sleep(0.6)
for process in started.values():
    process.send_signal(signal.SIGTERM)
for mode, (_, again) in MODES.items():
    output, errors = started[mode].communicate()
    expect_in(f"{mode}: stop", "stopped with checkpoint", errors)
    state = os.path.join(FOLDER, mode.replace(" ", "-"))
    if not again:
        continue
    pes, options = again
    out = subprocess.run(
        [paths[pes], f"--checkpoint={state}", "--resume", *options],
        capture_output=True, text=True, check=False)  # fmt: skip
    expect(f"{mode}: resumed", (out.returncode, out.stderr), (0, ""))
    expect(f"{mode}: output", (output + out.stdout).splitlines(), all_lines)

# What waits is read only as what it was.
other = WAITS.replace("float64 at>", "float64 at, int8 x>")
other = write("Other.spl", other.replace("InSecs()},", "InSecs(), x = 0b},"))
changed = ["run", other, f"--checkpoint={os.path.join(FOLDER, 'changed')}", "--resume"]
out = sluice(*changed, "--resume-drop=In")
expect_in("another type", "the tuples that wait at Late cannot be read: ", out.stderr)
expect_in("another type", "; --resume-drop=Late lets them go", out.stderr)
expect("dropped", sluice(*changed, "--resume-drop=In,Late").returncode, 0)
finish()
