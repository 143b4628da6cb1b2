# REQUIRES: slow
# RUN: %python %s
"""shutdownPE() ends a program of several processes, whichever of them calls it: as SIGTERM does."""

from Inputs.jobs import build, end, free_ports, run, start
from Inputs.support import expect, finish, sluice

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

# Without one: each process is started by itself.
port = free_ports(3)
expect("job", sluice("job", app, f"--hosts=localhost:{port}", "-o", "job.toml").returncode, 0)
for at in ("0", "1", "2", "12"):
    pes = [start(app, f"at={at}", f"--pe={pe}", "--job=job.toml") for pe in (2, 0, 1)]
    expect(f"each by itself, in {at}", [end(pe) for pe in pes], [WHOLE, ("", "", 0), ("", "", 0)])
finish()
