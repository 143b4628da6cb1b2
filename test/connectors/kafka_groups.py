#!/usr/bin/env python3
"""Groups whose members come and go, where a KafkaConsumer begins, and passwords. The last line says
how many checks passed."""

import os
import random
import signal
import sys
import time

import kafka
import servers
from kafka import PROPERTIES, consumer, producer
from programs import PATIENCE, expect, expect_in

PASSWORDS = {"alice": "open-sesame-4711"}


def texts(count):
    return sorted(f"m{i}" for i in range(count))


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    return process.returncode


def rebalance(bench):
    """A second member takes partitions over, and gives them back when it ends: each message comes
    to one of them, once."""
    bench.build("Feed", producer(4000, "dealt", "", "period : 0.002;"))
    for name in "first", "second":
        graph = consumer("dealt", f"{name}.csv", 'groupId : "dealers";', "rstring message")
        bench.build(name.title(), graph)
    first = bench.start("First")
    feed = bench.start("Feed")
    bench.await_lines("first.csv", 300, first)
    second = bench.start("Second")
    bench.await_lines("second.csv", 300, second)
    expect("the second member ends", stop(second), 0)
    feed.communicate(timeout=PATIENCE)
    ended = bench.read("second.csv").count("\n")
    bench.await_lines("first.csv", 4000 - ended, first)
    time.sleep(1)  # for what would be too much
    expect("the first member ends", stop(first), 0)
    rows = (bench.read("first.csv") + bench.read("second.csv")).splitlines()
    expect("each message once", sorted(rows), texts(4000))
    expect("the second has some", ended >= 300, True)


def static_members(bench):
    """A static member that is killed has its partitions again at once; another one waits until the
    session of the killed one is over, 45 s."""
    bench.build("Some", producer(50, "static"))
    bench.run("Some")
    graph = consumer("static", "static.csv", 'groupId : "s"; staticGroupMember : true;')
    bench.build("Static", graph)
    process = bench.start("Static")
    bench.await_lines("static.csv", 50, process)
    time.sleep(6)  # for a commit
    process.kill()
    process.communicate()
    bench.run("Some")
    os.remove(bench.path("static.csv"))
    process = bench.start("Static")
    before = time.monotonic()
    bench.await_lines("static.csv", 50, process)
    expect("before its session would be over", time.monotonic() - before < 30, True)
    expect("a static member ends", stop(process), 0)
    expect("each once", len(bench.read("static.csv").splitlines()), 50)


def commits(bench):
    """With commitCount so many tuples come again after a kill, at most."""
    bench.write("short.properties", bench.read("kafka.properties") + "session.timeout.ms=6000\n")
    bench.build("Pace", producer(3000, "paced", "", "period : 0.001;"))
    graph = consumer("paced", "paced.csv", 'groupId : "p"; commitCount : 20;', "rstring message")
    bench.build("Paced", graph.replace("kafka.properties", "short.properties"))
    pace = bench.start("Pace")
    process = bench.start("Paced")
    bench.await_lines("paced.csv", 1000, process)
    process.kill()
    process.communicate()
    pace.communicate(timeout=PATIENCE)
    before = bench.read("paced.csv").splitlines()
    os.remove(bench.path("paced.csv"))
    process = bench.start("Paced")
    end = time.monotonic() + PATIENCE
    while "m2999" not in bench.read("paced.csv").splitlines() and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1)  # for the other partitions
    expect("a paced member ends", stop(process), 0)
    behind = bench.read("paced.csv").splitlines()
    # Without checkpoints what the program had when it died may be lost: a batch.
    lost = set(texts(3000)) - set(before) - set(behind)
    expect(f"lost is what it had: {sorted(lost)}", len(lost) < 256, True)
    again = len(before) + len(behind) + len(lost) - 3000
    expect(f"at most 20 come again: {again}", again <= 20, True)


