#!/usr/bin/env python3
"""KafkaProducer and KafkaConsumer with a real broker. Kafka's own tools say what is in Kafka. The
last line says how many checks passed."""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import servers

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 90  # s, for something to happen
checks = {"passed": 0, "failed": 0}


def expect(what, actual, wanted):
    good = actual == wanted
    checks["passed" if good else "failed"] += 1
    if not good:
        print(f"FAIL {what}:\n    wanted {wanted!r:.600}\n    got    {actual!r:.600}", flush=True)


def expect_in(what, part, text):
    checks["passed" if part in text else "failed"] += 1
    if part not in text:
        print(f"FAIL {what}:\n    no {part!r} in {text!r:.800}", flush=True)


class Bench:
    """Programs that are compiled once and run in a folder."""

    def __init__(self, driver, folder, broker):
        self.driver, self.folder, self.broker = driver, folder, broker
        self.write("kafka.properties", f"bootstrap.servers={broker.address}\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def build(self, name, graph):
        head = f"use com.ibm.streamsx.kafka::*;\ncomposite {name} {{\n  graph\n"
        self.compile(name, head + graph + "}\n")

    def compile(self, name, source):
        self.write(name + ".spl", source)
        command = [self.driver, "build", "-O0", name + ".spl", "-o", name]
        out = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if out.returncode:
            raise RuntimeError(out.stderr)

    def start(self, name, *options):
        command = [self.path(name), "--data-dir", self.folder, *options]
        with open(self.path("stderr"), "w") as errors:
            return subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=errors, text=True
            )

    def run(self, name, *options):
        process = self.start(name, *options)
        out, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, out, self.read("stderr")

    def read(self, name):
        if not os.path.exists(self.path(name)):
            return ""
        with open(self.path(name), errors="replace") as file:
            return file.read()

    def await_lines(self, name, count, process=None):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.read(name).count("\n") < count:
            if process and process.poll() is not None:
                return
            time.sleep(0.05)

    def shown(self, state):
        """The last checkpoint, as text."""
        command = [self.driver, "checkpoint", "show", state]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True).stdout

    def lines_of(self, name, count, file, *options):
        """Runs a consumer until the file has so many lines, ends it, and returns them in order."""
        process = self.start(name, *options)
        time.sleep(0.5)  # until it catches the signal; a checkpoint may have all lines
        self.await_lines(file, count, process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        expect(f"{name}: exit code", process.returncode, 0)
        return sorted(self.read(file).splitlines())


PROPERTIES = 'propertiesFile : "kafka.properties";'


def producer(count, topic, more="", period=""):
    return f"""    stream<rstring key, rstring message> Out = Beacon() {{
      param iterations : {count}u; {period}
      output Out : key = "k" + (rstring) (IterationCount() % 10ul),
                   message = "m" + (rstring) IterationCount();
    }}
    () as To = KafkaProducer(Out) {{ param topic : "{topic}"; {PROPERTIES} {more} }}
"""


def consumer(topic, file, more="", attributes="rstring key, rstring message", suppress=""):
    return f"""    stream<{attributes}> In = KafkaConsumer() {{
      param topic : "{topic}"; {PROPERTIES} startPosition : Beginning; {more}
    }}
    () as Sink = FileSink(In) {{
      param file : "{file}"; flush : 1u; quoteStrings : false; {suppress}
    }}
"""


def there_and_back(bench):
    """What is sent is in Kafka, a key in one partition, and all comes back once."""
    bench.build("There", producer(2000, "words"))
    code, _, errors = bench.run("There")
    expect("sending", (code, errors), (0, ""))
    printed = bench.broker.messages("words", 2000, "--property", "print.key=true")
    wanted = sorted(f"k{i % 10}\tm{i}" for i in range(2000))
    expect("what Kafka has", sorted(printed), wanted)
    attributes = "rstring key, rstring message, int32 partition, int64 offset"
    bench.build("Back", consumer("words", "back.csv", "", attributes))
    rows = bench.lines_of("Back", 2000, "back.csv")
    back = sorted(row.rsplit(",", 2)[0].replace(",", "\t") for row in rows)
    expect("what comes back", back, wanted)
    partition_of, places = {}, set()
    for key, _, partition, offset in (row.split(",") for row in rows):
        partition_of.setdefault(key, set()).add(partition)
        places.add((partition, offset))
    expect("one partition a key", {len(parts) for parts in partition_of.values()}, {1})
    expect("each message once", len(places), 2000)


def groups(bench):
    """A group goes on where it was; partitions are read alone."""
    bench.build("Group", consumer("words", "group.csv", 'groupId : "readers";'))
    expect("a group", len(bench.lines_of("Group", 2000, "group.csv")), 2000)
    bench.build("More", producer(100, "words", "flush : 10;"))
    bench.run("More")
    os.remove(bench.path("group.csv"))
    expect("the group goes on", len(bench.lines_of("Group", 100, "group.csv")), 100)
    places = "Offset; startOffset : 5l, 5l, 5l; partition : 0, 1, 2;"
    bench.build("Parts", consumer("words", "part.csv").replace("Beginning;", places))
    expect("from offsets", len(bench.lines_of("Parts", 2085, "part.csv")), 2085)


def types(bench):
    """Numbers as Java has them; others are left out and counted."""
    graph = """    stream<int64 message, float64 key> Out = Beacon() {
      param iterations : 3u;
      output Out : message = 1099511627776l * (int64) IterationCount() - 1l,
                   key = 0.5 * (float64) IterationCount();
    }
    () as To = KafkaProducer(Out) { param topic : "numbers"; %s }
""" % PROPERTIES
    bench.build("Numbers", graph)
    expect("numbers", bench.run("Numbers")[0], 0)
    java = "org.apache.kafka.common.serialization."
    options = ["--value-deserializer", java + "LongDeserializer"]
    options += ["--key-deserializer", java + "DoubleDeserializer", "--property", "print.key=true"]
    printed = bench.broker.messages("numbers", 3, *options)
    wanted = ["0.0\t-1", "0.5\t1099511627775", "1.0\t2199023255551"]
    expect("as Java reads them", sorted(printed), wanted)
    bench.build("Texts", producer(1, "numbers"))
    bench.run("Texts")
    bench.build("Longs", consumer("numbers", "longs.csv", "", "int64 message"))
    rows = bench.lines_of("Longs", 3, "longs.csv")
    expect("numbers come back", rows, [row.split("\t")[1] for row in wanted])
    expect_in("what is none", "is no value of its attribute's type", bench.read("stderr"))


def the_page(bench):
    """The program of docs/connectors/Kafka.md counts words."""
    page = os.path.join(HERE, "..", "..", "docs", "connectors", "Kafka.md")
    with open(page) as file:
        program = file.read().split("```spl\n")[1].split("```")[0]
    bench.compile("KafkaWords", program)
    graph = producer(3, "lines").replace('"m" + (rstring) IterationCount()', '"to be or not to be"')
    bench.build("Lines", graph)
    bench.run("Lines")
    process = bench.start("KafkaWords")
    printed = bench.broker.messages("counts", 18, "--property", "print.key=true")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    times = {"to": 6, "be": 6, "or": 3, "not": 3}
    wanted = sorted(f"{word}\t{n + 1}" for word, most in times.items() for n in range(most))
    expect("words", sorted(printed), wanted)


def kills_of_the_broker(bench, kills):
    """All arrives once and in order while the broker is killed and started again."""
    bench.build("Long", producer(20000, "long", "", "period : 0.0002;"))
    process = bench.start("Long")
    for _ in range(kills):
        time.sleep(1)
        bench.broker.kill()
        time.sleep(1)
        bench.broker.start()
    process.communicate(timeout=PATIENCE)
    expect("a broker that was killed", process.returncode, 0)
    printed = bench.broker.messages("long", 20000, "--property", "print.key=true")
    expect("all once", sorted(printed), sorted(f"k{i % 10}\tm{i}" for i in range(20000)))
    expect("and no more", bench.broker.count("long"), 20000)


def kills_of_the_program(bench, seed, kills):
    """A consumer that is killed goes on from its checkpoint: each message once."""
    chance = random.Random(seed)
    graph = consumer("long", "once.csv", "partition : 0, 1, 2;", "rstring message")
    bench.build("Once", graph)
    options = ["--checkpoint=state", "--resume", "--checkpoint-every=50ms"]
    wanted = sorted(f"m{i}" for i in range(20000))
    for kill in range(kills):
        process = bench.start("Once", *options, "--threads=2")
        bench.await_lines("once.csv", 1, process)
        time.sleep(chance.random() * 0.2)
        process.kill()
        process.communicate()
        expect(f"checkpoints at kill {kill}", "position" in bench.shown("state"), True)
    rows = bench.lines_of("Once", 20000, "once.csv", *options)
    expect(f"exactly once, seed {seed}", rows, wanted)


def quiet_topics(bench):
    """A checkpoint has the positions of partitions of which no message was read."""
    bench.build("First", producer(30, "quiet"))
    bench.build("Later", producer(20, "quiet"))
    graph = consumer("quiet", "quiet.csv", 'groupId : "quiet";', "rstring message")
    bench.build("Quiet", graph.replace("Beginning", "End"))
    options = ["--checkpoint=quiet-state", "--resume", "--checkpoint-every=50ms"]
    bench.run("First")
    process = bench.start("Quiet", *options)
    end = time.monotonic() + PATIENCE
    while "position" not in bench.shown("quiet-state") and time.monotonic() < end:
        time.sleep(0.2)
    process.kill()
    process.communicate()
    bench.run("Later")
    rows = bench.lines_of("Quiet", 20, "quiet.csv", *options)
    expect("what came while it did not run", rows, sorted(f"m{i}" for i in range(20)))


def ends_without_a_broker(bench, long):
    """SIGTERM ends a consumer and a producer although Kafka has gone; what is lost is counted."""
    bench.build("Reads", consumer("long", "reads.csv", "", "rstring message"))
    reads = bench.start("Reads")
    bench.await_lines("reads.csv", 20000, reads)
    if long:
        bench.build("Writes", producer(1000000, "gone", "", "period : 0.001;"))
        writes = bench.start("Writes")
        time.sleep(2)
    bench.broker.kill()
    reads.send_signal(signal.SIGTERM)
    reads.communicate(timeout=PATIENCE / 2)
    expect("a consumer ends", reads.returncode, 0)
    if not long:
        return
    writes.send_signal(signal.SIGTERM)
    writes.communicate(timeout=PATIENCE)
    expect("a producer ends", writes.returncode, 1)
    expect_in("a producer ends", "within 30 s", bench.read("stderr"))


def mistakes(bench):
    """Messages say what to do."""
    bench.write("nowhere.properties", "client.id=x\n")
    bench.write("unknown.properties", "bootstrap.servers=localhost:1\nbootstrap.severs=x\n")
    bench.write("store.properties", "bootstrap.servers=x:1\nssl.truststore.location=a.jks\n")
    for name, wanted in (
        ("nowhere", "nothing says where Kafka is"),
        ("unknown", "does not take the property bootstrap.severs"),
        ("store", "keytool -importkeystore"),
        ("missing", "missing.properties: No such file"),
    ):
        bench.build("Wrong", producer(1, "x").replace("kafka.properties", name + ".properties"))
        code, _, errors = bench.run("Wrong")
        expect(name, code, 1)
        expect_in(name, wanted, errors)
    graph = consumer("words", "x.csv").replace("    stream", "    @parallel(width = 2) stream", 1)
    bench.build("Region", graph)
    code, _, errors = bench.run("Region")
    expect("a region without a group", code, 1)
    expect_in("a region without a group", "needs groupId in a parallel region", errors)
    bench.write("gone.properties", f"bootstrap.servers=127.0.0.1:{servers.free_ports(1)[0]}\n")
    bench.build("Waits", consumer("x", "x.csv").replace("kafka.properties", "gone.properties"))
    process = bench.start("Waits")
    end = time.monotonic() + PATIENCE
    while "tries again" not in bench.read("stderr") and time.monotonic() < end:
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    expect("nobody there", process.returncode, 0)
    expect_in("nobody there", "Connection refused", bench.read("stderr"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--jars", required=True, help="the folder for what Maven fetches")
    parser.add_argument("--kills", type=int, default=4, help="of the program")
    parser.add_argument("--long", action="store_true", help="what takes half a minute, too")
    parser.add_argument("--broker-kills", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        broker = servers.Kafka(servers.fetch_kafka(options.jars))
    except servers.Missing as why:
        print(f"skipped: {why}\n0 passed, 0 failed, 1 skipped")
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
            bench = Bench(os.path.abspath(options.driver), folder, broker)
            there_and_back(bench)
            groups(bench)
            types(bench)
            mistakes(bench)
            the_page(bench)
            kills_of_the_broker(bench, options.broker_kills)
            kills_of_the_program(bench, options.seed, options.kills)
            quiet_topics(bench)
            ends_without_a_broker(bench, options.long)
    finally:
        broker.close()
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
