# REQUIRES: slow
# RUN: %python %s
"""ExternalSort: killed it leaves nothing; a full device and a broken file are clear errors, by
io_uring and by threads. SLUICE_KILLS=50 kills it as often as that."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

KILLS = int(os.environ.get("SLUICE_KILLS", 10))

scratch = os.path.join(FOLDER, "scratch")
os.mkdir(scratch)
source = write(
    "Sorted.spl",
    """use sluice.external::*;
composite Sorted {
  param
    expression<uint32> $rows : (uint32) getSubmissionTimeValue("rows");
    expression<rstring> $scratch : getSubmissionTimeValue("scratch");
  graph
    stream<uint64 x> In = Beacon() {
      param iterations : $rows;
      output In : x = hashCode(IterationCount());
    }
    stream<In> Out = ExternalSort(In) { param key : x; memory : "4MiB"; scratch : $scratch; }
    () as Last = Custom(Out) {
      logic state : {
        mutable uint64 rows = 0;
        mutable uint64 last = 0;
        mutable boolean ordered = true;
      }
      onTuple Out : {
        rows++;
        ordered = ordered && x >= last;
        last = x;
        if (rows == 10ul) block(0.05);
      }
      onPunct Out : if (currentPunct() == Sys.FinalMarker) println({r = rows, o = ordered});
    }
}
""",
)
program = os.path.join(FOLDER, "sorted")
expect("build", sluice("build", source, "-o", program).stderr, "")


def start(rows, directory=scratch, before=()):
    return subprocess.Popen([*before, program, f"rows={rows}", f"scratch={directory}"],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def has_scratch_file(process):
    """The descriptor of its scratch file; None: there is none."""
    try:
        for fd in os.listdir(f"/proc/{process.pid}/fd"):
            path = f"/proc/{process.pid}/fd/{fd}"
            if os.readlink(path).startswith(scratch):
                return path
    except OSError:
        pass
    return None


def scratch_file(process):
    """The same, when there is one."""
    for _ in range(1000):
        if path := has_scratch_file(process):
            return path
        time.sleep(0.005)
    return None


out = start(3000000)
expect("sorts", out.communicate(timeout=100), ("{r=3000000,o=true}\n", ""))
# The kernel refuses io_uring: threads do the same.
if shutil.which("strace"):
    refuse = ["strace", "-f", "-o", os.path.join(FOLDER, "calls"), "-e", "trace=io_uring_setup"]
    refuse += ["-e", "inject=io_uring_setup:error=ENOSYS"]
    out = start(3000000, before=refuse)
    expect("sorts by threads", out.communicate(timeout=100), ("{r=3000000,o=true}\n", ""))

# Half of the moments are while it fills and merges scratch files.
open_files = 0
for kill in range(KILLS):
    process = start(20000000)
    if kill % 2:
        scratch_file(process)
    time.sleep(random.random())
    open_files += has_scratch_file(process) is not None
    process.kill()
    process.communicate(timeout=100)
    expect("ends by the signal", process.returncode, -signal.SIGKILL)
    expect("leaves nothing", os.listdir(scratch), [])
print(f"{KILLS} kills, {open_files} of them while there was a scratch file")
expect("there were scratch files", open_files > 0, True)

# A scratch file that ends before its time cannot be read.
process = start(3000000)
path = scratch_file(process)
while path and os.stat(path).st_size < 20 << 20 and process.poll() is None:
    time.sleep(0.002)
os.truncate(path, 1 << 20)
stdout, stderr = process.communicate(timeout=100)
expect("exit code", process.returncode, 1)
expect_in("names the file and the offset", f"cannot read a scratch file in {scratch} at ", stderr)

# A device that is full.
full = os.path.join(FOLDER, "full")
os.mkdir(full)
script = f"mount -t tmpfs -o size=8M none {full} && exec {program} rows=3000000 scratch={full}"
out = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True)
if "mount:" in out.stderr or "unshare:" in out.stderr:
    print("a full device was not tried: this user may not mount one")
else:
    expect("exit code", out.returncode, 1)
    expect_in("says what is wrong", f"cannot write to a scratch file in {full} at ", out.stderr)
    expect_in("says how much is missing", "bytes more are needed", out.stderr)
    expect_in("says what to do", "Name a directory with more room by `scratch`", out.stderr)
finish()
