# REQUIRES: slow
# RUN: %python %s
"""Checkpoints of several processes: stops and deaths at any moment, another number of processes from
run to run, a program to which an operator was added, the end by shutdownPE()."""

import os
import random
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

# What it writes does not depend on the pace of anything.
SOURCE = """composite Main {
  graph
    %s
    stream<int64 n, rstring k> In = Custom() {
      logic onProcess : {
        mutable int64 i = 0l;
        while (i < 40000l) {
          submit({n = i, k = "k" + (rstring)(i %% 97l)}, In);
          i++;
          if (i %% 400l == 0l)
            block(0.01);
        }
      }
    }
    stream<rstring k, int64 sum, int64 count> Sums = Custom(In) {
      logic
        state : {
          mutable map<rstring, int64> sums = {};
          mutable int64 count = 0l;
        }
        onTuple In : {
          count++;
          if (!(k in sums))
            sums[k] = 0l;
          sums[k] += n;
          if (count %% 10l == 0l)
            submit({k = k, sum = sums[k], count = count}, Sums);
        }
    }
    () as Out = FileSink(Sums) { param file : "out.csv"; }
}
"""
ADDED = """stream<int32 n> First = Beacon() { param iterations : 3; }
    () as Last = Custom(First) { }"""


def build(name, text, pes):
    path = os.path.join(FOLDER, f"{name}{pes}")
    source = write(f"{name}.spl", text)
    expect("build", sluice("build", source, "-o", path, f"--pes={pes}").stderr, "")
    return path


plain = {pes: build("Main", SOURCE % "", pes) for pes in (1, 2, 3)}
sums, wanted = [0] * 97, []
for n in range(40000):
    sums[n % 97] += n
    if (n + 1) % 10 == 0:
        wanted.append(f'"k{n % 97}",{sums[n % 97]},{n + 1}')


class Job:
    def __init__(self, name):
        self.data, self.state = os.path.join(FOLDER, name), os.path.join(FOLDER, name + ".state")
        os.mkdir(self.data)

    def start(self, program, *options):
        return subprocess.Popen(
            [program, f"--data-dir={self.data}", f"--checkpoint={self.state}", "--resume",
             "--checkpoint-every=20ms", *options],
            stderr=subprocess.PIPE, text=True, start_new_session=True)  # fmt: skip

    def check(self, name):
        with open(os.path.join(self.data, "out.csv"), encoding="utf-8") as file:
            expect(name, file.read().splitlines() == wanted, True)

    def checkpoints(self):
        return [each for each in os.listdir(self.state) if each != "lock"]


def children(process):
    found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, check=False)
    return [int(each) for each in found.stdout.split()]


def await_checkpoint(job, process, but=()):
    """Waits for one that is not among those."""
    for _ in range(TIMEOUT * 100):
        if process.poll() is not None:
            break
        if os.path.isdir(job.state) and set(job.checkpoints()) - set(but):
            return
        time.sleep(0.01)
    raise AssertionError("no checkpoint was made")


def end(process):
    return process.communicate(timeout=TIMEOUT)[1]


# Another number of processes from run to run.
job = Job("widths")
for pes in (3, 1, 2, 3):
    process = job.start(plain[pes])
    await_checkpoint(job, process, job.checkpoints() if os.path.isdir(job.state) else ())
    process.send_signal(signal.SIGTERM)
    expect_in(f"stop {pes}", "stopped with checkpoint", end(process))
    expect(f"exit {pes}", process.returncode, 0)
process = job.start(build("Main", SOURCE % ADDED, 2))  # one more in front of the others
expect("added", end(process), "")
job.check("another number of processes")

# One dies: all go on.
chance = random.Random(1)
job = Job("restart")
process = job.start(plain[3], "--restart=3")
for _ in range(3):
    await_checkpoint(job, process, job.checkpoints() if os.path.isdir(job.state) else ())
    os.kill(chance.choice(children(process)), signal.SIGKILL)
    time.sleep(0.05)
