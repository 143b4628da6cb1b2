#!/usr/bin/env python3
"""How many messages of 100 bytes a second KafkaProducer and KafkaConsumer move, with the broker on
the same processors, and beside them rdkafka_performance, which comes with librdkafka's source.
A measurement by hand, no test: times go from the start of a process to its end."""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

import servers
from kafka import PROPERTIES, Bench

OUT = f"""    stream<rstring message> Out = Beacon() {{
      param iterations : COUNTu;
      output Out : message = MESSAGE;
    }}
    () as To = KafkaProducer(Out) {{ param topic : "TOPIC"; {PROPERTIES} }}
"""
IN = f"""    stream<rstring message> In = KafkaConsumer() {{
      param topic : "TOPIC"; {PROPERTIES} partition : 0, 1, 2; startPosition : Beginning;
    }}
    () as Count = Custom(In) {{
      logic
        state : mutable int64 count = 0l;
        onTuple In : if (++count == COUNTl) shutdownPE();
    }}
"""


def peer(folder):
    """librdkafka's own program, compiled against the library that is installed."""
    script = os.path.join(os.path.dirname(__file__), "..", "..", "cmake", "foreign-source.sh")
    subprocess.run([script, "librdkafka", folder, "examples/*.c", "src/*.h"], check=True)
    open(os.path.join(folder, "config.h"), "w").close()  # of its own build
    path = os.path.join(folder, "rdkafka_performance")
    source = os.path.join(folder, "examples", "rdkafka_performance.c")
    command = ["cc", "-O2", "-w", "-I", os.path.join(folder, "src"), source, "-o", path]
    subprocess.run([*command, "-lrdkafka", "-lpthread"], check=True)
    return path


def seconds(command, folder):
    before = time.monotonic()
    out = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if out.returncode:
        raise RuntimeError(f"{command}: {out.returncode}: {out.stderr}")
    return time.monotonic() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--jars", required=True, help="the folder for what Maven fetches")
    parser.add_argument("--count", type=int, default=2_000_000)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    broker = servers.Kafka(servers.fetch_kafka(options.jars))
    try:
        with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
            measure(options, broker, Bench(os.path.abspath(options.driver), folder, broker))
    finally:
        broker.close()


def measure(options, broker, bench):
    other = peer(os.path.join(bench.folder, "peer"))
    count, address = options.count, ["-b", broker.address]
    message = '"' + "x" * 92 + '" + (rstring) (10000000ul + IterationCount())'
    sends = [other, "-P", "-t", "peer", "-s", "100", "-c", str(count), *address]
    sends += ["-a", "-1", "-X", "enable.idempotence=true", "-X", "linger.ms=5", "-q"]
    reads = [other, "-G", "readers{}", "-X", "auto.offset.reset=earliest", "-c", str(count), "-q"]
    reads += [*address, "-t", "out"]
    own = []
    for name, graph in ("Out", OUT), ("In", IN):
        graph = graph.replace("COUNT", str(count)).replace("TOPIC", "out")
        bench.build(name, graph.replace("MESSAGE", message), "-O3")
        own.append([bench.path(name), "--data-dir", bench.folder])
    rates = {name: [] for name in ("KafkaProducer", "peer out", "KafkaConsumer", "peer in")}
    for turn in range(options.turns):
        each = [own[0], sends, own[1], [word.format(turn) for word in reads]]
        for name, command in zip(rates, each):
            rates[name].append(count / seconds(command, bench.folder))
    print(f"load average {os.getloadavg()[0]:.1f}, {count} messages of 100 B, thousands a second:")
    for name, found in rates.items():
        middle = statistics.median(found)
        print(f"{name:15} {middle / 1000:7.0f}   {[round(rate / 1000) for rate in found]}")


if __name__ == "__main__":
    main()
