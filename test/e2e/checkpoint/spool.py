# REQUIRES: slow
# RUN: %python %s
"""Sources that cannot bring again what they brought: with --spool, or before a ReplayableStart,
it is logged, and a program that was killed goes on with it. What it has written in the end is what
an undisturbed run writes, byte for byte."""

import atexit
import glob
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

ROWS = 400
MIDDLE = "stream<In> Rows = ReplayableStart(In) {}"
TEMPLATE = """composite %s {
  graph
    %s
    %s
    stream<int32 n, rstring text, int64 sum> Sums = Custom(Rows) {
      logic
        state : { mutable int64 sum = 0; mutable int32 marks = 0; }
        onTuple Rows : {
          sum += (int64) n;
          submit({n = n, text = text, sum = sum}, Sums);
        }
        onPunct Rows :
          if (currentPunct() == Sys.WindowMarker)
            submit({n = -1, text = "marks", sum = (int64) (marks++)}, Sums);
    }
    () as Out = FileSink(Sums) { param file : "out.csv"; flush : 1u; }
}
"""
TCP = """stream<int32 n, rstring text> In = TCPSource() {
      param role : server; port : (uint32) getSubmissionTimeValue("port"); format : csv;
        reconnectionPolicy : InfiniteRetry;
    }"""
UDP = """stream<int32 n, rstring text> In = UDPSource() {
      param port : (uint32) getSubmissionTimeValue("port"); format : csv;
    }"""
PIPE = """stream<int32 n, rstring text> In = FileSource() {
      param file : "/dev/stdin"; format : csv;
    }"""
PLAIN = "stream<In> Rows = Filter(In) {}"


def build(name, source, middle, *options):
    file = write(name + ".spl", TEMPLATE % (name, source, middle))
    program = os.path.join(FOLDER, name)
    expect("build", sluice("build", file, "-o", program, *options).stderr, "")
    return program


def free_port():
    """Below those that the system gives away: one could go while the program is killed."""
    while True:
        try:
            port = random.randrange(10000, 32000)
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            pass  # somebody has it


def row(n):
    return f'{n},"{"long " * (n % 40)}{n}"\n'


class Run:
    """A program that reads what this test sends, and is killed."""

    def __init__(self, program, name, *options, udp=False):
        self.data, self.state = os.path.join(FOLDER, name), os.path.join(FOLDER, name + ".state")
        os.mkdir(self.data)
        self.udp = udp
        self.port = free_port()
        self.command = [program, f"--data-dir={self.data}", f"--checkpoint={self.state}",
                        f"port={self.port}", *options]  # fmt: skip
        self.process = self.socket = None
        atexit.register(lambda: self.process and self.process.kill())

    def start(self, *options, **more):
        command = [*self.command, *options]
        if self.process and self.process.poll() is None:
            self.kill()
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                                        start_new_session=True, **more)  # fmt: skip
        return self

    def connect(self):
        if self.udp:
            while not any(self.listens(name) for name in ("udp", "udp6")):
                if self.process.poll() is not None:
                    raise OSError("it has ended")
                time.sleep(0.01)
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.connect(("127.0.0.1", self.port))
            return
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", self.port))
                return
            except OSError:
                if time.monotonic() > end:
                    sys.exit("it does not listen")
                if self.process.poll() is not None:
                    raise
                time.sleep(0.01)

    def listens(self, protocol):
        """Whether a process has the port: with TCP in state 0A, LISTEN."""
        with open("/proc/net/" + protocol, encoding="utf-8") as file:
            rows = [line.split()[1:4] for line in file][1:]
        return any(local.endswith(f":{self.port:04X}") and (protocol[:3] == "udp" or state == "0A")
                   for local, _, state in rows)  # fmt: skip

    def send(self, first, end):
        for n in range(first, end):
            self.socket.sendall(row(n).encode())

    def text(self):
        try:
            with open(os.path.join(self.data, "out.csv"), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""

    def await_prefix(self, text):
        """Whether what begins so is there again, once it has gone on."""
        end = time.monotonic() + TIMEOUT / 4
        while not self.text().startswith(text):
            if self.process.poll() is not None:
                raise OSError("it has died")
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    def numbers(self):
        """Of the rows that were written whole."""
        lines = self.text().split("\n")[:-1]
        return [int(line.split(",")[0]) for line in lines if not line.startswith("-")]

    def await_row(self, n):
        end = time.monotonic() + TIMEOUT
        while n not in self.numbers()[-1:]:
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"row {n} does not come, but {self.numbers()[-3:]}")
            time.sleep(0.005)

    def await_text(self, text):
        """Once it listens: what was there before is cut off at the checkpoint, and comes again."""
        end = time.monotonic() + TIMEOUT / 4
        while self.text() != text and time.monotonic() < end:
            time.sleep(0.01)
        return self.text()

    def await_rest(self):
        """The last row that was there, once no more come: what is behind it is sent again."""
        seen, since = -2, time.monotonic()
        while time.monotonic() - since < 0.15:
            last = self.numbers()[-1] if self.numbers() else -1
            if last != seen:
                seen, since = last, time.monotonic()
            time.sleep(0.01)
        return seen

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has died
        self.process.wait()
        if self.socket:
            self.socket.close()
        # The launcher is dead; a PE that still dies would take a connection of the next run.
        while any(self.listens(protocol) for protocol in ("tcp", "tcp6")):
            time.sleep(0.005)
        return self.process.stderr.read()

    def await_start(self):
        """Until all processes of it run, as each of them is part of a checkpoint."""
        end = time.monotonic() + TIMEOUT
        while "checkpoint" not in sluice("checkpoint", "now", self.state).stdout:
            if time.monotonic() > end:
                sys.exit("it makes no checkpoint")
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=TIMEOUT)[1]


