# REQUIRES: slow
# RUN: %python %s
"""What a program on one processor has saved, the same program on the other one goes on from: it is
stopped ten times, on x86-64 and ppc64le in turn."""

import os
import subprocess

from Inputs.support import FOLDER, expect, finish, sluice, write

source = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 n, rstring s> In = Custom() {
      logic onProcess : {
        mutable map<rstring, list<int32>> seen = {};
        for (int32 k in range(40))
          for (rstring w in ["a", "a rather long word"]) {
            if (!(w in seen)) seen[w] = (list<int32>) [];
            appendM(seen[w], k);
            submit({n = k, s = w + (rstring) size(seen[w])}, In);
          }
      }
    }
    stream<rstring s, int32 last, float64 mean> Out = Aggregate(In) {
      window In : sliding, count(7), count(3);
      output Out : s = Last(s), last = Last(n), mean = Average((float64) n);
    }
    () as Sink = FileSink(Out) { param file : "out.csv"; }
}
""",
)


def built(name, *options):
    path = os.path.join(FOLDER, name)
    out = sluice("build", source, "-o", path, *options)
    expect("build for " + name, out.returncode, 0)
    return path


def run(command, data, *options):
    folder = os.path.join(FOLDER, data)
    os.makedirs(folder, exist_ok=True)
    return subprocess.run(
        [*command, f"--data-dir={folder}", *options], capture_output=True, text=True, timeout=120
    )


def rows(data):
    with open(os.path.join(FOLDER, data, "out.csv"), encoding="utf-8") as file:
        return file.read()


here = [built("x86-64")]
there = ["qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu"]
there.append(built("ppc64le", "--target=powerpc64le-linux-gnu"))
expect("undisturbed", run(here, "wanted").returncode, 0)
state = f"--checkpoint={os.path.join(FOLDER, 'state')}"
for stop in range(10):
    out = run([here, there][stop % 2], "got", state, "--resume", "--checkpoint-stop=5")
    expect("exit code of a stop", out.returncode, 0)
    expect(f"stop {stop}", "stopped with checkpoint" in out.stderr, True)
expect("the end", run(here, "got", state, "--resume").returncode, 0)
expect("rows", rows("got"), rows("wanted"))
finish()
