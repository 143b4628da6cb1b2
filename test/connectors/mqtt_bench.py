"""Programs with MQTTSource and MQTTSink, and clients of their broker."""

import signal
import subprocess
import time

from programs import PATIENCE, Programs, expect


class Bench(Programs):
    def __init__(self, driver, folder, broker):
        super().__init__(driver, folder)
        self.broker = broker

    def graph(self, name, graph):
        head = "use com.ibm.streamsx.mqtt::*;\n"
        self.build(name, f"{head}composite {name} {{\n  graph\n{graph}}}\n")

    def server(self, more="", broker=None, scheme="tcp"):
        return f'serverURI : "{scheme}://127.0.0.1:{(broker or self.broker).port}"; {more}'

    def subscribe(self, topic, file, qos=1, broker=None, more=()):
        """A client whose session the broker keeps; its messages go to a file, a line each."""
        broker = broker or self.broker
        words = ["-t", topic, "-q", str(qos), "-c", "-i", f"outside-{file}", *more]
        out = open(self.path(file), "a")  # closed with this process
        process = broker.client("mosquitto_sub", *words, stdout=out, stderr=subprocess.DEVNULL)
        time.sleep(0.5)  # until it has subscribed
        broker.save()
        return process

    def checkpoint(self, state):
        """The last one, as text."""
        command = [self.driver, "checkpoint", "show", self.path(state)]
        return subprocess.run(command, capture_output=True, text=True).stdout

    def order(self, **config):
        """A program that reads ORDERS is to go elsewhere, as `config` says."""
        with open(self.path("orders"), "a") as file:
            file.write(";".join(f"connection.{name}={value}" for name, value in config.items()))
            file.write("\n")

    def uri(self, broker, scheme="tcp"):
        return f"{scheme}://127.0.0.1:{broker.port}"

    def numbers(self, file):
        return [int(line) for line in self.read(file).splitlines() if line.isdigit()]


def beacon(count, period="", more=""):
    return f"""    stream<rstring data{more}> In = Beacon() {{
      param iterations : {count}u; {period}
      output In : data = (rstring) IterationCount();
    }}
"""


def sink(bench, more, server=""):
    return f"    () as To = MQTTSink(In) {{ param {server or bench.server()} {more} }}\n"


def source(bench, more, file, attributes="rstring data", server=""):
    server = server or bench.server()
    return f"""    stream<{attributes}> Got = MQTTSource() {{ param {server} {more} }}
    () as File = FileSink(Got) {{ param file : "{file}"; flush : 1u; quoteStrings : false; }}
"""


def stop(process, code=0):
    """What it has printed."""
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=PATIENCE)
    expect("exit code", process.returncode, code)
    return out
