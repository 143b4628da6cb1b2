#!/usr/bin/env python3
"""MQTTSource and MQTTSink with a real broker. mosquitto_pub and mosquitto_sub are on the other
side. The last line says how many checks passed."""

import os
import random
import select
import signal
import subprocess
import sys
import time

import programs
import servers
from mqtt_bench import Bench, beacon, sink, source, stop
from programs import PATIENCE, await_true, expect, expect_in

HERE = os.path.dirname(os.path.abspath(__file__))
MESSAGES = 20000  # that are on their way while something is killed


def there(bench):
    """Each QoS; topics and QoS in attributes; retained messages; what cannot be sent."""
    for qos in (0, 1, 2):
        file = f"there-{qos}"
        outside = bench.subscribe(f"there/{qos}", file, qos)
        bench.graph("There", beacon(1000) + sink(bench, f'topic : "there/{qos}"; qos : {qos};'))
        code, _, errors = bench.run("There")
        expect(f"QoS {qos}", (code, errors), (0, ""))
        await_true(lambda: len(bench.numbers(file)) >= 1000, 10)
        expect(f"QoS {qos}: in order, once", bench.numbers(file), list(range(1000)))
        outside.kill()
    outside = bench.subscribe("by/#", "by")
    graph = """    stream<rstring where, blob what, int32 how> In = Beacon() {
      param iterations : 4u;
      output In : where = IterationCount() == 2ul ? "by/+" : "by/" + (rstring) IterationCount(),
                  what = convertToBlob((rstring) IterationCount()),
                  how = (int32) IterationCount() % 3;
    }
    stream<rstring why> Errors = MQTTSink(In) {
      param SERVER topicAttributeName : "where"; dataAttributeName : "what";
        qosAttributeName : "how"; retain : true;
    }
    () as File = FileSink(Errors) { param file : "errors"; }
"""
    bench.graph("By", graph.replace("SERVER", bench.server()))
    expect("topics in attributes", bench.run("By")[0], 0)
    await_true(lambda: len(bench.numbers("by")) >= 3, 10)
    expect("topics in attributes", bench.numbers("by"), [0, 1, 3])
    expect_in("what is no topic", "cannot send to the topic by/+", bench.read("errors"))
    outside.kill()
    late = bench.subscribe("by/3", "late")
    await_true(lambda: bench.numbers("late"), 10)
    expect("retained", bench.numbers("late"), [3])
    late.kill()


def back(bench):
    """Several topics, their names, bytes; and through both operators."""
    more = 'topics : "back/a, back/+/c"; qosStr : "1, 2"; topicOutAttrName : "topic";'
    bench.graph("Back", source(bench, more, "back", "rstring topic, rstring data"))
    process = bench.start("Back")
    time.sleep(1)
    bench.broker.publish("back/a", "1", "2")
    bench.broker.publish("back/b/c", "3", "")
    bench.broker.publish("back/b", "4")
    await_true(lambda: bench.read("back").count("\n") >= 4, 20)
    stop(process)
    expect("topics", bench.rows("back"), ["back/a,1", "back/a,2", "back/b/c,", "back/b/c,3"])


def told(bench):
    """Tuples say which topics are read; what one says is done as a whole, or not at all."""
    graph = """    stream<MQTTSourceUpdate.ControlPortType> Orders = Custom() {
      logic onProcess : {
        submit(newControlSignal(MQTTSourceUpdate.TopicsUpdateAction.ADD,
                                ["told/b", "told/c"], 1u), Orders);
        submit(newControlSignal(MQTTSourceUpdate.TopicsUpdateAction.REMOVE,
                                ["told/a", "told/c"], 0u), Orders);
        mutable MQTTSourceUpdate.ControlPortType wrong =
          newControlSignal(MQTTSourceUpdate.TopicsUpdateAction.ADD, ["told/a"], 1u);
        wrong.mqttConfig["connection.clientID"] = "x";
        submit(wrong, Orders);
        wrong.mqttConfig = (map<rstring, rstring>) {};
        wrong.topic[0].topics = ["told/c"];
        appendM(wrong.topic, {action = MQTTSourceUpdate.TopicsUpdateAction.ADD,
                              topics = ["told/d"], qos = 3u});
        submit(wrong, Orders);
        while (!isShutdown()) block(0.1);
      }
    }
"""
    bench.graph("Told", graph + source(bench, 'topics : "told/a";', "told").replace(
        "MQTTSource()", "MQTTSource(Orders)"))  # fmt: skip
    process = bench.start("Told")

    def has_read():
        bench.broker.publish("told/a", "1")
        bench.broker.publish("told/c", "3")
        bench.broker.publish("told/b", "2")
        return "2" in bench.read("told")

    await_true(has_read, 20)
    before = len(bench.rows("told"))  # some of the others may have come before it was told
    for _ in range(3):
        has_read()
    await_true(lambda: len(bench.rows("told")) >= before + 3, 20)
    stop(process)
    expect("what it was told", set(bench.read("told").splitlines()[before:]), {"2"})
    expect_in("what it cannot do", "no connection.clientID", bench.read("stderr"))
    expect_in("what it cannot do", "qos is 0, 1 or 2; that is left out", bench.read("stderr"))


