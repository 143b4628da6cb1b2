#!/usr/bin/env python3
"""Kafka to Kafka exactly once: a program that counts is killed at random moments, as is the broker,
and Kafka's own consumer says what is there. The last line says how many checks passed."""

import functools
import os
import random
import signal
import subprocess
import sys
import time

import kafka
import servers
from kafka import PROPERTIES, producer
from programs import PATIENCE, await_true, expect, expect_in

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = 10
TRANSACTIONAL = "consistentRegionPolicy : Transactional;"


def counted(source):
    """Numbers the messages of each key: what it sends depends on the order within a partition, and
    on each message that came before."""
    return f"""    stream<rstring key, rstring message> In = KafkaConsumer() {{
      param topic : "{source}"; {PROPERTIES} partition : 0, 1, 2; startPosition : Beginning;
    }}
    stream<rstring key, rstring message> Counted = Custom(In) {{
      logic
        state : mutable map<rstring, int32> counts = {{}};
        onTuple In : {{
          counts[key] = (key in counts ? counts[key] : 0) + 1;
          submit({{key = key, message = message + " is " + (rstring) counts[key]}}, Counted);
        }}
    }}
"""


def counting(source, to, more=TRANSACTIONAL):
    sink = f"""    () as To = KafkaProducer(Counted) {{ param topic : "{to}"; {PROPERTIES} {more} }}
"""
    return counted(source) + sink


def wanted(count):
    return sorted(f"k{i % KEYS}\tm{i} is {i // KEYS + 1}" for i in range(count))


def committed(bench, topic, count):
    """What readers of committed messages get: so many, and what is there above that."""
    options = ["--isolation-level", "read_committed", "--property", "print.key=true"]
    bench.broker.messages(topic, count, *options, patience=60)  # waits until they are there
    for patience in 4, 15, 60:
        rows = bench.broker.messages(topic, count + 1, *options, patience=patience)
        if len(rows) >= count:
            break
    return sorted(rows)


def start(bench, name, options, environment=None):
    command = [bench.path(name), "--data-dir", bench.folder, *options]
    with open(bench.path(name + ".errors"), "a") as errors:
        return subprocess.Popen(
            command,
            cwd=bench.folder,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )


def pids_of(process):
    listed = subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True, check=False)
    return [int(pid) for pid in listed.stdout.split()]


def await_end(process):
    """With all that it has started: PEs outlive their launcher for a moment."""
    process.wait(timeout=PATIENCE)
    while pids_of(process):
        time.sleep(0.01)


def kill_one(bench, chance, name, options):
    """One run that is killed: at a moment, at a step of writing a checkpoint, or as a PE."""
    how = chance.random()
    inside = {"SLUICE_CRASH_AT": str(chance.randrange(1, 60))} if how < 0.3 else None
    process = start(bench, name, options, inside)
    time.sleep(chance.uniform(0.05, 1.2))
    pids = [pid for pid in pids_of(process) if pid != process.pid]
    try:
        if pids and how > 0.6:
            os.kill(chance.choice(pids), signal.SIGKILL)
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has died inside
    await_end(process)
    if process.returncode > 0:
        expect_in(f"{name}: it died of a kill", "Killed", bench.read(name + ".errors")[-2000:])


def kills(bench, name, options, count, server_kills, seed, others, sent):
    """Kills the program so often, and the broker or one of the other servers, while messages come
    all the time. `sent(n)`: what has arrived where they go, as soon as n are there."""
    chance = random.Random(seed)
    messages = 1000 + 600 * count
    topic = f"{name}-in"
    feed = f"Feed{name}"
    bench.build(feed, producer(messages, topic, "", "period : 0.001;"))
    feeder = bench.start(feed)
    time.sleep(1)
    breaks = set(chance.sample(range(count), server_kills))
    for number in range(count):
        if number in breaks:
            process = start(bench, name, options)
            time.sleep(chance.uniform(0.5, 1.5))
            server = chance.choice([bench.broker, *others])
            server.kill()
            time.sleep(chance.uniform(0, 2))
            server.start()
            os.killpg(process.pid, signal.SIGKILL)
            await_end(process)
        kill_one(bench, chance, name, options)
    feeder.communicate(timeout=60 + messages / 100)
    expect(f"{name}: the feed", feeder.returncode, 0)
    process = start(bench, name, options)
    got = sent(messages)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=PATIENCE)
    expect(f"{name}: exit code", process.returncode, 0)
    right = wanted(messages)
    if got != right:
        print("differ:", sorted(set(right) ^ set(got))[:20], len(got), flush=True)
    expect(f"{name}, seed {seed}: lost", len(set(right) - set(got)), 0)
    expect(f"{name}, seed {seed}: doubled", len(got) - len(set(got)), 0)
    expect(f"{name}, seed {seed}: all once", got == right, True)
    print(f"{name}: {count} kills, {server_kills} of servers, {messages} messages", flush=True)