def places(bench):
    """From a time on; and all topics of a pattern, also one that comes later."""
    graph = f"""    stream<rstring message, int64 messageTimestamp> Out = Beacon() {{
      param iterations : 100u;
      output Out : message = "m" + (rstring) IterationCount(),
                   messageTimestamp = 1700000000000l + (int64) IterationCount() * 1000l;
    }}
    () as To = KafkaProducer(Out) {{ param topic : "timed"; {PROPERTIES} }}
"""
    bench.build("Timed", graph)
    expect("with times", bench.run("Timed")[0], 0)
    since = "Time; startTime : 1700000060000l"
    graph = consumer("timed", "since.csv", "", "rstring message, int64 messageTimestamp")
    bench.build("Since", graph.replace("Beginning", since))
    rows = bench.lines_of("Since", 40, "since.csv")
    right = sorted(f"m{i},{1700000000000 + i * 1000}" for i in range(60, 100))
    expect("since a time", rows, right)
    for topic in "pat-a", "pat-b", "other":
        bench.build("Pat", producer(10, topic))
        bench.run("Pat")
    graph = consumer("x", "pattern.csv", "", "rstring topic, rstring message")
    bench.build("Pattern", graph.replace('topic : "x"', 'pattern : "pat-.*"'))
    rows = bench.lines_of("Pattern", 20, "pattern.csv")
    expect("a pattern", rows, sorted(f"pat-{t},m{i}" for t in "ab" for i in range(10)))


def at_least_once(bench, kills, seed):
    """A producer that is killed goes on from its checkpoint: nothing is lost."""
    chance = random.Random(seed)
    bench.build("Sends", producer(4000, "sent", "", "period : 0.001;"))
    options = ["--checkpoint=sends-state", "--resume", "--checkpoint-every=50ms"]
    for _ in range(kills):
        process = bench.start("Sends", *options)
        time.sleep(chance.uniform(0.1, 1))
        process.kill()
        process.communicate()
    code, _, errors = bench.run("Sends", *options)
    expect("at the end", (code, errors), (0, ""))
    count = bench.broker.count("sent")
    rows = bench.broker.messages("sent", count)
    expect(f"nothing is lost, seed {seed}", sorted(set(rows)), texts(4000))


def passwords(bench):
    """A password opens, a wrong one is an error, and neither is shown anywhere."""
    wrong = "not-the-word-1234"
    for name, word in (("right", PASSWORDS["alice"]), ("wrong", wrong)):
        login = f'{servers.PLAIN} required username="alice" password="{word}";'
        bench.write(
            f"{name}.properties",
            f"bootstrap.servers={bench.broker.guarded}\nsecurity.protocol=SASL_PLAINTEXT\n"
            f"sasl.mechanism=PLAIN\nsasl.jaas.config={login}\n",
        )
        out = producer(20, "guarded").replace("kafka.properties", f"{name}.properties")
        bench.build(f"Send{name}", out)
        back = consumer("guarded", f"{name}.csv").replace("kafka.properties", f"{name}.properties")
        bench.build(f"Read{name}", back)
    said = []
    files = ["--trace=trace", "--metrics-json=metrics"]
    for options in ["--stats", "--trace-level=trace"], files, ["--checkpoint=right-state"]:
        code, out, errors = bench.run("Sendright", *options)
        expect(f"the right one, {options}", code, 0)
        said += [out, errors]
    said += [bench.read("trace"), bench.read("metrics"), bench.shown("right-state")]
    rows = bench.lines_of("Readright", 60, "right.csv")
    expect("it reads", len(rows), 60)
    said.append(bench.read("stderr"))
    once = producer(20, "guarded", "consistentRegionPolicy : Transactional;")
    bench.build("Once", once.replace("kafka.properties", "wrong.properties"))
    for name, *options in (["Sendwrong"], ["Readwrong"], ["Once", "--checkpoint=once-state"]):
        code, out, errors = bench.run(name, *options)
        expect(f"{name}: exit code", code, 1)
        expect_in(f"{name}: it says why", "uthentication failed", errors)
        said += [out, errors]
    said += [bench.shown("once-state")]
    for word in PASSWORDS["alice"], wrong:
        expect("it is shown nowhere", any(word in text for text in said), False)


