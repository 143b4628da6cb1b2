#!/usr/bin/env python3
"""TCP and MQTT on ppc64le, under qemu: the other ends are this machine's. The last line says how
many checks passed. Libraries of Debian for ppc64el are unpacked in the folder --libraries."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile

import programs
import servers
from programs import PATIENCE, Programs, await_true, expect

TRIPLE = "powerpc64le-linux-gnu"
QEMU = "qemu-ppc64le-static"
PACKAGES = ["libmosquitto1", "libssl3"]
HERE = os.path.dirname(os.path.abspath(__file__))


def libraries(folder):
    """Where the libraries of the packages are."""
    os.makedirs(folder, exist_ok=True)
    script = os.path.join(HERE, "..", "..", "cmake", "foreign-package.sh")
    for package in PACKAGES:
        mark = os.path.join(folder, package)
        if not os.path.exists(mark):
            command = ["bash", script, "ppc64el", package, folder]
            if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
                raise servers.Missing(f"{package} for ppc64el cannot be fetched")
            open(mark, "w").close()
    return os.path.join(folder, "usr", "lib", TRIPLE)


class Bench(Programs):
    def __init__(self, driver, folder, broker, libs):
        super().__init__(driver, folder)
        self.broker = broker
        self.runner = [QEMU, "-L", f"/usr/{TRIPLE}", "-E", f"LD_LIBRARY_PATH={libs}"]

    def graph(self, name, graph):
        head = "use com.ibm.streamsx.mqtt::*;\n"
        self.build(name, f"{head}composite {name} {{\n  graph\n{graph}}}\n", f"--target={TRIPLE}")

    def start(self, name, *options, log="stderr"):
        command = [*self.runner, self.path(name), "--data-dir", self.folder, *options]
        with open(self.path(log), "w") as errors:
            return subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=errors, text=True
            )


def tcp(bench):
    """A server and a client."""
    port = servers.free_ports(1)[0]
    bench.graph("Echo", f"""    stream<int32 n, rstring s> In = TCPSource() {{
      param role : server; port : {port}u; reconnectionPolicy : NoRetry;
    }}
    stream<rstring s, int32 n> Out = Functor(In) {{}}
    () as To = TCPSink(Out) {{
      param role : client; address : "127.0.0.1"; port : {port + 1}u; retryFailedSends : true;
    }}
""")  # fmt: skip
    with socket.create_server(("127.0.0.1", port + 1)) as listener:
        listener.settimeout(PATIENCE)
        process = bench.start("Echo")
        expect("it listens", await_true(lambda: is_there(port)), True)
        with socket.create_connection(("127.0.0.1", port)) as to:
            to.sendall(b"".join(b'%d,"word %d"\n' % (n, n) for n in range(1000)))
        with listener.accept()[0] as connection:
            got = connection.makefile().read().splitlines()
        process.communicate(timeout=PATIENCE)
    expect("TCP: exit code", process.returncode, 0)
    expect("TCP", got, [f'"word {n}",{n}' for n in range(1000)])


def is_there(port):
    """Whether somebody listens, without a connection that would count."""
    with open("/proc/net/tcp") as lines:
        return any(f":{port:04X} 00000000:0000 0A" in line for line in lines)


def mqtt(bench):
    """From a sink to a source, by the broker of this machine, each message once."""
    server = f'serverURI : "tcp://127.0.0.1:{bench.broker.port}"; qos : 2;'
    bench.graph("Takes", f"""    stream<rstring data> Got = MQTTSource() {{
      param {server} topics : "both"; clientID : "takes";
    }}
    () as File = FileSink(Got) {{ param file : "got"; flush : 1u; quoteStrings : false; }}
""")  # fmt: skip
    bench.graph("Gives", f"""    stream<rstring data> In = Beacon() {{
      param iterations : 500u; output In : data = (rstring) IterationCount();
    }}
    () as To = MQTTSink(In) {{ param {server} topic : "both"; }}
""")  # fmt: skip
    takes = bench.start("Takes", log="takes")

    def has_read():
        bench.broker.publish("both", "begin")
        return "begin" in bench.read("got")

    expect("it has subscribed", await_true(has_read), True)
    expect("MQTT: exit code", bench.run("Gives")[0], 0)
    await_true(lambda: "499\n" in bench.read("got"))
    takes.terminate()
    takes.communicate(timeout=PATIENCE)
    expect("MQTT: exit code of the source", takes.returncode, 0)
    got = [line for line in bench.read("got").splitlines() if line != "begin"]
    expect("MQTT", got, [str(n) for n in range(500)])


def main():
    def add(parser):
        default = os.path.join(tempfile.gettempdir(), "sluice-ppc64el")
        parser.add_argument("--libraries", default=default, help="the folder for the packages")

    options = programs.options_of(__doc__, add)

    def broker():
        if not shutil.which(QEMU):
            raise servers.Missing(f"there is no {QEMU} (apt install qemu-user-static)")
        options.libraries = libraries(os.path.abspath(options.libraries))
        return servers.Mosquitto()

    def bench(driver, folder, started):
        return Bench(driver, folder, started, options.libraries)

    return programs.run_all(options, broker, bench, [tcp, mqtt])


if __name__ == "__main__":
    sys.exit(main())