ORDERS = """    stream<rstring line> Lines = FileSource() {
      param file : "orders"; format : line; hotFile : true;
    }
    stream<%s> Orders = Custom(Lines) {
      logic onTuple Lines : {
        mutable map<rstring, rstring> said = {};
        for (rstring part in tokenize(line, ";", false)) {
          list<rstring> words = tokenize(part, "=", true);
          said[words[0]] = words[1];
        }
        submit(%s, Orders);
      }
    }
"""
TO_SINK = ORDERS % ("MQTTSinkUpdate.ControlPortType", "{mqttConfig = said}")
TO_SOURCE = ORDERS % (
    "MQTTSourceUpdate.ControlPortType",
    "{topic = (list<MQTTSourceUpdate.TopicsUpdateDesc>) [], mqttConfig = said}",
)


def sink_goes_elsewhere(bench):
    """A broker stands still with messages that it has not confirmed: the next one gets them. That
    one is left in order, for one that asks for a certificate. The source goes on until all is
    seen."""
    bench.write("orders", "")
    brokers = [bench.broker, servers.Mosquitto(), servers.Mosquitto(tls=True, asks=True)]
    key = brokers[2].path("plain-key.pem")
    subprocess.run(
        ["openssl", "pkey", "-in", brokers[2].path("client-key.pem"), "-out", key]
        + ["-passin", f"pass:{brokers[2].PASSWORD}"],
        check=True,
    )
    known = ["--cafile", brokers[2].path("cert.pem"), "--cert", brokers[2].path("known.pem")]
    try:
        outside = [bench.subscribe("far", f"far-{i}", broker=brokers[i]) for i in (0, 1)]
        outside.append(
            bench.subscribe("far", "far-2", broker=brokers[2], more=[*known, "--key", key])
        )
        feed = beacon(1000000, "period : 0.001;") + TO_SINK
        written = '    () as File = FileSink(Wrong) { param file : "far-wrong"; flush : 1u; }\n'
        to = sink(bench, 'topic : "far"; qos : 1;').replace("() as To", "stream<rstring why> Wrong")
        logic = """MQTTSink(In; Orders) {
      logic onTuple In : if (data == "9") printStringLn("ten");
            onTuple Orders : printStringLn("order " + (rstring) size(mqttConfig));"""
        bench.graph("Far", feed + to.replace("MQTTSink(In) {", logic) + written)
        process = bench.start("Far", "--metrics-json=far.json")
        expect("it has begun", await_true(lambda: len(bench.numbers("far-0")) > 200, 30), True)
        bench.order(serverURI="http://h")
        bench.order(clientID="x")
        brokers[0].signal(signal.SIGSTOP)
        time.sleep(1)
        bench.order(serverURI=bench.uri(brokers[1]))
        at_1 = await_true(lambda: len(bench.numbers("far-1")) > 1500, 30)
        expect("the next broker has some", at_1, True)
        brokers[0].signal(signal.SIGCONT)
        bench.order(
            serverURI=bench.uri(brokers[2], "ssl"),
            trustStore=brokers[2].path("cert.pem"),
            keyStore=brokers[2].path("client.pem"),
            keyStorePassword=brokers[2].PASSWORD,
        )
        by_tls = await_true(lambda: len(bench.numbers("far-2")) > 100, 30)
        expect("by TLS", by_tls, True)
        bench.order(serverURI=bench.uri(brokers[0]))
        last = max(bench.numbers("far-2"))
        is_back = await_true(lambda: max(bench.numbers("far-0")) > last + 1000, 60)
        expect("the first broker again", is_back, True)
        said = stop(process).splitlines()
        expect("logic of ports", sorted(said), sorted(["ten"] + [f"order {n}" for n in "11141"]))

        def seen():
            return sorted(set(sum((bench.numbers(f"far-{i}") for i in range(3)), [])))

        bench.broker.publish("far", "end")
        expect("the end", await_true(lambda: "end\n" in bench.read("far-0"), 30), True)
        expect("none is lost", seen(), list(range(len(seen()))))
        expect("in order by TLS", bench.numbers("far-2"), sorted(set(bench.numbers("far-2"))))
        said = bench.read("stderr")
        for wanted in ("the protocol is tcp or ssl", "mqttConfig has no connection.clientID"):
            expect_in("a wrong order", wanted, said)
            expect_in("a wrong order: error port", wanted, bench.read("far-wrong"))
        expect("a password of a key", brokers[2].PASSWORD in said + bench.read("far.json"), False)
    finally:
        for client in outside:
            client.kill()
        for broker in brokers[1:]:
            broker.close()


