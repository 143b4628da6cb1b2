# REQUIRES: slow
# RUN: %python %s
"""--checkpoint-budget: checkpoints wait until the last one has cost little enough."""

import os
import re

from Inputs.support import FOLDER, expect, expect_in, sluice, write

SECONDS = 3
source = write("Main.spl", """composite Main {
  graph
    stream<int64 n> In = Beacon() {
      param period : 0.0001;
    }
    () as Kept = Custom(In) {
      logic
        state : {
          mutable map<int64, rstring> kept = {};
          mutable float64 began = getTimestampInSecs();
        }
        onTuple In : {
          if (size(kept) == 0)
            for (int32 i in range(20000))
              kept[(int64) i] = "a text that is longer than what is inline " + (rstring) i;
          kept[n % 20000l] = (rstring) n;
          if (getTimestampInSecs() - began > SECONDS)
            shutdownPE();
        }
    }
}
""".replace("SECONDS", f"{SECONDS}.0"))


def measure(name, *options):
    """How many were made, how far apart, and for how many ms sources stood still in all."""
    out = sluice("run", source, f"--checkpoint={os.path.join(FOLDER, name)}", "--stats", *options)
    expect(f"{name}: exit code", out.returncode, 0)
    made, apart = re.search(r"(\d+) made, one each ([\d.]+) s", out.stderr).groups()
    still = re.search(r"([\d.]+) ms in all", out.stderr).group(1)
    return int(made), float(apart), float(still)


free, apart, still = measure("free", "--checkpoint-every=5ms")
made, wide, cost = measure("budget", "--checkpoint-every=5ms", "--checkpoint-budget=1%")
print(f"without: {free} made, {apart} s apart, {still} ms; budget: {made}, {wide} s, {cost} ms")
expect("a budget makes fewer", made < free / 2 and wide > 2 * apart, True)
expect("sources stand still for 1 % of the time, and at the end", cost < 30 * SECONDS, True)
for wrong in ("0%", "5", "101%", "x%"):
    out = sluice("run", source, f"--checkpoint={FOLDER}/wrong", f"--checkpoint-budget={wrong}")
    expect_in(wrong, "--checkpoint-budget needs a part like 5%", out.stderr)