said = end(process)
expect_in("restart", "All PEs go on from the last checkpoint (restart 3 of 3)", said)
expect("exit of a job that was started again", process.returncode, 0)
job.check("started again")

# The launcher dies: its PEs end with a checkpoint.
job = Job("launcher")
process = job.start(plain[3])
await_checkpoint(job, process)
process.kill()
expect_in("launcher", "stopped with checkpoint", end(process))
process = job.start(plain[3])
expect("launcher", end(process), "")
job.check("without a launcher")

# The program ends itself: what was submitted until then is drained, as without checkpoints.
ENDS = """() as Ends = Custom() {
      logic onProcess : {
        block(0.3);
        shutdownPE();
      }
    }"""
job = Job("shutdown")
process = job.start(build("Ends", SOURCE % ENDS, 3))
expect("shutdownPE", (end(process), process.returncode), ("", 0))
listed = sluice("checkpoint", "list", job.state).stdout
expect_in("a checkpoint of the end", "at its end", listed.splitlines()[-1])
with open(os.path.join(job.data, "out.csv"), encoding="utf-8") as out:
    rows = out.read().splitlines()
expect("a beginning", 0 < len(rows) < len(wanted) and rows == wanted[: len(rows)], True)

# What is refused is no death.
process = job.start(plain[3], "--resume-from=999999", "--restart=3")
said = end(process)
expect_in("refused", "there is no checkpoint 999999", said)
expect("refused once", (process.returncode, said.count("\n")), (1, 1))

# The time for going on is bounded in all of them, and that is no death.
short = SOURCE.replace("    stream<int64 n, rstring k> In", """    @consistent(trigger = periodic, period = 0.05, resetTimeout = 1.0e-9)
    stream<int64 n, rstring k> In""", 1)  # fmt: skip
job = Job("short")
program = build("Short", short % "", 3)
process = job.start(program)
await_checkpoint(job, process)
process.send_signal(signal.SIGTERM)
end(process)
process = job.start(program, "--restart=3")
said = end(process)
expect_in("resetTimeout", "that took longer than resetTimeout allows", said)
expect("resetTimeout", (process.returncode, "restart 1" in said), (1, False))

# State that was let go once is not let go again.
job = Job("drop")
process = job.start(plain[3])
await_checkpoint(job, process)
process.send_signal(signal.SIGTERM)
end(process)
process = job.start(plain[3], "--resume-drop=Sums", "--restart=1")
await_checkpoint(job, process, job.checkpoints())
await_checkpoint(job, process, job.checkpoints())
os.kill(children(process)[0], signal.SIGKILL)
expect_in("drop", "restart 1 of 1", end(process))
with open(os.path.join(job.data, "out.csv"), encoding="utf-8") as out:
    counts = [int(line.split(",")[2]) for line in out]
resets = sum(after <= before for before, after in zip(counts, counts[1:]))
expect("dropped once", (process.returncode, resets), (0, 1))

# PE 0 dies while the others stay for a checkpoint: they end.
SLOW = """() as Slow = Custom(Throttled) { }
    stream<int64 n, rstring k> Throttled = Throttle(In) { param rate : 3.0; }"""
job = Job("slow")
process = job.start(build("Slow", SOURCE % SLOW, 3))
time.sleep(0.7)
listed = subprocess.run(["pgrep", "-P", str(process.pid), "-x", "pe0 Main"],
                        capture_output=True, text=True, check=False).stdout.split()  # fmt: skip
os.kill(int(listed[0]), signal.SIGKILL)
expect_in("PE 0", "PE 0 was ended by signal 9", end(process))
expect("PE 0", process.returncode, 128 + signal.SIGKILL)

# PEs that are started one by one make none, and say so.
job_file = os.path.join(FOLDER, "job.toml")
result = subprocess.run([plain[3], "--pe=0", f"--job={job_file}", f"--checkpoint={job.state}"],
                        capture_output=True, text=True, check=False)  # fmt: skip
expect_in("--pe", "--checkpoint is not supported yet with --pe", result.stderr)
finish()
