# REQUIRES: slow
# RUN: %python %s
"""SIGINT and SIGTERM: sources stop, what was submitted drains, exit code 0."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, MODES, TIMEOUT, expect, finish, sluice, write  # noqa: E402

source = write(
    "Endless.spl",
    """composite Endless {
  graph
    stream<int64 n> Numbers = Beacon() {
      output Numbers : n = (int64) IterationCount();
    }
    stream<int64 n> Tail = Custom(Numbers) {
      logic
        state : mutable int64 last = -1l;
        onTuple Numbers : {
          last = n;
          submit(Numbers, Tail);
        }
        onPunct Numbers : if (currentPunct() == Sys.FinalMarker) printStringLn("last " + (rstring) last);
    }
    () as Sink = Custom(Tail) {
      logic
        state : mutable int64 count = 0l;
        onTuple Tail : count++;
        onPunct Tail : if (currentPunct() == Sys.FinalMarker) printStringLn("count " + (rstring) count);
    }
    stream<int64 n> Running = Filter(Numbers) { param filter : n == 5000l; }
    () as Ready = FileSink(Running) { param file : "ready"; flush : 1u; }
}
""",
)
ready = os.path.join(DATA, "ready")


def wait_until_running(process):
    while process.poll() is None and not (os.path.exists(ready) and os.path.getsize(ready)):
        time.sleep(0.01)


built = os.path.join(FOLDER, "endless")
expect("building", sluice("build", source, "-o", built, "--boundaries=all").returncode, 0)
for command in ([built], ["sluice", "run", source]):
    for mode, options in MODES.items():
        for number in (signal.SIGINT, signal.SIGTERM):
            what = f"{os.path.basename(command[0])}, {mode}, {number.name}"
            if os.path.exists(ready):
                os.remove(ready)
            if command == [built]:  # that was said when it was built
                options = [option for option in options if not option.startswith("--boundaries")]
            process = subprocess.Popen(
                [*command, "--data-dir", DATA, *options], stdout=subprocess.PIPE, text=True
            )
            wait_until_running(process)
            process.send_signal(number)
            text, _ = process.communicate(timeout=TIMEOUT)
            expect(what + ": exit code", process.returncode, 0)
            lines = sorted(text.splitlines())
            expect(what + ": lines", [line.split()[0] for line in lines], ["count", "last"])
            if len(lines) == 2:  # everything that was submitted arrived
                expect(what + ": drained", int(lines[0].split()[1]), int(lines[1].split()[1]) + 1)

# Two signals at once are one, as where timeout(1) signals the process and the group. Those that a
# stopped process
# has got come at once, whatever else the machine does; two of the same kind the kernel makes one.
if os.path.exists(ready):
    os.remove(ready)
process = subprocess.Popen([built, "--data-dir", DATA], stdout=subprocess.PIPE, text=True)
wait_until_running(process)
for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
    process.send_signal(number)
text, _ = process.communicate(timeout=TIMEOUT)
expect("two at once", (process.returncode, len(text.splitlines())), (0, 2))

# A second one ends at once what does not end by itself.
STUCK = write(
    "Stuck.spl",
    """composite Stuck {
  graph
    stream<uint64 n> Numbers = Beacon() { param iterations : 10u; output Numbers : n = IterationCount(); }
    () as Ready = FileSink(Numbers) { param file : "ready"; flush : 1u; }
    () as Sink = Custom(Numbers) {
      logic
        state : mutable uint64 x = 1ul;
        onTuple Numbers : while (x != 0ul) x = x * 3ul | 1ul;
    }
}
""",
)
stuck = os.path.join(FOLDER, "stuck")
expect("building", sluice("build", STUCK, "-o", stuck).returncode, 0)
os.remove(ready)
process = subprocess.Popen([stuck, "--data-dir", DATA, "--batch-rows=1"])
wait_until_running(process)
process.send_signal(signal.SIGINT)
time.sleep(0.5)
expect("still there after the first", process.poll(), None)
end = time.monotonic() + TIMEOUT
while (
    process.poll() is None and time.monotonic() < end
):  # one that comes too soon, on a busy machine, is the same one
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
expect("a second one", process.poll(), 130)
process.kill()  # nothing, if it has ended
finish()
