# REQUIRES: slow
# RUN: %python %s
"""A launcher that starts a program again holds the connections of a TCPSource before a
ReplayableStart: who sends notices nothing of a process that is killed, and no row is lost or comes
twice."""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

ROWS, CONNECTIONS, KILLS = 12000, 3, 9
PROGRAM = """composite %s {
  graph
    stream<int32 n, rstring text> In = TCPSource() {
      param role : %s; port : (uint32) getSubmissionTimeValue("port"); format : csv;
        receiveBufferSize : 20000u; parsing : permissive; %s
    }
    stream<In> Rows = ReplayableStart(In) {}
    stream<int32 n, int64 sum, int32 marks> Sums = Custom(Rows) {
      logic
        state : { mutable int64 sum = 0; mutable int32 marks = 0; }
        onTuple Rows : {
          sum += (int64) n * (int64) length(text);
          submit({n = n, sum = sum, marks = marks}, Sums);
        }
        onPunct Rows :
          if (currentPunct() == Sys.WindowMarker)
            marks++;
    }
    () as Out = FileSink(Sums) { param file : "out.csv"; }
}
"""


def text(n):
    """Some are long, and some have several lines."""
    return "long " * (500000 if n % 5000 == 2000 else n % 40) + "\n" * (n % 7 == 0)


def build(name, role, *options, more=""):
    source = write(name + ".spl", PROGRAM % (name, role, more))
    program = os.path.join(FOLDER, name)
    expect("build", sluice("build", source, "-o", program, *options).stderr, "")
    return program


def wanted():
    rows, total = [], 0
    for n in range(ROWS * CONNECTIONS):
        total += n * len(text(n))
        rows.append(f"{n},{total},{n // ROWS}")
    return rows


def children(process):
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


class Run:
    def __init__(self, program, name, port, *options):
        self.data, state = (os.path.join(FOLDER, name + end) for end in (".data", ".state"))
        os.mkdir(self.data)
        self.errors = open(os.path.join(FOLDER, name + ".errors"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, f"--data-dir={self.data}", f"--checkpoint={state}", f"--restart={KILLS}",
             "--checkpoint-every=50ms", f"port={port}", *options], stderr=self.errors)  # fmt: skip

    def rows(self):
        try:
            with open(os.path.join(self.data, "out.csv"), encoding="utf-8") as file:
                return file.read().splitlines()
        except OSError:
            return []

    def kill_again_and_again(self, chance):
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.05, 0.5))
            if found := children(self.process):
                os.kill(chance.choice(found), signal.SIGKILL)

    def end(self):
        until = time.monotonic() + TIMEOUT
        while len(self.rows()) < ROWS * CONNECTIONS and time.monotonic() < until:
            time.sleep(0.02)
        self.process.send_signal(signal.SIGTERM)
        expect("exit code", self.process.wait(TIMEOUT), 0)
        self.errors.seek(0)
        return self.errors.read()


def connected(port):
    until = time.monotonic() + TIMEOUT
    while time.monotonic() < until:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            time.sleep(0.01)
    sys.exit("it does not listen")


def send(connection, first, chance):
    """Closes it behind the last row, whether it was read or not."""
    for n in range(first, first + ROWS):
        quoted = f'"{text(n)}"' if n % 7 == 0 else text(n)
        row = f"{n},{quoted}\n".encode()
        if n % 9 == 4:
            row = b"this is bad\n" + row
        cut = chance.randrange(len(row))
        connection.sendall(row[:cut])
        connection.sendall(row[cut:])
        if n % 400 == 0:
            time.sleep(chance.uniform(0, 0.05))
    connection.close()


def check(name, run, errors):
    got, all_rows = run.rows(), wanted()
    differing = next((i for i, (a, b) in enumerate(zip(got, all_rows)) if a != b), None)
    where = None if differing is None else (got[differing], all_rows[differing])
    expect(f"{name}: rows", (len(got), where), (len(all_rows), None))
    expect(f"{name}: it was killed", "was ended by signal 9" in errors, True)
    expect(f"{name}: what broke off", "broken off" in errors, False)


seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
chance = random.Random(seed)
servers = [("One", []), ("Several", ["--pes=all", "--boundaries=all"])]
for name, options in servers:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    run = Run(build(name, "server", *options), name, port)
    killer = threading.Thread(target=run.kill_again_and_again, args=(random.Random(seed),))
    first = connected(port)
    killer.start()
    send(first, 0, chance)
    for number in range(1, CONNECTIONS):  # also while nobody listens: the listener is held, too
        send(socket.create_connection(("127.0.0.1", port)), ROWS * number, chance)
    killer.join()
    check(name, run, run.end())

# A client does not connect again while its connection lives.
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]
run = Run(build("Client", "client", more='address : "127.0.0.1";'), "client", port)
killer = threading.Thread(target=run.kill_again_and_again, args=(random.Random(seed),))
for number in range(CONNECTIONS):
    listener.settimeout(TIMEOUT)
    connection = listener.accept()[0]
    if not number:
        killer.start()
    send(connection, ROWS * number, chance)
killer.join()
check("client", run, run.end())

# A server that takes one connection ends with it, whenever it dies.
for number in range(6):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    last = Run(build("Last", "server", more="reconnectionPolicy : NoRetry;"), f"last{number}", port)
    connection = connected(port)
    connection.sendall(b"".join(b"%d,\n" % n for n in range(100)))
    connection.close()
    time.sleep(chance.uniform(0, 0.03))
    for child in children(last.process):
        os.kill(child, signal.SIGKILL)
    expect("the last: exit code", last.process.wait(TIMEOUT), 0)
    expect("the last: rows", last.rows(), [f"{n},0,0" for n in range(100)])
finish()
