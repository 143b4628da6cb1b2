"""Real servers for tests: each on free ports of loopback, in a folder of its own."""

import contextlib
import glob
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

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
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SASL = "SASL_PLAINTEXT"
JVM = ["-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
PATIENCE = 120  # s, for a server to answer


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
    code = process.poll()
    ended = f"; its server has ended with code {code}" if code is not None else ""
    raise RuntimeError(f"nothing answers at port {port}{ended}")


class Postgres:
    """A database `test` with a user `sluice`. It runs as Debian's user postgres where this process
    is root's, which PostgreSQL refuses to run as."""

    PASSWORD = "geheim-42"

    def __init__(self):
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not programs:
            raise Missing("there is no PostgreSQL (apt install postgresql-15)")
        self.programs = os.path.dirname(programs[-1])
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-postgres-")
        self.data = os.path.join(self.folder.name, "data")
        self.port = free_ports(1)[0]
        self.user = []
        if os.geteuid() == 0:
            shutil.chown(self.folder.name, "postgres", "postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        secret = os.path.join(self.folder.name, "secret")
        with open(secret, "w") as file:
            file.write(self.PASSWORD)
        os.chmod(secret, 0o644)
        options = ["-D", self.data, "-U", "sluice", "-A", "scram-sha-256", "--pwfile", secret]
        self.run("initdb", *options, "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        self.sql("CREATE DATABASE test", database="postgres")

    def run(self, program, *words):
        command = [*self.user, os.path.join(self.programs, program), *words]
        out = subprocess.run(command, cwd=self.folder.name, capture_output=True, text=True)
        if out.returncode:
            raise RuntimeError(f"{program}: {out.stdout}{out.stderr}")

    def start(self):
        words = ["-D", self.data, "-p", str(self.port), "-h", "127.0.0.1", "-k", self.folder.name]
        command = [*self.user, os.path.join(self.programs, "postgres"), *words]
        end = time.monotonic() + PATIENCE
        while True:  # until those that were killed have gone
            with open(os.path.join(self.folder.name, "log"), "a") as log:
                self.process = subprocess.Popen(
                    command, cwd=self.folder.name, stdout=log, stderr=log
                )
            try:
                await_port(self.port, self.process)
                break
            except RuntimeError:
                if time.monotonic() > end:
                    raise
        while not self.answers():
            time.sleep(0.05)

    def answers(self):
        command = [os.path.join(self.programs, "pg_isready"), "-q", "-h", "127.0.0.1"]
        return not subprocess.run([*command, "-p", str(self.port)]).returncode

    def processes(self):
        """Of the server and of its connections."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [self.process.pid, *map(int, file.read().split())]

    def signal(self, number):
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass  # a connection has ended

    def kill(self):
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.wait()

    def sql(self, text, database="test"):
        """What psql prints, columns with | between them."""
        command = [os.path.join(self.programs, "psql"), "-h", "127.0.0.1", "-p", str(self.port)]
        command += ["-U", "sluice", "-d", database, "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        out = subprocess.run(
            [*command, "-c", text],
            env={**os.environ, "PGPASSWORD": self.PASSWORD},
            capture_output=True,
            text=True,
        )
        if out.returncode:
            raise RuntimeError(f"{text}: {out.stderr}")
        return out.stdout.strip()

    def close(self):
        self.kill()
        time.sleep(0.2)  # until its processes have let go of the folder
        self.folder.cleanup()


class PostgresProxy:
    """Stands in front of servers of PostgreSQL. `ports` are those that connections go to, one after
    the other, and all further ones to the last; None says nothing. A connection on which `mark`
    comes is cut before it goes on, if `cuts`, which is called then, says so."""

    def __init__(self, ports, mark=None, cuts=None):
        self.ports, self.mark, self.cuts = ports, mark, cuts
        self.count = 0
        self.sockets = []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):  # the end
            while True:
                client, _ = self.server.accept()
                self.sockets.append(client)
                port = self.ports[min(self.count, len(self.ports) - 1)]
                self.count += 1
                if port:
                    self.join(client, port)

    def join(self, client, port):
        try:
            server = socket.create_connection(("127.0.0.1", port))
        except OSError:
            return client.close()
        self.sockets.append(server)
        for ends in ((client, server, self.mark), (server, client, None)):
            threading.Thread(target=self.pump, args=ends, daemon=True).start()

    def pump(self, source, to, mark):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if mark and mark in data and self.cuts():
                    break
                to.sendall(data)
        for each in (source, to):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in (self.server, *self.sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


class Mosquitto:
    """A broker of MQTT. It keeps sessions on disk; with a password it lets nobody else in. With
    `tls` it has a certificate for 127.0.0.1, cert.pem in its folder; with `asks` it asks clients for
    one, and client.pem is such a one with its key, which has the password."""

    PASSWORD = "geheim-43"

    def __init__(self, password=False, tls=False, asks=False):
        self.program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/bin")
        if not self.program or not shutil.which("mosquitto_sub"):
            raise Missing("there is no mosquitto (apt install mosquitto mosquitto-clients)")
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-mosquitto-")
        self.port = free_ports(1)[0]
        self.config = self.path("mosquitto.conf")
        lines = [f"listener {self.port} 127.0.0.1", f"allow_anonymous {str(not password).lower()}"]
        lines += ["persistence true", f"persistence_location {self.folder.name}/"]
        lines += ["autosave_interval 500", "autosave_on_changes true", "max_queued_messages 0"]
        lines.append("max_inflight_messages 0")  # it does not confirm what it has in memory only
        lines += ["user root", "log_dest none"] if os.geteuid() == 0 else ["log_dest none"]
        if password:
            subprocess.run(
                ["mosquitto_passwd", "-b", "-c", self.path("passwords"), "sluice", self.PASSWORD],
                check=True,
            )
            lines.append(f"password_file {self.path('passwords')}")
        if tls:
            self.certify("cert.pem", "key.pem", "-nodes")
            lines += [f"certfile {self.path('cert.pem')}", f"keyfile {self.path('key.pem')}"]
        if asks:
            self.certify("known.pem", "client-key.pem", "-passout", f"pass:{self.PASSWORD}")
            with open(self.path("client.pem"), "w") as client:
                for part in ("known.pem", "client-key.pem"):
                    with open(self.path(part)) as file:
                        client.write(file.read())
            lines += [f"cafile {self.path('known.pem')}", "require_certificate true"]
        with open(self.config, "w") as file:
            file.write("\n".join(lines) + "\n")
        self.start()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def certify(self, certificate, key, *options):
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-days", "2", *options]
        command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        command += ["-keyout", self.path(key), "-out", self.path(certificate)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)

    def start(self):
        self.process = subprocess.Popen([self.program, "-c", self.config])
        await_port(self.port, self.process)

    def signal(self, number):
        self.process.send_signal(number)

    def save(self):
        """Has it write its sessions to disk."""
        self.signal(signal.SIGUSR1)
        time.sleep(0.3)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def client(self, program, *words, **more):
        command = [program, "-h", "127.0.0.1", "-p", str(self.port), *words]
        return subprocess.Popen(command, text=True, **more)

    def publish(self, topic, *messages):
        """With QoS 1; returns when the broker has them."""
        words = ["-t", topic, "-q", "1", "-l"]
        process = self.client("mosquitto_pub", *words, stdin=subprocess.PIPE)
        process.communicate("".join(message + "\n" for message in messages), timeout=PATIENCE)

    def close(self):
        self.kill()
        self.folder.cleanup()


class ObjectStorage:
    """A server of S3's protocol (s3_server.py) with a bucket `bucket`, which checks signatures."""

    KEY, SECRET = "AKIAEXAMPLE", "geheim/44+x"

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-objects-")
        self.port = free_ports(1)[0]
        self.start()

    def start(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "s3_server.py")
        words = [str(self.port), self.folder.name, self.KEY, self.SECRET]
        self.process = subprocess.Popen([sys.executable, script, *words])
        await_port(self.port, self.process)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def fail(self, *faults):
        """What is to go wrong with the next requests."""
        with open(os.path.join(self.folder.name, "faults"), "w") as file:
            file.write(" ".join(faults))

    def requests(self):
        with open(os.path.join(self.folder.name, "log")) as file:
            return file.read().splitlines()

    def objects(self, prefix=""):
        """Bytes by name."""
        folder = os.path.join(self.folder.name, "objects")
        names = {urllib.parse.unquote(name): name for name in os.listdir(folder)}
        result = {}
        for key, name in sorted(names.items()):
            if key.startswith(prefix) and not name.endswith("~"):
                with open(os.path.join(folder, name), "rb") as file:
                    result[key] = file.read()
        return result

    def put(self, key, data):
        path = os.path.join(self.folder.name, "objects", urllib.parse.quote(key, safe="-._~"))
        with open(path + "~", "wb") as file:
            file.write(data)
        os.rename(path + "~", path)

    def close(self):
        self.kill()
        self.folder.cleanup()


def fetch_kafka(folder):
    """The jars of the broker and its tools, by Maven; where they are."""
    jars = os.path.join(os.path.abspath(folder), f"kafka-{KAFKA}")
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
    """A broker of its own. Topics have three partitions and come into being when they are used.
    With passwords by user there is a second address, where clients must have one."""

    def __init__(self, jars, passwords=None):
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-kafka-")
        self.java = ["java", *JVM, "-cp", os.path.join(jars, "*")]
        self.port, controller, guarded = free_ports(3)
        self.address = f"127.0.0.1:{self.port}"
        self.guarded = f"127.0.0.1:{guarded}"
        at = {"PLAINTEXT": self.address} | ({SASL: self.guarded} if passwords else {})
        listeners = ",".join(f"{name}://{address}" for name, address in at.items())
        users = " ".join(f'user_{name}="{word}"' for name, word in (passwords or {}).items())
        self.config = os.path.join(self.folder.name, "server.properties")
        with open(self.config, "w") as file:
            file.write(
                f"""process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners={listeners},CONTROLLER://127.0.0.1:{controller}
advertised.listeners={listeners}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,{SASL}:{SASL}
sasl.enabled.mechanisms=PLAIN
listener.name.sasl_plaintext.plain.sasl.jaas.config={PLAIN} required {users};
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

    def messages(self, topic, count, *options, patience=15):
        """So many messages from the beginning, as Kafka's own consumer prints them; or less, if no
        more come within so many seconds."""
        tool = "org.apache.kafka.tools.consumer.ConsoleConsumer"
        words = ["--bootstrap-server", self.address, "--topic", topic, "--from-beginning"]
        words += ["--max-messages", str(count), "--timeout-ms", str(patience * 1000), *options]
        return self.run(tool, *words).splitlines()

    def counts(self, topic):
        """How many messages are in each partition of the topic."""
        words = ["--bootstrap-server", self.address, "--topic", topic]
        lines = self.run("org.apache.kafka.tools.GetOffsetShell", *words).splitlines()
        parts = [line.rsplit(":", 2)[1:] for line in lines]
        return {int(part): int(count) for part, count in parts}

    def count(self, topic):
        return sum(self.counts(topic).values())

    def close(self):
        self.kill()
        self.folder.cleanup()