def wanted(rows, marks=()):
    """What an undisturbed run has written when it got these rows. `marks`: rows before which a
    connection was ended."""
    text, total, count = "", 0, 0
    for n in [*range(rows), None]:
        if n in marks:
            text += f'-1,"marks",{count}\n'
            count += 1
        if n is not None:
            total += n
            text += f'{n},"{"long " * (n % 40)}{n}",{total}\n'
    return text


def expect_text(what, got, text):
    """As expect(), and prints but where they differ."""
    lines, wanted_lines = got.splitlines(), text.splitlines()
    for i, (line, other) in enumerate(zip(lines, wanted_lines)):
        if line != other:
            return expect(f"{what}: line {i}", line, other)
    expect(f"{what}: lines", (len(lines), got[-1:]), (len(wanted_lines), text[-1:]))


# Killed at random while rows come: what was written before is the beginning of what is written in
# the end, and no row is lost or comes twice.
spooled, replayable = build("Spooled", TCP, PLAIN), build("Replayable", TCP, MIDDLE)
udp = build("Datagrams", UDP, PLAIN)
pes = build("Pes", TCP, MIDDLE, "--pes=all", "--boundaries=all")
chance, inside = random.Random(1), 0
for name, program, options, is_udp in (
    ("tcp", spooled, ["--spool=In"], False),
    ("replayable", replayable, [], False),
    ("deterministic", replayable, ["--deterministic"], False),
    ("udp", udp, ["--spool=In", "--queues=all", "--threads=2"], True),
):
    run = Run(program, name, "--resume", "--checkpoint-every=50ms", *options, udp=is_udp)
    done, kills, before = 0, 0, ""  # whole lines that were there when it was killed
    while done < ROWS:
        # Each other time it dies at a step of writing its log or a checkpoint.
        dies = kills % 2 and chance.randrange(1, 25)
        run.start(env={**os.environ, "SLUICE_CRASH_AT": str(dies)} if dies else None)
        try:
            run.connect()
            if kills:
                expect(f"{name}: what was there", run.await_prefix(before), True)
                done = run.await_rest() + 1
            run.send(done, min(ROWS, done + chance.randrange(15, 60)))
            time.sleep(chance.uniform(0, 0.08))
        except OSError:
            pass  # it has died
        inside += run.process.poll() is not None
        run.kill()
        kills += 1
        now = run.text()[: run.text().rfind("\n") + 1]
        # It may have died before all was there again.
        expect(f"{name}: it grows", before.startswith(now) or now.startswith(before), True)
        before = max(before, now, key=len)
        done = min(done, ROWS - 1) if ROWS - 1 not in run.numbers() else ROWS
    run.start()
    run.connect()
    expect(f"{name}: what was there", run.await_prefix(before), True)
    run.await_rest()
    run.await_row(ROWS - 1)
    lines = [line for line in run.text().splitlines(True) if not line.startswith("-")]
    expect_text(f"{name}: all rows", "".join(lines), wanted(ROWS))
    run.kill()