def controlled(bench):
    """What is read is said by tuples: partitions, topics, and what a checkpoint has of them."""
    bench.build("Feed", producer(300, "fed") + producer(300, "fed2").replace("Out", "Out2").replace(
        "() as To ", "() as To2 "))
    expect("feeding", bench.run("Feed")[0], 0)
    count = bench.broker.counts("fed")
    graph = """    stream<rstring json> Orders = Custom() {
      logic onProcess : {
        submit({json = "no JSON"}, Orders);
        ORDERS
        while (!isShutdown()) block(0.1);
      }
    }
    stream<MessageType.StringMessage, MessageType.ConsumerMessageMetadata> In = KafkaConsumer(Orders) {
      param %s MORE
    }
    () as Sink = FileSink(In) { param file : "FILE"; flush : 1u; quoteStrings : false; }
""" % PROPERTIES

    def program(name, orders, more="", options=()):
        text = graph.replace("ORDERS", orders).replace("MORE", more).replace("FILE", name + ".csv")
        bench.build(name, text, *options)
        return name

    parts = program("Parts", """submit({json = createMessageAddTopicPartition("fed", 0, 10l)}, Orders);
        submit({json = createMessageAddTopicPartition([{topic = "fed", partition = 1, offset = -2l},
          {topic = "fed2", partition = 2, offset = -2l}])}, Orders);
        submit({json = createMessageAddTopicPartition("fed", 2, -1l)}, Orders);
        submit({json = createMessageRemoveTopicPartition("fed", 2)}, Orders);""")
    wanted = count[0] - 10 + count[1] + bench.broker.counts("fed2")[2]
    rows = bench.lines_of(parts, wanted, "Parts.csv")
    expect("partitions", len(rows), wanted)
    places = {tuple(row.split(",")[2:4]) for row in rows}
    expect("partitions", places, {("fed", "0"), ("fed", "1"), ("fed2", "2")})
    expect_in("what is no JSON", "it is no JSON; the tuple is left out", bench.read("stderr"))
    topics = program("Topics", """submit({json = createMessageAddTopic("fed")}, Orders);
        submit({json = createMessageAddTopics(["fed2"])}, Orders);
        submit({json = createMessageAddTopicPartition("fed", 0)}, Orders);""",
        'groupId : "told"; startPosition : Beginning;')  # fmt: skip
    expect("topics", len(bench.lines_of(topics, 600, "Topics.csv")), 600)
    expect_in("both", "either topics or partitions", bench.read("stderr"))
    graph = graph.replace('submit({json = "no JSON"}, Orders);', "")
    kept = program("Kept", 'if (getSubmissionTimeValue("first", "") == "yes") '
        'submit({json = createMessageAddTopicPartition("fed", 0, -2l)}, Orders);')  # fmt: skip
    state = ["--checkpoint=kept-state", "--resume", "--checkpoint-every=50ms"]
    rows = bench.lines_of(kept, count[0], "Kept.csv", *state, "first=yes")
    bench.build("Feed", producer(100, "fed", "partitionAttribute : part;").replace(
        "rstring message> Out", "rstring message, int32 part> Out"))  # fmt: skip
    expect("feeding more", bench.run("Feed")[0], 0)
    rows = bench.lines_of(kept, count[0] + 100, "Kept.csv", *state)
    expect("it goes on with what it was told", len(rows), count[0] + 100)
    both = "with a control port there is neither topic"
    code, _, errors = bench.run(program("Both", "", 'topic : "fed";'))
    expect("a topic as well", code, 1)
    expect_in("a topic as well", both, errors)


def main():
    options = kafka.options_of(__doc__)
    count = 4 if options.kills is None else options.kills

    def producer_kills(bench):
        at_least_once(bench, count, options.seed)

    tests = [places, passwords, rebalance, static_members, controlled, commits, producer_kills]
    return kafka.run_all(options, tests, PASSWORDS)


if __name__ == "__main__":
    sys.exit(main())