def source_goes_elsewhere(bench):
    """Another broker has the topics; a checkpoint has the broker."""
    bench.write("orders", "")
    other = servers.Mosquitto()
    try:
        program = TO_SOURCE + source(bench, 'topics : "away/#"; qos : 1;', "away")
        bench.graph("Away", program.replace("MQTTSource()", "MQTTSource(Orders)"))
        options = ["--checkpoint=state-away", "--resume", "--checkpoint-every=100ms"]
        process = bench.start("Away", *options)

        def reads(broker, text):
            def has():
                broker.publish("away/x", text)
                return text in bench.rows("away")

            return await_true(has, 30)

        expect("the first broker", reads(bench.broker, "one"), True)
        bench.order(serverURI=bench.uri(other))
        expect("the other broker", reads(other, "two"), True)
        bench.broker.publish("away/x", "left")
        port = str(other.port)
        saved = await_true(lambda: port in bench.checkpoint("state-away"), 30)
        expect("a checkpoint has the broker", saved, True)
        process.kill()
        process.communicate()
        process = bench.start("Away", *options)
        expect("behind a crash", reads(other, "three"), True)
        stop(process)
        expect("the first broker was left", "left" in bench.rows("away"), False)
    finally:
        other.close()


def both(bench, file="both"):
    """From a sink to a source with one connection each, QoS 2."""
    bench.graph("Takes", source(bench, 'topics : "both"; qos : 2;', file))
    bench.graph("Gives", beacon(3000) + sink(bench, 'topic : "both"; qos : 2;'))
    takes = bench.start("Takes", log="takes")
    time.sleep(1)
    expect("both: exit code", bench.run("Gives")[0], 0)
    await_true(lambda: len(bench.numbers(file)) >= 3000, 30)
    stop(takes)
    expect("both: in order, once", bench.numbers(file), list(range(3000)))


def mistakes(bench):
    """Messages say what is wrong, and have no password."""
    locked = servers.Mosquitto(password=True)
    gone = servers.free_ports(1)[0]
    who = 'userID : "sluice"; password : "%s"; '
    try:
        for name, param, wanted in (
            ("password", bench.server(who % "wrong-78", locked), "not authorised"),
            ("nobody", f'serverURI : "tcp://127.0.0.1:{gone}"; reconnectionBound : 2; '
             "period : 200l;", "Connection refused"),
            ("protocol", 'serverURI : "http://u:geheim-43@h";', "the protocol is tcp or ssl"),
            ("user", 'serverURI : "tcp://u:geheim-43@h";', "serverURI has a user"),
            ("store", 'serverURI : "ssl://h"; trustStore : "a.jks";', "keytool -importkeystore"),
        ):  # fmt: skip
            bench.graph("Wrong", source(bench, 'topics : "x";', "x", server=param))
            code, out, errors = bench.run("Wrong")
            expect(f"{name}: exit code", code, 1)
            expect_in(name, wanted, errors)
            expect(f"{name}: secrets", "geheim" in out + errors or "wrong-78" in errors, False)
        server = bench.server(who % "no", locked)
        bench.graph("Wrong", beacon(1) + sink(bench, 'topic : "x";', server))
        expect("password of a sink", bench.run("Wrong")[0], 1)
        server = bench.server(who % locked.PASSWORD, locked)
        bench.graph("Right", beacon(10) + sink(bench, 'topic : "x"; qos : 1;', server))
        code, out, errors = bench.run("Right", "--stats", "--metrics-json=m.json", "--trace=trace")
        expect("the right password", code, 0)
        seen = out + errors + bench.read("m.json") + bench.read("trace")
        expect("the password is nowhere", locked.PASSWORD in seen, False)
    finally:
        locked.close()