expect("deaths inside", inside > 2, True)

# Before the first checkpoint, and where none follows: all is in the log, with its punctuation, in
# order. A job of several processes is killed as a whole.
for name, program, options in (("logged", spooled, ["--spool=In"]), ("job", pes, [])):
    run = Run(program, name, "--checkpoint-every=1000s", *options)
    run.command[2] += "/"  # the directory is the same
    for first in 0, 100, 200:
        run.start(*(["--resume"] if first else []))
        run.connect()
        if first:
            marks = [n for n in (50, 150) if n < first]
            expect_text(name, run.await_text(wanted(first, marks)), wanted(first, marks))
        run.send(first, first + 50)
        run.socket.close()
        run.await_row(first + 49)
        run.connect()
        run.send(first + 50, first + 100)
        run.await_row(first + 99)
        run.kill()
    run.start("--resume")
    run.connect()
    all_rows = wanted(300, marks=(50, 150, 250))
    expect_text(name, run.await_text(all_rows), all_rows)
    run.await_start()
    expect_in(name, "stopped with checkpoint", run.stop())
    run.start("--resume")
    run.connect()
    run.await_start()
    expect_text(f"{name}, again", run.await_text(all_rows), all_rows)
    expect_in(name, "stopped with checkpoint", run.stop())

# What it looks like.
run = Run(spooled, "shown", "--spool=In", "--checkpoint-every=1000s").start()
run.connect()
run.send(0, 10)
run.await_row(9)
expect_in("now", "checkpoint 1", sluice("checkpoint", "now", run.state).stdout)
run.send(10, 12)
run.await_row(11)
run.kill()
expect_in("list", "the log of In: frames 0 to ", sluice("checkpoint", "list", run.state).stdout)
expect_in("list", "12 rows", sluice("checkpoint", "list", run.state).stdout)
expect_in("show", "In\n  %logged: ", sluice("checkpoint", "show", run.state).stdout)
expect_in("verify", "the log of In: ", sluice("checkpoint", "verify", run.state).stdout)

# A torn tail is cut off, with a note; what was changed is refused.
(log,) = glob.glob(run.state + "/In.spool.*")
with open(log, "rb") as file:
    content = file.read()
with open(log, "ab") as file:
    file.write(content[:150])
run.start("--resume")
run.connect()
expect_text("a torn tail", run.await_text(wanted(12)), wanted(12))
expect_in("a torn tail", "warning: " + log + ": what was being written at byte ", run.kill())
with open(log, "r+b") as file:
    file.seek(40)
    file.write(b"\xff")
done = sluice("checkpoint", "verify", run.state)
expect("verify", done.returncode, 1)
expect_in("verify", log + ": frame 0, at byte 0, is damaged", done.stderr)
run.start("--resume")
expect_in("what was changed", log + ": frame 0, at byte 0, is damaged", run.process.stderr.read())
with open(log, "wb") as file:
    file.write(content)

# Without --spool what is in the log would be lost.
lost = subprocess.run([word for word in run.command if word != "--spool=In"] + ["--resume"],
                      capture_output=True, text=True, timeout=TIMEOUT, check=False)  # fmt: skip
expect("without --spool", lost.returncode, 1)
expect_in("without --spool", "is in a log: --spool=In goes on with that", lost.stderr)
for option, text in (
    ("--spool=Inn", "--spool=Inn: there is no operator of that name"),
    ("--spool=Sums", "--spool=Sums: it is no source"),
):
    done = subprocess.run([*run.command, option, "--resume"], capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)  # fmt: skip
    expect(option, done.returncode, 1)
    expect_in(option, text, done.stderr)

# An older checkpoint: what the log has behind it is submitted again.
run = Run(spooled, "older", "--spool=In", "--checkpoint-every=1000s").start()
run.connect()
for n in range(3):
    run.send(10 * n, 10 * n + 10)
    run.await_row(10 * n + 9)
    sluice("checkpoint", "now", run.state)
run.kill()
run.start("--resume-from=2")
run.connect()
expect_text("an older one", run.await_text(wanted(30)), wanted(30))
run.kill()

