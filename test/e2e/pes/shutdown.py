# REQUIRES: slow
# RUN: %python %s
"""shutdownPE() ends a program of several processes, whichever of them calls it: as SIGTERM does."""

import os
import pty
import time

from Inputs.jobs import build, end, free_ports, run, start
from Inputs.support import expect, expect_in, finish, sluice

# PE 0 makes numbers for ever, PE 1 passes them on, PE 2 counts them.
PROGRAM = """composite Ending {
  param
    expression<rstring> $at : getSubmissionTimeValue("at", "");
  graph
    stream<int64 n> Numbers = Custom() {
      logic onProcess : {
        mutable int64 i = 0l;
        while (i >= 0l) {
          if (i == 3000l && findFirst($at, "0") >= 0) shutdownPE();
          submit({n = i++}, Numbers);
        }
      }
      config placement : partitionIsolation;
    }
    stream<int64 n> Middle = Custom(Numbers) {
      logic onTuple Numbers : { if (n == 2000l && findFirst($at, "1") >= 0) shutdownPE(); submit(Numbers, Middle); }
      config placement : partitionIsolation;
    }
    () as Sink = Custom(Middle) {
      logic
        state : { mutable int64 count = 0l; mutable int64 last = -1l; }
        onTuple Middle : { if (n == 1000l && findFirst($at, "2") >= 0) shutdownPE(); last = n; count++; }
        onPunct Middle : if (currentPunct() == Sys.FinalMarker)
          printStringLn(last >= 1000l && count == last + 1l ? "whole" : "count " + (rstring) count + " last " + (rstring) last);
      config placement : partitionIsolation;
    }
}
"""
WHOLE = ("whole\n", "", 0)
app = build("ending", PROGRAM)
for at in ("0", "1", "2", "12", "012"):
    expect(f"with a launcher, in {at}", run(app, f"at={at}"), WHOLE)
    expect(f"restarts, in {at}", run(app, f"at={at}", "--restart=2"), WHOLE)
expect("in one process", sluice("run", "ending.spl", "at=012").stdout, "whole\n")

# Ctrl-C of a terminal goes to all; then one PE calls shutdownPE() while the next still drains.
LATE = """void works() { // a wait does not wait once the program is to end
  mutable uint64 x = 1ul;
  for (int32 i in range(400000000)) x = x * 6364136223846793005ul + 1442695040888963407ul;
  if (x == 0ul) printStringLn("never");
}
composite Late {
  graph
    stream<int64 n> Numbers = Beacon() {
      param period : 0.001; output Numbers : n = (int64) IterationCount();
      config placement : partitionIsolation;
    }
    stream<int64 n> Middle = Custom(Numbers) {
      logic
        onTuple Numbers : { if (n == 0l) { printStringLn("begun"); flushStdio(); } submit(Numbers, Middle); }
        onPunct Numbers : if (currentPunct() == Sys.FinalMarker) { works(); shutdownPE(); works(); }
      config placement : partitionIsolation;
    }
    () as Sink = Custom(Middle) {
      logic
        state : { mutable int64 count = 0l; mutable int64 last = -1l; }
        onTuple Middle : { last = n; count++; }
        onPunct Middle : if (currentPunct() == Sys.FinalMarker) {
          works();
          printStringLn(count == last + 1l && last >= 0l ? "whole" : "count " + (rstring) count);
        }
      config placement : partitionIsolation;
    }
}
"""


def at_terminal(*command):
    """Runs it with a terminal of its own, at which ctrl-C is typed when it has begun."""
    child, terminal = pty.fork()
    if not child:
        try:
            os.execv(command[0], command)
        finally:
            os._exit(127)
    shown = b""
    try:
        while more := os.read(terminal, 4096):
            if b"begun" in more:
                time.sleep(0.3)
                os.write(terminal, b"\x03")
            shown += more
    except OSError:  # all of its processes have ended
        pass
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


late = build("late", LATE)
for options in ([], ["--restart=2"]):
    shown, code = at_terminal(late, *options)
    expect_in(f"ctrl-C {options}", "whole", shown)
    expect(f"ctrl-C {options}: exit code", code, 0)

# Without one: each process is started by itself.
port = free_ports(3)
expect("job", sluice("job", app, f"--hosts=localhost:{port}", "-o", "job.toml").returncode, 0)
for at in ("0", "1", "2", "12"):
    pes = [start(app, f"at={at}", f"--pe={pe}", "--job=job.toml") for pe in (2, 0, 1)]
    expect(f"each by itself, in {at}", [end(pe) for pe in pes], [WHOLE, ("", "", 0), ("", "", 0)])
finish()
