# REQUIRES: slow
# RUN: %python %s
"""A PE that dies or fails: what is said, the exit code, and --restart."""

import glob
import os
import re
import signal
import socket
import time

from Inputs.jobs import build, children, end, pes, run, start, until
from Inputs.support import FOLDER, expect, expect_in, files_below, finish

app = build()
runtime = os.path.join(FOLDER, "runtime")
os.mkdir(runtime, 0o700)
os.environ["XDG_RUNTIME_DIR"] = runtime
SLOW = [app, "count=4000000000", "period=0.001"]
KILLED = (
    "was ended by signal 9 (Killed): "
    "tuples that were in it or on their way to it or from it are lost"
)


def start_slow(*options):
    process = start(*SLOW, *options)
    found = pes(process)
    time.sleep(0.5)
    return process, found


for pe in range(3):
    process, found = start_slow()
    os.kill(found[pe], signal.SIGKILL)
    out, errors, code = end(process)
    expect(f"PE {pe} is killed", (errors, code), (f"Counting: error: PE {pe} {KILLED}\n", 137))
process, found = start_slow()
os.kill(found[0], signal.SIGALRM)
out, errors, code = end(process)
expect_in("another signal", "PE 0 was ended by signal 14 (Alarm clock)", errors)
expect("another signal", code, 142)

# Before the PEs have met: nobody waits for the one that is gone.
for pe in range(3):
    began = time.monotonic()
    process = start(*SLOW)
    os.kill(pes(process)[pe], signal.SIGKILL)
    out, errors, code = end(process)
    expect(f"PE {pe} is killed at once", (errors.count("error:"), code), (1, 137))
    expect_in(f"PE {pe} is killed at once", f"Counting: error: PE {pe} {KILLED}\n", errors)
    expect("the others do not wait", time.monotonic() - began < 20, True)

# The 20th tuple that PE 1 gets makes it fail, in each of its lives.
FAILING = """composite Failing {
  graph
    stream<int64 n> Numbers = Beacon() {
      param period : 0.001;
      output Numbers : n = (int64) IterationCount();
    }
    stream<int64 n> Middle = Custom(Numbers) {
      logic
        state : mutable int64 count = 0l;
        onTuple Numbers : { count++; assert(count < 20l); submit(Numbers, Middle); }
    }
    () as Sink = Custom(Middle) { logic onTuple Middle : if (n < 0l) printStringLn("never"); }
}
"""
failing = build("failing", FAILING)
for restarts in range(3):
    out, errors, code = run(failing, *[f"--restart={restarts}"] * (restarts > 0))
    expect("a PE fails", (out, code), ("", 1))
    expect("it says what failed", errors.count("operator Middle: assertion failed"), restarts + 1)
    told = re.findall(r"PE 1 has failed \(exit code 1\): .* again \(restart (\d) of \d\)", errors)
    expect("it is started again", told, [str(n + 1) for n in range(restarts)])

down = build("down", FAILING.replace("Failing", "Down").replace(
    "submit(Numbers, Middle); }", "submit(Numbers, Middle); }\n      config restartable : false;"))
out, errors, code = run(down, "--restart=2")
expect("config restartable", (out, code, errors.count("assertion failed")), ("", 1, 1))
expect_in("config restartable", "It is not started again, as `config restartable` of an operator "
          "in it is false, and the job ends", errors)


# Killed and started again: the others go on, and the message says what is lost.
def restarted(pe, process, before):
    """Waits for the new PE; all of them."""
    new = until("a new PE", lambda: set(children(process)) - set(before))
    time.sleep(1)  # it connects
    return before[:pe] + [new.pop()] + before[pe + 1 :]


for pe in range(3):
    process, found = start_slow("--restart=3")
    for times in range(2):
        os.kill(found[pe], signal.SIGKILL)
        found = restarted(pe, process, found)
    process.send_signal(signal.SIGTERM)
    out, errors, code = end(process)
    expect(f"PE {pe} is started again: exit code", code, 0)
    for times in (1, 2):
        told = f"state of its operators. It is started again (restart {times} of 3)\n"
        expect_in(f"PE {pe} is started again", f"PE {pe} {KILLED}, and the {told}", errors)
    match = re.fullmatch(r"count (\d+) last (\d+) gaps (\d)\n", out)
    expect(f"PE {pe}: there is a result: {out}", bool(match), True)
    if not match:
        continue
    count, last, gaps = map(int, match.groups())
    expect(f"PE {pe}: not all was lost", count > 0, True)
    lost = re.findall(r"PE \d was started again: of this stream up to \d+ batch(?:es)? of", errors)
    expect(f"PE {pe}: it is said what is lost", bool(lost), pe > 0)

# More often than that.
process, found = start_slow("--restart=1")
os.kill(found[1], signal.SIGKILL)
found = restarted(1, process, found)
os.kill(found[1], signal.SIGKILL)
out, errors, code = end(process)
expect("once too often", (code, errors.count("Killed")), (137, 2))
expect_in("once too often", "lost. It is not started again: --restart=1 allows no more", errors)

# A stream that ends while its receiver is started again ends there, and one that has ended before
# as well: PE 0 has ended then, and the rest of the job finishes.
for count in (300, 900):
    process = start(app, f"count={count}", "period=0.001", "--restart=1")
    found = pes(process)
    time.sleep(0.25)
    os.kill(found[1], signal.SIGSTOP)
    time.sleep(0.5)
    os.kill(found[1], signal.SIGKILL)
    out, errors, code = end(process)
    expect(f"the end of {count}", (out.startswith("count "), code), (True, 0))


# What is no PE and speaks at the control socket is refused, and named. The job goes on.
def garbage(what, data, part):
    process, found = start_slow("--trace-level=warn")
    path = glob.glob(os.path.join(runtime, "*", "pe1.sock"))[0]
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
        s.recv(2000)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    out, errors, code = end(process)
    expect(what + ": the job goes on", (out.endswith(" gaps 0\n"), code), (True, 0))
    expect_in(what, "Counting: warning: PE 1 refused a connection: ", errors)
    expect_in(what, f"process {os.getpid()}", errors)
    expect_in(what, part, errors)


def word(number):
    return number.to_bytes(4, "little")


hello = b"SHLO" + word(6) + b"\1" * 56 + bytes(8)
garbage("garbage", b"GET / HTTP/1.1\r\n" * 100, "does not speak the protocol")
garbage("nothing", b"", "closed the connection without a hello")
garbage("a wrong token", hello + word(4) + word(0) + b"addr", "does not have the token of this job")
garbage("a long address", hello + word(2**31 - 1) + word(0), "an address of 2147483647 bytes")
expect("left over", files_below(runtime), [])
finish()
