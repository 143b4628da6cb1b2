"""For tests of programs that run as several processes."""

import os
import socket
import subprocess
import time

from Inputs.support import FOLDER, TIMEOUT, expect, sluice, write

# PE 0 makes numbers, PE 1 passes them on, PE 2 counts them.
COUNTING = """composite Counting {
  param
    expression<uint32> $count : (uint32) getSubmissionTimeValue("count", "20000");
    expression<float64> $period : (float64) getSubmissionTimeValue("period", "0");
    expression<boolean> $says : (boolean) getSubmissionTimeValue("says", "false");
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : $count; period : $period;
      output Numbers : n = (int64) IterationCount();
      config placement : partitionExlocation("each");
    }
    stream<int64 n, rstring text> Middle = Functor(Numbers) {
      output Middle : text = "a text that is not short: " + (rstring) n;
      config placement : partitionExlocation("each");
    }
    () as Sink = Custom(Middle) {
      logic
        state : { mutable int64 count = 0l; mutable int64 last = -1l; mutable int64 gaps = 0l; }
        onTuple Middle : {
          if (n != last + 1l) gaps++;
          if ($says && count == 0l) printStringLn("begun");
          last = n;
          count++;
        }
        onPunct Middle : if (currentPunct() == Sys.FinalMarker)
          printStringLn("count " + (rstring) count + " last " + (rstring) last + " gaps "
                        + (rstring) gaps);
      config placement : partitionExlocation("each");
    }
}
"""


def build(name="app", text=COUNTING, pes=3, options=()):
    source = write(name + ".spl", text)
    path = os.path.join(FOLDER, name)
    out = sluice("build", source, f"--pes={pes}", *options, "-o", path)
    expect("building " + name, (out.returncode, out.stderr), (0, ""))
    return path


def start(*command, **more):
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd=FOLDER,
        **more,
    )


def end(process, timeout=TIMEOUT):
    """Its output, errors and exit code."""
    out, errors = process.communicate(timeout=timeout)
    return out, errors, process.returncode


def run(*command):
    return end(start(*command))


def free_ports(count):
    """The first of so many ports in a row that nobody listens at."""
    for first in range(20000 + os.getpid() % 10000, 32000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.create_server(("127.0.0.1", port)))
            return first
        except OSError:
            continue
        finally:
            for each in sockets:
                each.close()
    raise RuntimeError("no free ports")


def until(what, done):
    """Waits until done() is true; what it returned."""
    limit = time.monotonic() + TIMEOUT
    while time.monotonic() < limit:
        if result := done():
            return result
        time.sleep(0.01)
    raise RuntimeError(f"{what}: this takes too long")


def children(process):
    """The PEs of a launcher, in order."""
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        return [int(pid) for pid in file.read().split()]


def pes(launcher, count=3):
    return until("the PEs start", lambda: len(c := children(launcher)) == count and c)