# A log without a checkpoint is not removed in passing, but when that is asked for.
run = Run(spooled, "alone", "--spool=In", "--checkpoint-every=1000s").start()
run.connect()
run.send(0, 5)
run.await_row(4)
run.kill()
done = subprocess.run(run.command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
expect("a log alone", done.returncode, 1)
expect_in("a log alone", "holds logs of sources already, and no checkpoint", done.stderr)
expect_in("a log alone", "5 rows", sluice("checkpoint", "list", run.state).stdout)
expect_in("a log alone", "no checkpoints in", sluice("checkpoint", "show", run.state).stderr)
expect("a log alone", len(glob.glob(run.state + "/In.spool.*")), 1)
expect("a log alone", sluice("checkpoint", "remove", run.state).returncode, 0)
expect("a log alone", glob.glob(run.state + "/In.spool.*"), [])
run.start()
run.connect()
run.send(0, 3)
run.await_row(2)
run.kill()

# A checkpoint of a run without --spool does not know the log: all of it is behind that. What is let
# go does not come back.
run = Run(spooled, "unknown", "--checkpoint-every=1000s").start("--spool=In")
run.connect()
run.send(0, 5)
run.await_row(4)
run.start("--resume")
run.connect()
expect_in("unknown", "checkpoint 1", sluice("checkpoint", "now", run.state).stdout)
expect("unknown", run.text(), "")
run.start("--resume", "--spool=In")
run.connect()
expect_text("unknown", run.await_text(wanted(5)), wanted(5))
expect_in("unknown", "checkpoint 2", sluice("checkpoint", "now", run.state).stdout)
run.start("--resume", "--resume-drop=In")
run.connect()
expect_in("unknown", "checkpoint 3", sluice("checkpoint", "now", run.state).stdout)
expect("let go", glob.glob(run.state + "/In.spool.*"), [])
run.kill()

# A pipe: what it had brought comes again, then what it brings now, and then its end, once.
pipe = build("Pipe", PIPE, PLAIN)
data, state = os.path.join(FOLDER, "pipe"), os.path.join(FOLDER, "pipe.state")
os.mkdir(data)
command = [pipe, f"--data-dir={data}", f"--checkpoint={state}", "--spool=In", "--resume",
           "--checkpoint-every=1000s"]  # fmt: skip
run = Run(pipe, "piped")
run.data = data
run.process = subprocess.Popen(command, stdin=subprocess.PIPE)
run.process.stdin.write("".join(row(n) for n in range(100)).encode())
run.process.stdin.flush()
run.await_row(99)
run.process.kill()
run.process.wait()
rest = "".join(row(n) for n in range(100, 200))
for again in rest, "1,\"is not read\"\n":
    done = subprocess.run(command, input=again, text=True, timeout=TIMEOUT, check=False)
    expect("a pipe", (done.returncode, run.text()), (0, wanted(200, marks=(None,))))
without = subprocess.run([word for word in command if word != "--spool=In"], input="", text=True,
                         capture_output=True, timeout=TIMEOUT, check=False)  # fmt: skip
expect_in("a pipe without", "--spool=In", without.stderr)

# No room: the program ends, with a row that did not go on.
run = Run(spooled, "full", "--spool=In", "--checkpoint-every=1000s")
limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))  # noqa: E731
run.start(preexec_fn=limit)
run.connect()
try:
    for n in range(300):
        run.send(0, 1)
        time.sleep(0.001)
except OSError:
    pass  # it has ended
errors = run.process.communicate(timeout=TIMEOUT)[1]
expect("no room", run.process.returncode, 1)
expect_in("no room", "cannot write the log " + run.state + "/In.spool.0: File too large: "
          "what it brings is to be in its log before it goes on", errors)  # fmt: skip
before = len(run.numbers())
run.start("--resume")
run.connect()
run.send(7, 8)
run.await_row(7)
expect("room again", len(run.numbers()) in (before + 1, before + 2), True)
run.kill()

# A disk that does not take what was logged: the program ends, though nothing more comes.
run = Run(spooled, "unsynced", "--spool=In", "--checkpoint-every=20ms")
os.mkdir(run.state)
write(os.path.join(run.state, "lock"), "")
os.symlink("/dev/null", run.state + "/In.spool.0")
run.start("--resume")
run.connect()
run.send(0, 1)
errors = run.process.communicate(timeout=TIMEOUT)[1]
expect("unsynced", run.process.returncode, 1)
expect_in("unsynced", "operator In: cannot sync the log " + run.state + "/In.spool.0: ", errors)
finish()
