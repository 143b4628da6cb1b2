# REQUIRES: slow
# RUN: %python %s
"""Large state: blocks and increments. A program with a map of some megabytes is killed and
goes on; what it writes is what an undisturbed run does, from each checkpoint alone."""

import filecmp
import glob
import os
import random
import shutil
import sys

from Inputs.support import FOLDER, expect, expect_in, sluice, write

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Inputs"))
from checkpoints import Killed, undisturbed  # noqa: E402

SEED = 7
source = write("Main.spl", """composite Main {
  graph
    stream<uint64 n, uint64 k> In = Beacon() {
      param iterations : 30000000u;
      output In : n = IterationCount(),
                  k = IterationCount() < 200000ul
                        ? IterationCount() : (IterationCount() * 2654435761ul >> 9ul) % 3000ul;
    }
    stream<uint64 n, uint64 sum, int32 keys> Sums = Custom(In) {
      logic
        state : mutable map<uint64, uint64> sums = {};
        onTuple In : {
          if (!(k in sums))
            sums[k] = 0ul;
          sums[k] += n;
          if (n % 10000ul == 0ul)
            submit({n = n, sum = sums[k], keys = size(sums)}, Sums);
        }
    }
    () as Out = FileSink(Sums) { param file : "out.csv"; }
}
""")
program = os.path.join(FOLDER, "large")
out = sluice("build", source, "--boundaries=all", "-o", program)
expect("build", (out.returncode, out.stderr), (0, ""))
wanted = os.path.join(undisturbed(program, "undisturbed"), "out.csv")
print("seed", SEED)


def is_wanted(folder):
    return filecmp.cmp(os.path.join(folder, "out.csv"), wanted, shallow=False)


def folders(state):
    return sorted(glob.glob(state + "/0*/MANIFEST"))


for name, options in {"plain": [], "shards": ["--queues=all", "--threads=3", "--width=3"]}.items():
    run = Killed(program, name, *options, seed=SEED)
    while not folders(run.checkpoints) or len(glob.glob(run.checkpoints + "/0*/blocks.*")) < 4:
        if run.step(run.random.uniform(0.3, 0.6)):
            break
    expect(f"{name}: kills", run.kills > 0, True)
    last = os.path.dirname(folders(run.checkpoints)[-1])
    blocks = glob.glob(last + "/blocks.*")
    expect(f"{name}: blocks", bool(blocks), True)
    expect_in(f"{name}: verify", " sections are right",
              sluice("checkpoint", "verify", run.checkpoints).stdout)
    shown = sluice("checkpoint", "show", run.checkpoints).stdout
    expect_in(f"{name}: show", "  sums: map<uint64, uint64> = {0:", shown)
    # Each folder has all that it needs.
    for other in folders(run.checkpoints)[:-1]:
        number = str(int(os.path.basename(os.path.dirname(other))))
        expect("remove", sluice("checkpoint", "remove", run.checkpoints, number).returncode, 0)
    shutil.copytree(last, last + ".copy")
    shutil.rmtree(last)
    os.rename(last + ".copy", last)
    run.run(0.2, 0.6, kills=12)
    expect(f"{name}: the same", is_wanted(run.data), True)

# A small part changes: what is written is small, and files are those of earlier checkpoints, too.
state = os.path.join(FOLDER, "once")
data = os.path.join(FOLDER, "once.data")
os.makedirs(data)
out = sluice("run", source, f"--data-dir={data}", f"--checkpoint={state}", "--stats",
             "--checkpoint-every=20ms", "--checkpoint-keep=1000")
expect("exit code", out.returncode, 0)
expect("increments: the same", is_wanted(data), True)
own = [path for path in glob.glob(state + "/0*/blocks.*")
       if int(path.rsplit(".", 1)[1]) == int(os.path.basename(os.path.dirname(path)))]
expect("some are linked", any(os.stat(path).st_nlink > 1 for path in own), True)
expect("some are small", min(os.path.getsize(path) for path in own) < 200_000, True)
expect("some are whole", max(os.path.getsize(path) for path in own) > 3_000_000, True)
expect("verify", sluice("checkpoint", "verify", state).returncode, 0)

# A file of blocks that was changed, or is gone, is named.
last = os.path.dirname(folders(state)[-1])
path = random.Random(SEED).choice(sorted(glob.glob(last + "/blocks.*")))
with open(path, "r+b") as file:
    file.seek(5000)
    file.write(b"xyz")
out = sluice("checkpoint", "verify", state, str(int(os.path.basename(last))))
expect("a changed file", out.returncode, 1)
expect_in("a changed file", path + ": the bytes of chunk 1 of Sums.sums have changed", out.stderr)
os.remove(path)
expect_in("a file that is gone", "cannot open " + path,
          sluice("checkpoint", "verify", state, str(int(os.path.basename(last)))).stderr)
