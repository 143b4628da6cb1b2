# REQUIRES: slow
# RUN: %python %s
"""examples/over_tcp: what it prints of a connection, and of a bad row."""

import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish, sluice  # noqa: E402

EXAMPLE = os.path.join(os.path.dirname(__file__), "../../../examples/over_tcp")
program = os.path.join(FOLDER, "over_tcp")
sluice("build", os.path.join(EXAMPLE, "OverTcp.spl"), "-o", program)
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
server = subprocess.Popen(
    [program, f"port={port}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
)


def send(text):
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
                return connection.sendall(text)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


with open(os.path.join(EXAMPLE, "data/readings.csv"), "rb") as readings:
    send(readings.read())
with open(os.path.join(EXAMPLE, "expected/stdout"), encoding="utf-8") as expected:
    for line in expected:
        expect("the first connection", server.stdout.readline(), line)
send(b'"hall",18\n')
expect(
    "the second connection",
    server.stdout.readline(),
    "hall: 18 degrees in 1 readings from 127.0.0.1\n",
)
server.send_signal(signal.SIGINT)
_, errors = server.communicate(timeout=TIMEOUT)
expect("the end", server.returncode, 0)
expect("a bad row is counted", "1 bad row left out" in errors, True)
expect("no advice that TCPSource lacks", "hasHeaderLine" in errors, False)
finish()
