"""Tuples from one PE to another: over a socket, on a cluster of Flink on this machine, and the same
work as a Flink job in Java. Each host of the cluster has one slot, so tuples go over TCP."""

import glob
import os
import shutil
import statistics
import subprocess

from links import tcp
from timing import BenchError, say

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 600  # seconds after which a run is stopped
TUPLES, QUICK = 40_000_000, 100_000
WAYS = {
    "links": "two PEs, over TCP",
    "cluster": "two PEs on Flink",
    "plain": "Flink in Java",
}


def call(*command):
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as late:
        raise BenchError(f"`{' '.join(command)}` takes too long") from late
    if out.returncode:
        raise BenchError(f"`{' '.join(command)}` failed: {out.stderr[-800:]}")
    return out.stdout.strip()


class Hop:
    def __init__(self, programs):
        self.programs, self.driver = programs, programs.driver
        self.flink = os.path.join(programs.build, "lib", "sluice", "flink", "lib", "*")
        self.folder = programs.path("cluster.flink")
        self.result = programs.path("rate.csv")
        self.jar = programs.path("plain.jar")

    def build(self):
        say("hop: compiling")
        source = os.path.join(os.path.dirname(HERE), "spl", "cluster", "Hop.spl")
        build = [self.driver, "build", source, "--pes=2"]
        call(*build, "-o", self.programs.path("hop"))
        call(*build, "--target=flink", "-o", self.programs.path("hop.flink"))
        classes = self.programs.path("plain")
        call("javac", "-cp", self.flink, "-d", classes, os.path.join(HERE, "Plain.java"))
        call("jar", "cf", self.jar, "-C", classes, ".")

    def up(self):
        say("hop: starting a cluster")
        words = ["cluster", "up", f"--dir={self.folder}", "--hosts=2", "--slots=1", "--port=0"]
        self.address = call(self.driver, *words)

    def down(self):
        call(self.driver, "cluster", "down", f"--dir={self.folder}")
        shutil.rmtree(self.folder)

    def links(self, n):
        words = ["--transport=socket", f"--data-dir={self.programs.folder}", f"n={n}"]
        call(*tcp.command(self.driver, self.programs.path("hop"), words))

    def cluster(self, n):
        data = f"--data-dir={self.programs.folder}"
        to = f"--to={self.address}"
        call(self.driver, "submit", self.programs.path("hop.flink"), to, "--wait", data, f"n={n}")

    def plain(self, n):
        host, port = self.address.split(":")
        path = f"{self.jar}:{self.flink}"
        opens = ["--add-opens=java.base/java.util=ALL-UNNAMED"]
        call("java", *opens, "-cp", path, "Plain", host, port, self.jar, str(n), self.result)

    def rate(self, way, n):
        """Tuples a second of one run, whose sum is right."""
        if os.path.exists(self.result):
            os.remove(self.result)
        getattr(self, way)(n)
        with open(self.result, encoding="utf-8") as file:
            rate, total = file.read().split(",")
        if int(total) != 2 * n * (n - 1):
            raise BenchError(f"hop, {way}: the sum is {total}")
        return float(rate)


def measure(programs, quick):
    n, turns = (QUICK, 1) if quick else (TUPLES, 3)
    hop = Hop(programs)
    if not glob.glob(hop.flink) or not shutil.which("javac"):
        say("hop: left out: no Flink, or no javac; `sluice cluster up` says how to fetch them")
        return None
    hop.build()
    rates = {way: [] for way in WAYS}
    hop.up()
    try:
        for turn in range(turns):
            for way in WAYS:
                say(f"hop: {way}, {turn + 1} of {turns}")
                rates[way].append(hop.rate(way, n))
    finally:
        hop.down()
    return {"tuples": n, "rates": rates}


def table(record):
    medians = {way: statistics.median(rates) for way, rates in record["rates"].items()}
    text = f"hop: {record['tuples']:,} tuples of 16 bytes from one PE to another, tuples a second\n"
    for way, rate in medians.items():
        text += f"  {WAYS[way]:18} {rate:14,.0f}   {rate / medians['links']:.2f}\n"
    return text