def kills_to_postgres(bench, options, count, server_kills, seed):
    """From Kafka into a table."""
    try:
        database = servers.Postgres()
    except servers.Missing as why:
        return print(f"skipped: {why}")
    try:
        database.sql("CREATE TABLE sent (key text, message text)")
        sink = f"""    () as To = com.ibm.streamsx.jdbc::JDBCRun(Counted) {{
      param
        jdbcUrl : "jdbc:postgresql://127.0.0.1:{database.port}/test";
        jdbcUser : "sluice"; jdbcPassword : "{database.PASSWORD}";
        statement : "INSERT INTO sent VALUES (?, ?)"; statementParamAttrs : "key, message";
    }}
"""
        bench.build("Base", counted("Base-in") + sink)

        def sent(messages):
            await_true(lambda: int(database.sql("SELECT count(*) FROM sent")) >= messages, 120)
            return sorted(database.sql("SELECT key || E'\\t' || message FROM sent").splitlines())

        options = ["--checkpoint=Base-state", *options]
        kills(bench, "Base", options, count, server_kills, seed, [database], sent)
    finally:
        database.close()


def the_end(bench):
    """A program that ends by itself, or with SIGTERM, has all in Kafka when it has ended; resumed,
    it sends nothing more."""
    graph = producer(500, "ended", TRANSACTIONAL)
    bench.build("Ends", graph)
    options = ["--checkpoint=ends-state", "--resume"]
    expect("an end", bench.run("Ends", *options)[0], 0)
    right = sorted(f"k{i % 10}\tm{i}" for i in range(500))
    expect("at the end all is there", committed(bench, "ended", 500), right)
    expect("resumed", bench.run("Ends", *options)[0], 0)
    expect("it has sent nothing", committed(bench, "ended", 500), right)


def behind_the_checkpoint(bench):
    """Killed between the checkpoint of the end and the transaction: the rows are sent on resuming.
    The broker is not there then, so that it is no matter of chance."""
    bench.build("Late", producer(300, "late", TRANSACTIONAL, "period : 0.03;"))
    options = ["--checkpoint=late-state", "--resume", "--checkpoint-every=50ms"]
    process = bench.start("Late", *options)
    bench.broker.messages("late", 20, "--isolation-level", "read_committed")
    bench.broker.kill()
    end = time.monotonic() + PATIENCE
    while bench.shown("late-state").count("count ") < 3 and time.monotonic() < end:
        time.sleep(0.1)
    process.kill()
    process.communicate()
    expect_in("rows are in the checkpoint", "count ", bench.shown("late-state"))
    bench.broker.start()
    code, _, errors = bench.run("Late", *options)
    expect("resumed", code, 0)
    right = sorted(f"k{i % 10}\tm{i}" for i in range(300))
    expect("all once", committed(bench, "late", 300), right)


def older(bench):
    """From an older checkpoint what followed it comes again, with a warning."""
    bench.build("Older", producer(200, "older", TRANSACTIONAL, "period : 0.02;"))
    options = ["--checkpoint=older-state", "--checkpoint-every=100ms", "--checkpoint-keep=100"]
    expect("first", bench.run("Older", *options)[0], 0)
    code, _, errors = bench.run("Older", *options, "--resume-from=1")
    expect("from an older one", code, 0)
    expect_in("it says so", "behind the checkpoint: what followed that comes again", errors)
    rows = committed(bench, "older", 200)
    expect("some come again", len(rows) > 200, True)


def mistakes(bench):
    bench.build("None", producer(1, "none", TRANSACTIONAL))
    code, _, errors = bench.run("None")
    expect("without checkpoints", code, 1)
    expect_in("without checkpoints", "--checkpoint=DIR is missing", errors)
    graph = producer(1, "none", TRANSACTIONAL).replace("    () as", "    @autonomous () as")
    bench.build("Alone", graph)
    code, _, errors = bench.run("Alone", "--checkpoint=alone-state")
    expect("autonomous", code, 1)
    expect_in("autonomous", "@autonomous has the operator begin anew", errors)


def region(name, annotation, more, file):
    """A consistent region from a KafkaConsumer on, in which an operator asks for a reset twice. It
    prints what it gets, so that what comes again is seen."""
    return f"""    {annotation}
    stream<rstring key, rstring message> In = KafkaConsumer() {{
      param topic : "{name}"; {PROPERTIES} partition : 0, 1, 2; startPosition : Beginning; {more}
    }}
    stream<In> Slowed = Throttle(In) {{ param rate : 1000.0; }}
    stream<rstring line> Lines = Custom(Slowed) {{
      logic
        state : {{ mutable map<rstring, int32> counts = {{}}; mutable int32 seen = 0; }}
        onTuple Slowed : {{
          printStringLn(message);
          if (++seen == 700 * ((int32) getRelaunchCount() + 1) && getRelaunchCount() < 2u)
            resetConsistentRegion();
          counts[key] = (key in counts ? counts[key] : 0) + 1;
          submit({{line = key + "\\t" + message + " is " + (rstring) counts[key]}}, Lines);
        }}
    }}
    () as Sink = FileSink(Lines) {{
      param file : "{file}"; format : line; flush : 1u;
    }}
"""


