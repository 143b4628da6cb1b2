# REQUIRES: slow
# RUN: %python %s
"""An Import that is slow or stands still, with both policies: memory is bounded, and what is to wait
waits."""

import re
import signal
import time

from Inputs.exchange import Running, jobs, links, until
from Inputs.jobs import build
from Inputs.support import expect, expect_in, finish


def numbers(name, policy):
    """Exports numbers as fast as it can; shows each 10000th."""
    return build(name, f"""composite {name} {{
  graph
    stream<int64 n, rstring text> Numbers = Beacon() {{
      output Numbers : n = (int64) IterationCount(), text = "a text that is not short at all";
    }}
    () as Ex = Export(Numbers) {{ param streamId : "n"; congestionPolicy : {policy}; }}
    () as Show = Custom(Numbers) {{
      logic onTuple Numbers : if (n % 10000l == 0l) printStringLn((rstring) n);
    }}
}}
""", pes=1)  # fmt: skip


# Says where numbers are missing.
counting = build("Counting", """composite Counting {
  graph
    stream<int64 n, rstring text> Numbers = Import() { param streamId : "n"; }
    () as Count = Custom(Numbers) {
      logic
        state : { mutable int64 last = -1l; mutable int64 gaps = 0l; mutable int64 wrong = 0l; }
        onTuple Numbers : {
          if (last >= 0l && n != last + 1l) gaps++;
          if (n <= last) wrong++;
          last = n;
        }
        onPunct Numbers : printStringLn("gaps " + (rstring) gaps + " wrong " + (rstring) wrong);
    }
}
""", pes=1)  # fmt: skip


def memory(process):
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) // 1024


def made(process):
    """What it has shown last, once that has not changed for a while, or for long."""
    seen, since, began = None, 0, time.monotonic()
    while time.monotonic() - began < 10:
        now = process.out[-1] if process.out else None
        if now != seen:
            seen, since = now, time.monotonic()
        elif time.monotonic() - since > 1.5:
            break
        time.sleep(0.05)
    return seen


# wait: the exporter stands still as long as the importer does, and then goes on.
source = Running(numbers("Waiting", "wait"))
sink = Running(counting)
links(1)
sink.process.send_signal(signal.SIGSTOP)
before = made(source)
expect("it waits", made(source), before)
# Who else takes the stream waits as well; nothing grows.
expect("its memory", memory(source) < 400, True)
sink.process.send_signal(signal.SIGCONT)
until("it goes on", lambda: source.out[-1] != before)
out, errors, code = sink.end()
expect("nothing is missing", (out, errors, code), ("gaps 0 wrong 0\n", "", 0))
# It stands still, and the exporter is told to end: it does not wait for ever.
sink = Running(counting)
links(1)
sink.process.send_signal(signal.SIGSTOP)
made(source)
out, errors, code = source.end()
expect_in("the exporter ends", f"warning: operator Ex: the Import Numbers of Counting (process "
          f"{sink.pid}) has not taken all until the program ended\n", errors)  # fmt: skip
expect("the exporter ends", code, 0)
sink.process.send_signal(signal.SIGCONT)
expect("the importer goes on", sink.end()[2], 0)

# One that is killed while the exporter waits for it.
source = Running(numbers("Waiting", "wait"))
sink = Running(counting)
links(1)
sink.process.send_signal(signal.SIGSTOP)
before = made(source)
sink.end(signal.SIGKILL)
until("it goes on", lambda: source.out[-1] != before)
expect("the exporter ends", source.end()[1:], ("", 0))

# dropConnection: the exporter goes on. The importer is cut off, said once, and connects again.
source = Running(numbers("Dropping", "dropConnection"))
sink, other = Running(counting), Running(counting)
links(2)
sink.process.send_signal(signal.SIGSTOP)
SLOW = (
    f"warning: operator Ex: the Import Numbers of Counting (process {sink.pid}) is too slow: "
    "its connection is cut\n"
)
until("it is cut", lambda: any(line.endswith(SLOW) for line in source.errors))
until("it is gone", lambda: f"(process {sink.pid})" not in jobs(silent=sink))
before = source.out[-1]
until("the exporter goes on", lambda: source.out[-1] != before)
expect("its memory", memory(source) < 400, True)
sink.process.send_signal(signal.SIGCONT)
until("it is there again", lambda: f"(process {sink.pid})" in jobs())
out, errors, code = sink.end()
expect("it has gaps", re.match(r"gaps [1-9]\d* wrong 0\n$", out) is not None, True)
expect("it ends", code, 0)
other.end()
errors, code = source.end()[1:]
expect("it was said once", errors.count(SLOW), 1)
expect("the exporter ends", code, 0)
finish()
