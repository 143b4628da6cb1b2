# REQUIRES: slow
# RUN: %python %s
"""--restart in a program of one process: who is killed goes on from the last checkpoint. And
`sluice checkpoint now`, which asks a run for one."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

ROWS = 400
source = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 n> In = Custom() {
      logic onProcess : {
        mutable int32 i = 0;
        while (i < %d) {
          submit({n = i}, In);
          i++;
          block(0.01);
        }
      }
    }
    stream<int32 n, int64 sum> Sum = Custom(In) {
      logic
        state : mutable int64 sum = 0;
        onTuple In : {
          sum += (int64) n;
          submit({n = n, sum = sum}, Sum);
        }
    }
    () as Out = FileSink(Sum) { param file : "out.csv"; }
}
"""
    % ROWS,
)
program = os.path.join(FOLDER, "app")
expect("build", sluice("build", source, "-o", program).stderr, "")
wanted = [f"{n},{n * (n + 1) // 2}" for n in range(ROWS)]


class Run:
    def __init__(self, name, *options):
        self.data, self.state = os.path.join(FOLDER, name), os.path.join(FOLDER, name + ".state")
        os.mkdir(self.data)
        self.process = subprocess.Popen(
            [program, f"--data-dir={self.data}", f"--checkpoint={self.state}", *options],
            stderr=subprocess.PIPE, text=True)  # fmt: skip

    def child(self, but=0):
        """The number of the process that makes checkpoints, when it is not that one."""
        for _ in range(TIMEOUT * 100):
            try:
                with open(os.path.join(self.state, "lock"), encoding="utf-8") as file:
                    number = int(file.read() or 0)
            except OSError:
                number = 0
            if number not in (0, but):
                return number
            time.sleep(0.01)
        sys.exit("nobody makes checkpoints")

    def await_checkpoint(self, number):
        while not os.path.exists(os.path.join(self.state, f"{number:06}", "MANIFEST")):
            time.sleep(0.005)

    def end(self):
        return self.process.communicate(timeout=TIMEOUT)[1]

    def rows(self):
        with open(os.path.join(self.data, "out.csv"), encoding="utf-8") as file:
            return file.read().splitlines()


# Killed twice, and started again both times.
run = Run("killed", "--checkpoint-every=20ms", "--checkpoint-keep=100", "--restart=2")
child = run.child()
for kill in 1, 2:
    run.await_checkpoint(4 * kill)
    os.kill(child, signal.SIGKILL)
    child = run.child(but=child)
errors = run.end()
expect("restarts", (run.process.returncode, run.rows()), (0, wanted))
expect_in("the first", "Main: error: the program was ended by signal 9 (Killed). It is started "
          "again and goes on from its last checkpoint (restart 1 of 2)", errors)  # fmt: skip
expect_in("the second", "(restart 2 of 2)", errors)

# Killed too often: --resume goes on.
run = Run("often", "--checkpoint-every=20ms", "--restart=1")
child = run.child()
run.await_checkpoint(2)
os.kill(child, signal.SIGKILL)
os.kill(run.child(but=child), signal.SIGKILL)
errors = run.end()
expect("too often", run.process.returncode, 128 + signal.SIGKILL)
expect_in("too often", "It is not started again: --restart=1 allows no more", errors)
done = sluice("run", source, f"--data-dir={run.data}", f"--checkpoint={run.state}", "--resume")
expect("resumed", (done.returncode, run.rows()), (0, wanted))

# Told to end: by a signal to who has started it.
run = Run("told", "--checkpoint-every=1000s", "--restart=5")
run.child()
while not os.path.exists(os.path.join(run.data, "out.csv")):
    time.sleep(0.01)
run.process.send_signal(signal.SIGTERM)
errors = run.end()
expect("told to end", run.process.returncode, 0)
expect_in("told to end", "Main: stopped with checkpoint 1 in " + run.state, errors)
expect("told to end", "started again" in errors, False)

# A failure is none for --restart, as the same tuple would come again.
again = sluice("run", source, f"--checkpoint={run.state}", "--restart=5")
expect("a failure", (again.returncode, again.stderr.count("error:")), (1, 1))
useless = sluice("run", source, f"--data-dir={run.data}", "--restart=5")
expect_in("no checkpoints", "--restart=5 has no effect", useless.stderr)

# Asked for.
run = Run("asked", "--checkpoint-every=1000s")
run.child()
for number in 1, 2:
    done = sluice("checkpoint", "now", run.state)
    expect("now", (done.returncode, done.stdout, done.stderr), (0, f"checkpoint {number}\n", ""))
shown = sluice("checkpoint", "show", run.state, "1")
expect_in("what was asked for", "Sum\n  sum: int64 = ", shown.stdout)
run.process.send_signal(signal.SIGKILL)
run.end()
done = sluice("checkpoint", "now", run.state)
expect("nothing runs", done.returncode, 1)
expect_in("nothing runs", "sluice: no run makes checkpoints in " + run.state, done.stderr)
done = sluice("checkpoint", "now", os.path.join(FOLDER, "nowhere"))
expect_in("no directory", "sluice: no run makes checkpoints in ", done.stderr)
done = sluice("run", source, f"--data-dir={run.data}", f"--checkpoint={run.state}", "--resume")
expect("resumed after that", (done.returncode, run.rows()), (0, wanted))

# abort() is a crash that the program makes: in one process, and in several.
ABORTS = write(
    "Aborts.spl",
    """composite Aborts {
  graph
    @consistent(trigger = operatorDriven)
    stream<int32 i> In = Beacon() {
      param iterations : 20000; triggerCount : 1000u;
      output In : i = (int32) IterationCount();
      config placement : partitionExlocation("each");
    }
    stream<int32 i, int64 sum> Sums = Custom(In) {
      logic
        state : mutable int64 sum = 0;
        onTuple In : {
          int32 count = getRelaunchCount();
          if (count < 3 && i == 5555 + 4000 * count) abort();
          sum += (int64) i;
          submit({i = i, sum = sum}, Sums);
        }
      config placement : partitionExlocation("each");
    }
    () as Out = FileSink(Sums) { param file : "sums.csv"; }
}
""",
)
sums = [f"{n},{n * (n + 1) // 2}" for n in range(20000)]
for name, *options in ("one",), ("two", "--pes=2"):
    app = os.path.join(FOLDER, "aborts-" + name)
    expect("build", sluice("build", ABORTS, "-o", app, *options).stderr, "")
    for restarts, code in (3, 0), (2, 1):
        data = os.path.join(FOLDER, f"{name}.{restarts}")
        os.mkdir(data)
        out = subprocess.run(
            [app, f"--data-dir={data}", f"--checkpoint={data}.state", f"--restart={restarts}"],
            capture_output=True, text=True, timeout=TIMEOUT, check=False)  # fmt: skip
        expect(f"{name}, restarts: {restarts}", out.returncode, code)
        expect(f"{name}: said", out.stderr.count("abort() was called"), 3)
        expect_in(f"{name}: said", f"(restart {restarts} of {restarts})", out.stderr)
        if not code:
            with open(os.path.join(data, "sums.csv"), encoding="utf-8") as file:
                expect(f"{name}: the sums", file.read().split() == sums, True)

finish()
