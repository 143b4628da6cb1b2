# REQUIRES: slow
# RUN: %python %s
"""The programs of docs/connectors.md: one receives, the other one is killed again and again. Nothing
that was sent is lost, or comes twice."""

import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish, sluice, write  # noqa: E402

ROWS = 30000
KILLS = 5
PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "connectors.md")

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
with open(PAGE, encoding="utf-8") as page:
    receive, sums = page.read().split("### When a program dies")[1].split("```spl\n")[1:3]
for name, text in (("Receive", receive), ("Sums", sums)):
    source = write(f"{name}.spl", text.split("```")[0].replace("port : 7000u", f"port : {port}u"))
    built = sluice("build", source, "-o", os.path.join(FOLDER, name))
    expect(f"build {name}", built.stderr, "")
RECEIVED, SUMS = (os.path.join(FOLDER, file) for file in ("received.csv", "sums.csv"))


def start(name, *options):
    command = [os.path.join(FOLDER, name), f"--data-dir={FOLDER}", *options]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def rows():
    with open(SUMS, encoding="utf-8") as file:
        return file.read().splitlines()


def await_true(what):
    end = time.monotonic() + TIMEOUT
    while not what() and time.monotonic() < end:
        time.sleep(0.01)


def connect():
    """None: nobody listens yet."""
    try:
        return socket.create_connection(("127.0.0.1", port))
    except OSError:
        return None


receiver = start("Receive")
await_true(connect)
sender = connect()
options = [f"--checkpoint={os.path.join(FOLDER, 'state')}", "--resume", "--checkpoint-every=50ms"]
part = ROWS // (KILLS + 1)
for run in range(KILLS + 1):  # each has a part to read, without looking whether it does
    process = start("Sums", *options)
    for n in range(run * part, (run + 1) * part):
        sender.sendall(b"%d\n" % n)
        if n % 100 == 0:
            time.sleep(0.005)
    if run < KILLS:
        process.kill()
        process.wait()
sender.close()
await_true(lambda: os.path.exists(SUMS) and len(rows()) >= ROWS)
for each in (process, receiver):
    each.send_signal(signal.SIGTERM)
    expect("exit code", each.wait(TIMEOUT), 0)
expect("all once", rows() == [f"{n},{n * (n + 1) // 2}" for n in range(ROWS)], True)
finish()