def tls(bench):
    """Certificates are checked."""
    secure = servers.Mosquitto(tls=True)
    try:
        trust = f'trustStore : "{secure.path("cert.pem")}"; '
        for name, server, code in (
            ("trusted", bench.server(trust, secure, "ssl"), 0),
            ("not trusted", bench.server("reconnectionBound : 0;", secure, "ssl"), 1),
        ):
            bench.graph("Tls", beacon(10) + sink(bench, 'topic : "x"; qos : 1;', server))
            expect(f"TLS, {name}", bench.run("Tls")[0], code)
        expect_in("TLS", "certificate", bench.read("stderr"))
    finally:
        secure.close()


def the_page(bench):
    """The program of docs/connectors/MQTT.md."""
    with open(os.path.join(HERE, "..", "..", "docs", "connectors", "MQTT.md")) as file:
        program = file.read().split("```spl\n")[1].split("```")[0]
    bench.build("Alarms", program.replace("localhost:1883", f"127.0.0.1:{bench.broker.port}"))
    outside = bench.subscribe("alarms/#", "alarms")
    process = bench.start("Alarms")
    time.sleep(1)
    bench.broker.publish("sensors/kitchen", "21.5", "99.0")
    await_true(lambda: bench.read("alarms"), 20)
    stop(process)
    outside.kill()
    expect("the page", bench.read("alarms"), "sensors/kitchen: 99.0\n")


def settle(bench, topic, mark):
    """Until the subscriber has all that the broker has confirmed: a mark that comes behind it."""
    bench.broker.publish(topic, mark)
    there = await_true(lambda: mark in bench.read(topic).splitlines(), 30)
    expect("the subscriber is there", there, True)


def kills_of_the_broker(bench, seed, kills):
    """The broker is killed while a sink sends: nothing is lost. What it has confirmed is in its
    memory only, so the program stands still until the subscriber has all of that."""
    chance = random.Random(seed)
    outside = bench.subscribe("long", "long")
    feed = beacon(MESSAGES, "period : 0.0005;")
    bench.graph("Long", feed + sink(bench, 'topic : "long"; qos : 1;'))
    process = bench.start("Long")
    for kill in range(kills):
        time.sleep(chance.random() / 2)
        process.send_signal(signal.SIGSTOP)
        settle(bench, "long", f"kill {kill}")
        bench.broker.kill()
        process.send_signal(signal.SIGCONT)
        time.sleep(chance.random() / 2)
        bench.broker.start()
        if outside.poll() is not None:
            outside = bench.subscribe("long", "long")
    process.communicate(timeout=PATIENCE)
    expect("the broker was killed: exit code", process.returncode, 0)
    await_true(lambda: len(set(bench.numbers("long"))) >= MESSAGES, 20)
    outside.kill()
    lost = sorted(set(range(MESSAGES)) - set(bench.numbers("long")))
    expect(f"the broker was killed: lost, seed {seed}", lost, [])


def kills_of_the_program(bench, seed, kills):
    """A sink with checkpoints, and a source with a log, are killed: nothing is lost."""
    chance = random.Random(seed)
    outside = bench.subscribe("again", "again")
    feed = beacon(MESSAGES, "period : 0.0002;")
    bench.graph("Again", feed + sink(bench, 'topic : "again"; qos : 1;'))
    options = ["--checkpoint=state-sink", "--resume", "--checkpoint-every=100ms"]
    for _ in range(kills):
        process = bench.start("Again", *options)
        time.sleep(0.2 + chance.random())
        process.kill()
        process.communicate()
    expect("the sink was killed: exit code", bench.run("Again", *options)[0], 0)
    await_true(lambda: len(set(bench.numbers("again"))) >= MESSAGES, 20)
    outside.kill()
    lost = sorted(set(range(MESSAGES)) - set(bench.numbers("again")))
    expect(f"the sink was killed: lost, seed {seed}", lost, [])
    more = 'topics : "kept"; qos : 1; clientID : "keeper";'
    bench.graph("Kept", source(bench, more, "kept"))
    bench.graph("Feeds", feed + sink(bench, 'topic : "kept"; qos : 1;'))
    options = ["--checkpoint=state-source", "--resume", "--spool=Got", "--checkpoint-every=100ms"]
    process = bench.start("Kept", *options)
    time.sleep(1)  # until the broker knows it
    feeds = bench.start("Feeds", log="feeds")
    for _ in range(kills):
        time.sleep(0.2 + chance.random())
        process.kill()
        process.communicate()
        process = bench.start("Kept", *options)
    feeds.communicate(timeout=PATIENCE)
    await_true(lambda: len(set(bench.numbers("kept"))) >= MESSAGES, 30)
    stop(process)
    lost = sorted(set(range(MESSAGES)) - set(bench.numbers("kept")))
    expect(f"the source was killed: lost, seed {seed}", lost, [])


