#!/usr/bin/env python3
"""examples/wiki_word_count with its server: a client of the WebSocket gets the counts that an
independent count of the same changes has. The last line says how many checks passed."""

import argparse
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

import servers
from programs import PATIENCE, checks, expect, expect_in
from websocket import Client, await_true

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "examples", "wiki_word_count")
COUNT, RATE, SEED = 2000, 500, 3
sys.path.insert(0, EXAMPLE)


def words():
    """How often each word comes in the titles and comments of all changes."""
    import changes

    chance, counts = random.Random(SEED), collections.Counter()
    for number in range(COUNT):
        change = changes.change(number, chance)
        for text in (change["title"], change["comment"]):
            counts.update(word for word in re.split(r"[ .,:;!?()\[\]/]", text.lower()) if word)
    return dict(counts)


class Changes:
    """The server of the example, and what it says is to be set."""

    def __init__(self, port):
        self.command = [sys.executable, os.path.join(EXAMPLE, "changes.py"), f"--port={port}"]
        self.command += [f"--count={COUNT}", f"--rate={RATE}", f"--seed={SEED}"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        lines = [self.process.stdout.readline() for _ in range(3)]
        pairs = [line.split(" ", 1)[1].strip().split("=", 1) for line in lines[1:]]
        self.environment = dict(os.environ, **dict(pairs))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()


def watch(driver, folder, *options):
    port, server = servers.free_ports(2)
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    path = os.path.join(folder, "WikiWordCount.spl")
    with open(path) as file:
        program = file.read().replace("port : 8080", f"port : {port}")
    with open(path, "w") as file:
        file.write(program)
    changes = Changes(server)
    command = [driver, "run", path, *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=changes.environment)
    try:
        servers.await_port(port, process)
        base = f"127.0.0.1:{port}/page"
        client = Client(f"ws://{base}/Published/ports/input/0/wssend")
        wanted = words()
        latest = lambda: {row["word"]: row["count"] for row in client.tuples()}
        await_true(lambda: latest() == wanted)
        expect(f"words, {' '.join(options)}", latest(), wanted)
        for file in ("", "/histogram.js"):
            with urllib.request.urlopen(f"http://{base}{file}") as answer:
                expect_in(f"the page{file}", "connect", answer.read().decode())
        client.socket.close()
        again = Client(f"ws://{base}/Published/ports/input/0/wssend")
        expect("who comes again", await_true(lambda: len(again.tuples()) > 0), True)
        changes.end()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
        expect("it ends", process.returncode, 0)
    finally:
        changes.process.kill()
        process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    if not shutil.which("openssl"):
        print("skipped: openssl is missing\n0 passed, 0 failed, 1 skipped")
        return 0
    for more in ([], ["--queues=all", "--threads=2"]):
        with tempfile.TemporaryDirectory(prefix="sluice-wiki-") as folder:
            watch(os.path.abspath(options.driver), folder, *more)
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
