"""Real servers for tests: each on free ports of loopback, in a folder of its own."""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

KAFKA = "3.9.1"
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>sluice.test</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>{}</dependencies>
</project>
"""
DEPENDENCY = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
)
JVM = ["-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
PATIENCE = 60  # s, for a server to answer


class Missing(Exception):
    """A server is not there: its tests are skipped."""


def free_ports(count):
    """Below those that the system gives to others, who could take one while a server is killed."""
    ports = []
    while len(ports) < count:
        port = random.randrange(10000, 32000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
            ports.append(port)
        except OSError:
            pass  # somebody has it
    return ports


def await_port(port, process):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"nothing answers at port {port}")


def fetch_kafka(folder):
    """The jars of the broker and its tools, by Maven; where they are."""
    jars = os.path.join(folder, f"kafka-{KAFKA}")
    if not shutil.which("java"):
        raise Missing("there is no Java")
    if not os.path.exists(jars):
        parts = [("org.apache.kafka", name, KAFKA) for name in ("kafka_2.13", "kafka-tools")]
        parts.append(("org.slf4j", "slf4j-nop", "1.7.36"))
        with tempfile.TemporaryDirectory() as temp:
            with open(os.path.join(temp, "pom.xml"), "w") as file:
                file.write(POM.format("".join(DEPENDENCY.format(*part) for part in parts)))
            command = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime"]
            command.append(f"-DoutputDirectory={jars}.part")
            if subprocess.run(command, cwd=temp, stdout=subprocess.DEVNULL).returncode:
                raise Missing("Maven cannot fetch Kafka")
        os.rename(jars + ".part", jars)
    return jars


class Kafka:
    """A broker of its own. Topics have three partitions and come into being when they are used."""

    def __init__(self, jars):
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-kafka-")
        self.java = ["java", *JVM, "-cp", os.path.join(jars, "*")]
        self.port, controller = free_ports(2)
        self.address = f"127.0.0.1:{self.port}"
        self.config = os.path.join(self.folder.name, "server.properties")
        with open(self.config, "w") as file:
            file.write(
                f"""process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{self.port}
controller.listener.names=CONTROLLER
log.dirs={self.folder.name}/logs
num.partitions=3
offsets.topic.replication.factor=1
offsets.topic.num.partitions=3
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=200
"""
            )
        identity = ["-t", "c2x1aWNlLXRlc3RzLTAwMQ", "-c", self.config]
        self.run("kafka.tools.StorageTool", "format", *identity)
        self.start()

    def run(self, tool, *arguments):
        out = subprocess.run([*self.java, tool, *arguments], capture_output=True, text=True)
        if out.returncode:
            raise RuntimeError(f"{tool}: {out.stdout}{out.stderr}")
        return out.stdout

    def start(self):
        with open(os.path.join(self.folder.name, "log"), "a") as log:
            self.process = subprocess.Popen(
                [*self.java, "kafka.Kafka", self.config], stdout=log, stderr=log
            )
        await_port(self.port, self.process)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def messages(self, topic, count, *options):
        """So many messages from the beginning, as Kafka's own consumer prints them."""
        tool = "org.apache.kafka.tools.consumer.ConsoleConsumer"
        words = ["--bootstrap-server", self.address, "--topic", topic, "--from-beginning"]
        words += ["--max-messages", str(count), "--timeout-ms", "15000", *options]
        return self.run(tool, *words).splitlines()

    def count(self, topic):
        """How many messages are in the topic."""
        words = ["--bootstrap-server", self.address, "--topic", topic]
        lines = self.run("org.apache.kafka.tools.GetOffsetShell", *words).splitlines()
        return sum(int(line.rsplit(":", 1)[1]) for line in lines)

    def close(self):
        self.kill()
        self.folder.cleanup()
