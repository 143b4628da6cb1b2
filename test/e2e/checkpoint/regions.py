# REQUIRES: slow
# RUN: %python %s
"""Consistent regions: when checkpoints are made, what autonomous operators and `config checkpoint`
are restored from, and what the functions of spl.utility say."""

import os
import re

from Inputs.support import DATA, FOLDER, expect, expect_in, finish, sluice, write


def run(file, state, *options):
    """With checkpoints in FOLDER/state."""
    return sluice("run", file, f"--data-dir={DATA}",
                  f"--checkpoint={os.path.join(FOLDER, state)}", *options)


def made(out):
    return int(re.search(r"checkpoints: (\d+) made", out.stderr).group(1))


def shown(state, number, name):
    """A value in a checkpoint."""
    out = sluice("checkpoint", "show", os.path.join(FOLDER, state), str(number)).stdout
    found = re.search(rf"^  {re.escape(name)}: \S+ = (.*)$", out, re.MULTILINE)
    return found.group(1) if found else out


# The shortest period is how often checkpoints are made, unless an option says it.
SLOW = """composite Main {
  graph
    @consistent(trigger = periodic, period = %s)
    stream<int32 n> In = Beacon() {
      param iterations : 60; period : 0.01; output In : n = (int32) IterationCount();
    }
    () as Sum = Custom(In) {
      logic state : mutable int32 sum = 0;
            onTuple In : { sum += n; if (sum < 0) println(sum); }
    }
}
"""
slow = write("Slow.spl", SLOW % "0.03")
out = run(slow, "slow", "--stats")
expect("a period of 30 ms", (out.returncode, made(out) > 2), (0, True))
out = run(slow, "slow2", "--stats", "--checkpoint-every=1000s")
expect("an option comes before", (out.returncode, made(out)), (0, 1))
out = sluice("run", slow)
said = out.stderr.count("@consistent has no effect: without --checkpoint")
expect("without checkpoints", said, 1)
late = write("Late.spl", SLOW % '(float64) getSubmissionTimeValue("every")')
out = run(late, "late", "--stats", "every=1000")
expect("a submission-time period", (out.returncode, made(out)), (0, 1))
out = run(late, "late2", "every=-1")
expect("a wrong period", out.returncode, 1)
expect_in("a wrong period", "Late.spl:3:5: the submission-time value Main.every = '-1' is the "
          "period of a consistent region: it must be a number above 0", out.stderr)