def dies_with_a_message(bench):
    """The broker does not hear of a message of QoS 1 before it was handed on."""
    graph = source(bench, 'topics : "slow"; qos : 1; clientID : "slow";', "slow")
    graph = graph.replace("FileSink(Got)", "FileSink(Done)")
    graph += """    stream<Got> Done = Custom(Got) {
      logic onTuple Got : {
        printStringLn(data);
        while (data == "slow") block(0.1);
        submit(Got, Done);
      }
    }
"""
    bench.graph("Slow", graph)
    seen = []
    for message in ("slow", ""):
        process = bench.start("Slow", "--threads=1")

        def comes(process=process, message=message):
            if message:  # until it is subscribed
                bench.broker.publish("slow", message)
            return select.select([process.stdout], [], [], 0.1)[0]

        seen.append(process.stdout.readline() if await_true(comes, 20) else "nothing")
        process.kill()
        process.communicate()
    expect("it comes again", seen, ["slow\n", "slow\n"])


def fails_with_a_message(bench):
    """An operator fails: the broker does not hear of the message, nor of those behind it."""
    more = 'topics : "odd"; qos : 1; clientID : "odd";'
    graph = source(bench, more, "odd").replace("FileSink(Got)", "FileSink(Done)")
    graph += """    stream<Got> Done = Custom(Got) {
      logic onTuple Got : { assert(data != "bad"); submit(Got, Done); }
    }
"""
    bench.graph("Odd", graph)
    bench.graph("Even", source(bench, more, "even"))
    process = bench.start("Odd")

    def is_subscribed():
        bench.broker.publish("odd", "good")
        return "good" in bench.read("odd")

    await_true(is_subscribed, 20)
    bench.broker.publish("odd", "bad", *(f"next {i}" for i in range(100)))
    process.communicate(timeout=PATIENCE)
    expect("an operator fails: exit code", process.returncode != 0, True)
    process = bench.start("Even")
    has_all = await_true(lambda: "next 99" in bench.read("even"), 20)
    stop(process)
    got = set(bench.read("even").splitlines())
    expect("an operator fails: the last one", has_all, True)
    lost = {"bad", *(f"next {i}" for i in range(100))} - got
    expect("an operator fails: lost", lost, set())


def ends_without_a_broker(bench):
    """SIGTERM ends a source and a sink whose broker does not answer; what is lost is counted."""
    bench.graph("Reads", source(bench, 'topics : "x";', "x"))
    bench.graph("Writes", beacon(1000000, "period : 0.001;") + sink(bench, 'topic : "x"; qos : 1;'))
    reads, writes = bench.start("Reads", log="reads"), bench.start("Writes")
    time.sleep(1)
    bench.broker.signal(signal.SIGSTOP)
    time.sleep(1)
    stop(reads)
    stop(writes, 1)
    expect_in("a sink ends", "within 30 s: what it has not is lost", bench.read("stderr"))
    bench.broker.signal(signal.SIGCONT)


def main():
    options = programs.options_of(__doc__)
    count = 3 if options.kills is None else options.kills

    def broker_kills(bench):
        kills_of_the_broker(bench, options.seed, count)

    def program_kills(bench):
        kills_of_the_program(bench, options.seed, count)

    tests = [there, back, told, both, sink_goes_elsewhere, source_goes_elsewhere, mistakes, tls]
    tests += [the_page, dies_with_a_message, fails_with_a_message, broker_kills, program_kills]
    tests += [ends_without_a_broker] if options.long else []
    return programs.run_all(options, servers.Mosquitto, Bench, tests)


if __name__ == "__main__":
    sys.exit(main())
