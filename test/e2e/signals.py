# RUN: %python %s
"""SIGINT and SIGTERM: sources stop, what was submitted drains, exit code 0."""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, MODES, TIMEOUT, expect, finish, sluice, write  # noqa: E402

source = write("Endless.spl", """composite Endless {
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
""")
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
            if command == [built]: # that was said when it was built
                options = [option for option in options if not option.startswith("--boundaries")]
            process = subprocess.Popen([*command, "--data-dir", DATA, *options], stdout=subprocess.PIPE, text=True)
            wait_until_running(process)
            process.send_signal(number)
            text, _ = process.communicate(timeout=TIMEOUT)
            expect(what + ": exit code", process.returncode, 0)
            lines = sorted(text.splitlines())
            expect(what + ": lines", [line.split()[0] for line in lines], ["count", "last"])
            if len(lines) == 2:  # everything that was submitted arrived
                expect(what + ": drained", int(lines[0].split()[1]), int(lines[1].split()[1]) + 1)
finish()
