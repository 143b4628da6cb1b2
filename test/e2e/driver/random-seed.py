# RUN: %python %s
"""random() differs from run to run, unless --seed or a deterministic mode says otherwise."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

program = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 n> S = Beacon() { param iterations : 3u; }
    () as P = Custom(S) { logic onTuple S : println((rstring) random() + " " + (rstring) random(2)); }
}
""",
)
application = os.path.join(FOLDER, "app")
expect("build", sluice("build", program, "-o", application).returncode, 0)


def both(*options):
    """What `sluice run` and the executable print."""
    run = sluice("run", program, *options)
    built = subprocess.run([application, *options], capture_output=True, text=True, check=False)
    expect(f"{options}", (run.returncode, built.returncode), (0, 0))
    return run.stdout, built.stdout


expect("each run is different", len({*both(), *both()}), 4)
seeded = both("--seed=7")
again = {*seeded, *both("--seed", "7"), *both("--seed=7", "--batch-rows=1")}
expect("a seed fixes it", again, {seeded[0]})
expect("another seed, others", len({*both("--seed=8"), *both("--seed=4294967295"), seeded[0]}), 3)
for mode in ("--deterministic", "--clock=virtual"):
    expect(mode, {*both(mode), *both(mode)}, {both("--seed=1")[0]})
    expect(mode + " with a seed", {*both(mode, "--seed=7")}, {seeded[0]})
write(
    "Srand.spl",
    """composite Srand {
  graph
    stream<int32 n> S = Beacon() { param iterations : 1u; }
    () as P = Custom(S) { logic onTuple S : if (srand(5) == 0) println(random()); }
}
""",
)
expect("srand", sluice("run", "Srand.spl").stdout, sluice("run", "Srand.spl", "--seed=3").stdout)
for wrong in ("0", "x", "-1", "4294967296"):
    out = sluice("run", program, "--seed=" + wrong)
    expect("--seed=" + wrong, out.returncode, 2)
    expect_in(wrong, "--seed needs a number from 1 to 4294967295", out.stderr)
for command in (["sluice", "run", "--help"], [application, "--help"]):
    out = subprocess.run(command, capture_output=True, text=True, check=False)
    expect_in("help", "--seed", out.stdout)
finish()