# The operator says when: after each third tuple, and at the end.
driven = write("Driven.spl", """composite Main {
  graph
    @consistent(trigger = operatorDriven)
    stream<int32 n> In = Beacon() {
      param iterations : 10; triggerCount : 3u; output In : n = (int32) IterationCount() + 1;
    }
    () as Sum = Custom(In) {
      logic state : { mutable int32 count = 0; mutable int32 sum = 0; }
            onTuple In : { count++; sum += n; if (count < 0) println(sum); }
    }
}
""")
for name, mode in {"calls": [], "one": ["--deterministic"], "virtual": ["--clock=virtual"],
                   "queued": ["--boundaries=all", "--queues=all", "--threads=2"],
                   "processes": ["--pes=all"]}.items():
    out = run(driven, name, "--checkpoint-keep=100", *mode)
    expect(f"driven, {name}", (out.returncode, out.stderr), (0, ""))
    for number, count in enumerate([3, 6, 9, 10], 1):
        found = (shown(name, number, "count"), shown(name, number, "sum"))
        expect(f"driven, {name}, {number}", found, (str(count), str(count * (count + 1) // 2)))
out = run(driven, "calls", "--resume-from=2", "--checkpoint-keep=100")
expect("resumed", (out.returncode, shown("calls", 6, "sum")), (0, "55"))

# In a parallel region each channel does, for a region of its own.
channels = write("Channels.spl", """composite Part {
  graph
    stream<int32 n> In = Beacon() {
      param iterations : 4 + 2 * getChannel(); triggerCount : 3u;
      output In : n = (int32) IterationCount() + 1;
    }
    () as Sum = Custom(In) {
      logic state : mutable int32 sum = 0;
            onTuple In : { sum += n; if (sum < 0) println(sum); }
    }
}
composite Main {
  graph
    @parallel(width = 2) @consistent(trigger = operatorDriven)
    () as Part = Part() {}
}
""")
for name, mode in {"channels": ["--boundaries=all", "--queues=all"],
                   "channels-pes": ["--pes=all"]}.items():
    out = run(channels, name, "--checkpoint-keep=100", "--stats", *mode)
    expect(f"{name}", (out.returncode, made(out) >= 2), (0, True))
    ends = sluice("checkpoint", "show", os.path.join(FOLDER, name)).stdout
    expect(f"{name}: the sums", sorted(re.findall(r"sum: int32 = (\d+)", ends)), ["10", "21"])

# A DirectoryScan says when, after each look that has found something.
for name in "abc":
    write(f"data/in/{name}.csv", f"{name}\n")
scan = write("Scan.spl", """composite Main {
  graph
    @consistent(trigger = operatorDriven)
    stream<rstring file> Files = DirectoryScan() { param directory : "in"; sleepTime : 0.1; }
    stream<rstring word> Words = FileSource(Files) {}
    () as Count = Custom(Words) {
      logic state : mutable int32 count = 0;
            onTuple Words : { count++; if (count < 0) println(word); }
    }
    stream<int32 n> Later = Beacon() { param iterations : 1; initDelay : 2.0; }
    () as Stop = Custom(Later) { logic onTuple Later : shutdownPE(); }
}
""")
out = run(scan, "scan", "--checkpoint-keep=100", "--stats")
expect("scan", (out.returncode, made(out), shown("scan", 1, "count")), (0, 2, "3"))

# A FileSource says when, at the end of its file.
read = write("Read.spl", """composite Main {
  graph
    @consistent(trigger = operatorDriven)
    stream<rstring word> Words = FileSource() { param file : "in/a.csv"; }
    () as Count = Custom(Words) {
      logic state : mutable int32 count = 0;
            onTuple Words : { count++; if (count < 0) println(word); }
    }
    stream<int32 n> Later = Beacon() { param iterations : 1; initDelay : 1.0; }
    () as Stop = Custom(Later) { logic onTuple Later : println(n); }
}
""")
out = run(read, "read", "--checkpoint-keep=100", "--stats")
expect("read", (out.returncode, made(out), shown("read", 1, "count")), (0, 2, "1"))

# What is autonomous begins anew, unless config checkpoint saves it. A Delay may be in it.
parts = write("Parts.spl", """composite Main {
  graph
    @consistent(trigger = operatorDriven, maxConsecutiveResetAttempts = 2u)
    stream<int32 n> In = Beacon() {
      param iterations : 9; triggerCount : 3u; output In : n = (int32) IterationCount() + 1;
    }
    stream<In> Fails = Custom(In) {
      logic state : mutable int32 count = 0;
            onTuple In : {
              if (++count == 5 && getRelaunchCount() < (uint32) getSubmissionTimeValue("fails"))
                resetConsistentRegion();
              submit(In, Fails);
            }
            onPunct In :
              if (currentPunct() == Sys.FinalMarker) printStringLn("saved " + (rstring) count);
    }
    @autonomous
    stream<In> Late = Delay(Fails) { param delay : 0.0; }
    () as Anew = Custom(Late) {
      logic state : mutable int32 count = 0; onTuple Late : count++;
            onPunct Late :
              if (currentPunct() == Sys.FinalMarker) printStringLn("anew " + (rstring) count);
    }
    @autonomous
    () as Kept = Custom(Fails) {
      logic state : mutable int32 count = 0; onTuple Fails : count++;
            onPunct Fails :
              if (currentPunct() == Sys.FinalMarker) printStringLn("kept " + (rstring) count);
      config checkpoint : periodic(1.0);
    }
    () as Sink = Custom(Fails) {
      logic state : mutable int32 count = 0; onTuple Fails : count++;
            onPunct Fails : if (currentPunct() == Sys.FinalMarker) {
              printStringLn("sink " + (rstring) count);
              println([getConsistentRegionIndex(), getResetAttempt()]);
              println([getDrainTimeout(), getResetTimeout()]);
              println([isInConsistentRegion(), isStartOfConsistentRegion(),
                       isEndOfConsistentRegion(), isTriggerOfConsistentRegion(),
                       isConsistentInputPort(0u), isConsistentInputPort(1u)]);
              printStringLn((rstring) getSequenceId() + " " + (rstring) getRelaunchCount());
            }
    }
}
""")
out = run(parts, "parts", "fails=1")
expect("a reset", out.returncode, 1)
expect_in("a reset", "resetConsistentRegion(): the program ends here, and goes on", out.stderr)
out = run(parts, "parts", "fails=1", "--resume")
expect("resumed", (out.returncode, out.stderr), (0, ""))
expect("resumed", sorted(out.stdout.splitlines()), sorted([
    "saved 9", "anew 6", "kept 9", "sink 9", "[0,0]", "[180,180]",
    "[true,false,true,false,true,false]", "3 1"]))
out = run(parts, "never", "fails=9")
for attempt in (1, 2):
    out = run(parts, "never", "fails=9", "--resume")
    expect_in(f"attempt {attempt}", "resetConsistentRegion()", out.stderr)
out = run(parts, "never", "fails=9", "--resume")
expect_in("too many", "the last 2 runs have ended before they made a checkpoint, and "
          "maxConsecutiveResetAttempts is 2: --resume-from=1 tries again", out.stderr)
out = run(parts, "never", "fails=2", "--resume-from=1")
expect("by --resume-from", (out.returncode, "sink 9" in out.stdout), (0, True))
# What has ended stays as it was.
out = run(parts, "parts", "fails=1", "--resume")
expect("nothing is left to do", (out.returncode, out.stdout), (0, ""))

# The time for going on is bounded.
short = write("Short.spl", SLOW % "1.0, resetTimeout = 1.0e-9")
run(short, "short")
out = run(short, "short", "--resume")
expect_in("resetTimeout", "cannot go on from checkpoint 1", out.stderr)
expect_in("resetTimeout", "that took longer than resetTimeout allows", out.stderr)

# A checkpoint that takes longer than drainTimeout is given up.
held = write("Held.spl", """composite Main {
  graph
    @consistent(trigger = periodic, period = 0.02, drainTimeout = 0.05)
    stream<int32 n> In = Custom() {
      logic onProcess : { submit({n = 1}, In); submit({n = 2}, In); }
    }
    () as Slow = Custom(In) { logic onTuple In : block(0.4); }
}
""")
out = run(held, "held")
expect("drainTimeout", out.returncode, 0)
expect_in("drainTimeout", "warning: no checkpoint was made: ", out.stderr)
finish()