def regions(bench):
    """Each reset seeks back to the offsets of the checkpoint: what followed it comes again, and the
    file has all once."""
    count = 2000
    for name, annotation, more in (
        ("driven", "@consistent(trigger = operatorDriven)", "triggerCount : 300;"),
        ("timed", "@consistent(trigger = periodic, period = 0.2)", ""),
    ):
        feed, program, file = f"Feed{name}", f"Region{name}", f"{name}.lines"
        bench.build(feed, producer(count, name))
        expect(f"{name}: the feed", bench.run(feed)[0], 0)
        bench.build(program, region(name, annotation, more, file))
        options = [f"--checkpoint={name}-state", "--checkpoint-keep=100", "--resume"]
        shown = []
        for attempt in (1, 2):
            code, out, errors = bench.run(program, *options)
            expect(f"{name}, reset {attempt}", code, 1)
            said = "resetConsistentRegion(): the program ends"
            expect_in(f"{name}, reset {attempt}", said, errors)
            shown += out.splitlines()
        process = bench.start(program, *options)
        time.sleep(0.5)
        bench.await_lines(file, count, process)
        process.send_signal(signal.SIGTERM)
        shown += process.communicate(timeout=PATIENCE)[0].splitlines()
        expect(f"{name}: exit code", process.returncode, 0)
        expect(f"{name}: all once", bench.rows(file), wanted(count))
        again = len(shown) - count
        expect(f"{name}: all were there", len(set(shown)), count)
        expect(f"{name}: some came again, not all ({again})", 1 < again < 1400, True)
        made = bench.shown(f"{name}-state")
        expect_in(f"{name}: positions", f"position 0 {name}", made)


def readme(bench):
    """The recipe of README.md: Kafka, a window, PostgreSQL."""
    try:
        database = servers.Postgres()
    except servers.Missing as why:
        return print(f"skipped: {why}")
    try:
        database.sql("CREATE TABLE means (room text, mean float8)")
        with open(os.path.join(HERE, "..", "..", "README.md")) as file:
            recipe = next(part for part in file.read().split("```spl\n") if "JDBCRun" in part)
        recipe = recipe.split("```")[0].replace("time(10)", "time(1)")
        bench.compile("Rooms", recipe.replace("localhost:5432", f"127.0.0.1:{database.port}"))
        bench.build("Heat", """    stream<rstring message> Out = Beacon() {
      param iterations : 4u;
      output Out : message = IterationCount() < 2ul ? "{\\"room\\": \\"attic\\", \\"degrees\\": 21.5}"
        : "{\\"room\\": \\"cellar\\", \\"degrees\\": " + (rstring) IterationCount() + "}";
    }
    () as To = KafkaProducer(Out) { param topic : "readings"; propertiesFile : "kafka.properties"; }
""")
        bench.write("secret", database.PASSWORD)
        os.chmod(bench.path("secret"), 0o600)
        options = [f"password=@file:{bench.path('secret')}", "--checkpoint=rooms", "--resume"]
        expect("feeding", bench.run("Heat")[0], 0)
        with open(bench.path("kafka.properties"), "a") as properties:
            properties.write("auto.offset.reset=earliest\n")
        process = start(bench, "Rooms", [*options, "--checkpoint-every=100ms"])
        # The same whichever windows the messages are in.
        rows = "SELECT room, avg(mean) FROM means GROUP BY room ORDER BY room"
        wanted = "attic|21.5\ncellar|2.5"
        await_true(lambda: database.sql(rows) == wanted, 30)
        process.send_signal(signal.SIGTERM)
        expect("the recipe: exit code", process.wait(PATIENCE), 0)
        expect("the recipe", database.sql(rows), wanted)
    finally:
        bench.write("kafka.properties", f"bootstrap.servers={bench.broker.address}\n")
        database.close()


def main():
    options = kafka.options_of(__doc__)
    count = 6 if options.kills is None else options.kills

    def killed(bench):
        each = ["--resume", "--checkpoint-every=50ms"]
        for name, more in (("One", []), ("Pes", ["--pes=2"])):
            bench.build(name, counting(f"{name}-in", f"{name}-out"), *more)
            state, to = f"--checkpoint={name}-state", f"{name}-out"
            sent = functools.partial(committed, bench, to)
            kills(bench, name, [state, *each], count, options.broker_kills, options.seed, [], sent)

    def killed_to_postgres(bench):
        each = ["--resume", "--checkpoint-every=50ms"]
        kills_to_postgres(bench, each, count, options.broker_kills, options.seed)

    tests = [mistakes, the_end, behind_the_checkpoint, older, regions, readme]
    return kafka.run_all(options, [*tests, killed, killed_to_postgres])


if __name__ == "__main__":
    sys.exit(main())
