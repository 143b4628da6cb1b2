# REQUIRES: slow
# RUN: %python %s
"""Without --allow-listen nobody else reaches an operator: where each one listens, as the operating
system has it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish, sluice, write  # noqa: E402

GROUP = "239.255.77.77"
LISTENS, UNCONNECTED = "0A", "07"  # states in /proc/net
OPERATORS = {
    "TcpSource": "stream<int32 n> Out{0} = TCPSource() {{ param role : server; port : {1}u; {2} }}",
    "TcpSink": "() as Out{0} = TCPSink(In) {{ param role : server; port : {1}u; {2} }}",
    "UdpSource": "stream<int32 n> Out{0} = UDPSource() {{ param port : {1}u; {3} }}",
    "UdpGroup": 'stream<int32 n> Out{0} = UDPSource() {{ param port : {1}u; address : "%s"; {2} }}'
    % GROUP,
    "Send": "() as Out{0} = WebSocketSend(In) {{ param port : {1}; {4} }}",
    "Inject": "stream<rstring s> Out{0} = WebSocketInject() {{ param port : {1}; {4} }}",
    "Tuples": "stream<int32 n> Out{0} = HTTPTupleInjection() {{ param port : {1}; {4} }}",
    "Json": "stream<rstring jsonString> Out{0} = HTTPJSONInjection() {{ param port : {1}; {4} }}",
    "View": "() as Out{0} = HTTPTupleView(In) {{ window In : tumbling, count(1); "
    "param port : {1}; {4} }}",
}


def program_of(name, operators, ports):
    """A program with these operators, each at a port of its own; its value `host` is where they
    listen."""
    given = [f"{word} : $host;" for word in ("interface", "address", "host")]
    texts = [OPERATORS[each].format(each, port, *given) for each, port in zip(operators, ports)]
    graph = "\n    ".join(texts)
    return write(
        name + ".spl",
        f"""use com.ibm.streamsx.inet.rest::*;
use com.ibm.streamsx.inet.wsserver::*;
composite {name} {{
  param
    expression<rstring> $host : getSubmissionTimeValue("host", "");
  graph
    stream<int32 n> In = Beacon() {{ param period : 1.0; }}
    () as Sends = UDPSink(In) {{ param port : {ports[-1]}u; address : "127.0.0.1"; }}
    {graph}
}}
""",
    )


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def host_of(digits):
    """What /proc/net writes as hexadecimal words in the order of this machine."""
    words = [digits[i : i + 8] for i in range(0, len(digits), 8)]
    packed = b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in words)
    return socket.inet_ntop(socket.AF_INET if len(words) == 1 else socket.AF_INET6, packed)


def addresses(pid):
    """(host, port) of each socket of a process that others may connect or send to."""
    inodes, found = set(), set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{name}")
            inodes.update(re.findall(r"socket:\[(\d+)\]", target))
        except FileNotFoundError:
            pass  # closed meanwhile
    for table in ("tcp", "tcp6", "udp", "udp6"):
        with open(f"/proc/{pid}/net/{table}") as lines:
            for line in list(lines)[1:]:
                words = line.split()
                if words[9] in inodes and words[3] in (LISTENS, UNCONNECTED):
                    host, port = words[1].split(":")
                    found.add((host_of(host), int(port, 16)))
    return found


def joined():
    """The devices at which the group is joined."""
    with open("/proc/net/igmp") as lines:
        device, found = "", set()
        wanted = "%08X" % int.from_bytes(socket.inet_aton(GROUP), sys.byteorder)
        for line in lines:
            if not line.startswith("\t"):
                device = line.split()[1]
            elif line.split()[0] == wanted:
                found.add(device)
    return found


def seen(program, ports, *options):
    """The hosts at which it listens, by port; 0 is the port of UDPSink; and where it has joined."""
    process = subprocess.Popen([program, *options], stderr=subprocess.DEVNULL)
    end = time.monotonic() + TIMEOUT
    while len(found := addresses(process.pid)) <= len(ports) and time.monotonic() < end:
        time.sleep(0.02)
    groups = joined()
    process.send_signal(signal.SIGINT)
    expect(f"{options}: the end", process.wait(TIMEOUT), 0)
    return {port if port in ports else 0: host for host, port in found}, groups


names = list(OPERATORS)
ports = free_ports(len(names))
program = os.path.join(FOLDER, "all")
out = sluice("build", program_of("All", names, ports), "-o", program)
expect("building", out.returncode, 0)
at, groups = seen(program, ports)
wanted = {port: "127.0.0.1" for port in [0, *ports]} | {ports[names.index("UdpGroup")]: GROUP}
expect("without the option", at, wanted)
expect("the group", groups, {"lo"})
at, groups = seen(program, ports, "host=localhost")
expect("localhost by name", (at, groups), (wanted, {"lo"}))
at, _ = seen(program, ports, "--allow-listen")
everywhere = {port: host for port, host in at.items() if host in ("::", "0.0.0.0")}
expect("with the option", set(everywhere), set(ports) - {ports[names.index("UdpGroup")]})

# An address that others reach is named: an error without the option.
for name in names:
    out = sluice("run", program_of(name, [name], ports), "host=0.0.0.0")
    refused = re.search(r'\w+ : "0.0.0.0" can be reached by others: --allow-listen', out.stderr)
    expect(f"{name} beyond loopback", (out.returncode, bool(refused)), (1, True))

# The processes of a job on this machine find each other at loopback.
source = write(
    "Pes.spl",
    """composite Pes {
  graph
    stream<int32 n> In = Beacon() { param period : 0.01; }
    stream<In> Far = Functor(In) { config placement : partitionIsolation; }
    () as Out = Custom(Far) {
      logic
        state : mutable boolean isFirst = true;
        onTuple Far : if (isFirst) { isFirst = false; printStringLn("there"); flushStdio(); }
    }
}
""",
)
program = os.path.join(FOLDER, "pes")
expect("building", sluice("build", source, "--pes=2", "-o", program).returncode, 0)
process = subprocess.Popen(
    [program, "--transport=ucx"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
)
expect("a tuple has come", process.stdout.readline(), "there\n")
with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
    found = [address for pid in children.read().split() for address in addresses(pid)]
expect("they listen", (len(found) > 1, {host for host, _ in found}), (True, {"127.0.0.1"}))
process.send_signal(signal.SIGINT)
expect("they end", process.wait(TIMEOUT), 0)
finish()
