#!/usr/bin/env python3
"""KafkaProducer and KafkaConsumer with a real broker. Kafka's own tools say what is in Kafka. The
last line says how many checks passed."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import programs
import servers
from programs import PATIENCE, Programs, await_true, expect, expect_in

HERE = os.path.dirname(os.path.abspath(__file__))


class Bench(Programs):
    """With a broker."""

    def __init__(self, driver, folder, broker):
        super().__init__(driver, folder)
        self.broker = broker
        self.write("kafka.properties", f"bootstrap.servers={broker.address}\n")

    def build(self, name, graph, *options):
        head = f"use com.ibm.streamsx.kafka::*;\ncomposite {name} {{\n  graph\n"
        self.compile(name, head + graph + "}\n", *options)

    def compile(self, name, source, *options):
        self.write(name + ".spl", source)
        command = [self.driver, "build", "-O0", name + ".spl", "-o", name, *options]
        out = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if out.returncode:
            raise RuntimeError(out.stderr)

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


def refused(bench):
    """What Kafka or librdkafka does not take comes to the output with the reason; the rest is in
    Kafka."""
    small = bench.read("kafka.properties") + "max.request.size=4000\n"
    bench.write("small.properties", small)
    graph = """    stream<rstring message, int32 partition, int32 n> Out = Beacon() {
      param iterations : 100u;
      output Out : n = (int32) IterationCount(),
                   partition = IterationCount() % 10ul == 7ul ? 99 : (int32) IterationCount() % 3,
                   message = IterationCount() % 25ul == 24ul ? (rstring) range(2000)
                                                             : "m" + (rstring) IterationCount();
    }
    stream<Out sent, TEXT why> Said = KafkaProducer(Out) {
      param topic : "picky"; propertiesFile : "small.properties"; MORE
    }
    stream<int32 n, TEXT why> Short = Functor(Said) { output Short : n = sent.n; }
    () as Sink = FileSink(Short) { param file : "said.csv"; quoteStrings : false; }
"""
    wrong = {n: "_UNKNOWN_PARTITION" for n in range(7, 100, 10)}
    wrong |= {n: "MSG_SIZE_TOO_LARGE" for n in range(24, 100, 25)}
    texts = {"rstring": "", "optional<rstring>": "null"}
    for number, (text, none) in enumerate(texts.items()):
        for more in "", "outputErrorsOnly : false;":
            bench.build("Picky", graph.replace("TEXT", text).replace("MORE", more))
            code, _, errors = bench.run("Picky")
            expect(f"{text} {more}", (code, errors), (0, ""))
            rows = [row.split(",", 1) for row in bench.read("said.csv").splitlines()]
            right = range(100) if more else sorted(wrong)
            expect("in their order", [int(n) for n, _ in rows], list(right))
            for n, why in rows:
                kind = wrong.get(int(n))
                parts = f"failedTopics:[picky],lastExceptionType:{kind},lastFailure:"
                expect(f"{n}: {why}", parts in re.sub(r'["\\]', "", why), bool(kind))
                expect(f"{n}: {why}", why == none, not kind)
        there = (100 - len(wrong)) * 2 * (number + 1)
        expect("the rest is in Kafka", bench.broker.count("picky"), there)
    bench.build("Picky", graph.replace("TEXT", "int32").replace("MORE", ""))
    expect_in("another type", "the output must have", bench.run("Picky")[2])
    bench.build("Picky", graph.replace("TEXT", "rstring").replace("MORE", ""))
    code, _, errors = bench.run("Picky", "--checkpoint=picky-state")
    expect("no checkpoints", code, 1)
    expect_in("no checkpoints", "submitted to its output is not saved", errors)
    bench.build("Fails", graph.split("    stream<Out sent")[0] + """
    () as To = KafkaProducer(Out) { param topic : "picky"; propertiesFile : "small.properties"; }
""")
    code, _, errors = bench.run("Fails")
    expect("without an output", code, 1)
    expect_in("without an output", "for the topic picky", errors)


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
        saved = await_true(lambda: "position" in bench.shown("state"))
        expect(f"checkpoints at kill {kill}", saved, True)
        time.sleep(chance.random() * 0.2)
        process.kill()
        process.communicate()
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


def ends_without_a_broker(bench):
    """SIGTERM ends programs within seconds although Kafka has gone. What is lost is counted; of a
    program with checkpoints nothing is."""
    often = "period : 0.001;"
    bench.build("Reads", consumer("long", "reads.csv", "", "rstring message"))
    bench.build("Writes", producer(1000000, "gone", "", often))
    bench.build("Flushes", producer(1000000, "gone", "flush : 10;", often))
    bench.build("Keeps", producer(1000000, "kept", "", often))
    keeps = ["--checkpoint=kept-state", "--checkpoint-every=200ms", "--resume"]
    options = {"Reads": [], "Writes": [], "Flushes": [], "Keeps": keeps}
    runs = {name: bench.start(name, *more, log=f"{name}.log") for name, more in options.items()}
    bench.await_lines("reads.csv", 20000, runs["Reads"])
    bench.broker.messages("kept", 500)
    bench.broker.kill()
    time.sleep(1)
    begin = time.monotonic()
    for process in runs.values():
        process.send_signal(signal.SIGTERM)
    for name, process in runs.items():
        process.communicate(timeout=PATIENCE)
        expect(f"{name} ends", process.returncode, 0 if name == "Reads" else 1)
    expect("they end soon", time.monotonic() - begin < 15, True)
    for name in "Writes", "Flushes", "Keeps":
        expect_in(name, ", and nothing at all for 5 s", bench.read(f"{name}.log"))
    bench.broker.start()
    process = bench.start("Keeps", *keeps)
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    expect("it goes on", process.returncode, 0)
    there = {int(text[1:]) for text in bench.broker.messages("kept", bench.broker.count("kept"))}
    expect("none is missing", there, set(range(len(there))))
    expect("it has gone on", len(there) > 1000, True)


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


def options_of(description):
    """Of the three scripts whose server is a broker."""

    def add(parser):
        parser.add_argument("--jars", required=True, help="the folder for what Maven fetches")
        parser.add_argument("--broker-kills", type=int, default=1)

    return programs.options_of(description, add)


def run_all(options, tests, passwords=None):
    def broker():
        return servers.Kafka(servers.fetch_kafka(options.jars), passwords)

    return programs.run_all(options, broker, Bench, tests)


def main():
    options = options_of(__doc__)
    count = 4 if options.kills is None else options.kills

    def broker_kills(bench):
        kills_of_the_broker(bench, options.broker_kills)

    def program_kills(bench):
        kills_of_the_program(bench, options.seed, count)

    tests = [there_and_back, groups, types, refused, mistakes, the_page, broker_kills]
    return run_all(options, [*tests, program_kills, quiet_topics, ends_without_a_broker])


if __name__ == "__main__":
    sys.exit(main())
