# REQUIRES: slow
# RUN: %python %s
"""TCPSource and TCPSink whose servers have a name."""

import glob
import os
import re
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

REGISTRY = os.path.join(FOLDER, "runtime")
os.mkdir(REGISTRY, 0o700)
os.environ["XDG_RUNTIME_DIR"] = REGISTRY


def entries():
    return [os.path.basename(path) for path in glob.glob(REGISTRY + "/sluice/*.server")]


def build(name, operators, config=""):
    source = write(f"{name}.spl", f"composite {name} {{\n  graph\n{operators}{config}\n}}\n")
    program = os.path.join(FOLDER, name)
    expect(f"building {name}", sluice("build", source, "-o", program).stderr, "")
    return program


def start(program, *arguments):
    return subprocess.Popen(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def end(process, what, code=0, by=None):
    """What it prints on both streams until it ends, perhaps by a signal."""
    if by:
        process.send_signal(by)
    out, err = process.communicate(timeout=TIMEOUT)
    expect(f"{what}: exit code", process.returncode, code)
    return out, err


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def await_entry(name):
    deadline = time.monotonic() + TIMEOUT
    while name not in entries() and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(f"the entry {name}", name in entries(), True)


SHOW = """
    () as Out = Custom(In) {
      logic onTuple In : { println(In); flushStdio(); }
    }"""
NUMBERS = """    stream<int32 n> Numbers = Beacon() {
      param iterations : 1000; output Numbers : n = (int32) IterationCount();
    }
"""

# Both ends in one program, in one process and in two; either may be the server.
for role, other in (("server", "client"), ("client", "server")):
    both = build(
        "Both" + role,
        NUMBERS + f"""    () as Sink = TCPSink(Numbers) {{
      param role : {role}; name : "both"; retryFailedSends : true;
      config placement : partitionColocation("a");
    }}
    stream<int32 n> Back = TCPSource() {{
      param role : {other}; name : "both"; reconnectionPolicy : BoundedRetry;
            reconnectionBound : {100 if other == "client" else 0}u;
      config placement : partitionColocation("b");
    }}
    () as Sum = Custom(Back) {{
      logic state : {{ mutable int32 sum = 0; mutable int32 count = 0; }}
            onTuple Back : {{ sum += n; count++;
              if (count == 1000) {{ println(sum); shutdownPE(); }} }}
    }}""",
    )
    for options in ([], ["--pes=2"]):
        what = f"sink is {role} {options}"
        run = sluice("run", both + ".spl", *options)
        expect(what, (run.returncode, run.stdout), (0, "499500\n"))
        expect(f"{what}: entries", entries(), [])

# A client waits for the server, and finds it again at another port.
SERVER = """    stream<int32 n> In = TCPSource() {
      param role : server; name : "the rows"; port : (uint32) getSubmissionTimeValue("port", "0");
    }"""
server = build("Server", SERVER + SHOW)
client = build(
    "Client",
    """    stream<int32 n> Rows = Beacon() {
      param period : 0.01;
      output Rows : n = (int32) IterationCount();
    }
    () as Out = TCPSink(Rows) {
      param role : client; name : "the rows"; retryFailedSends : true; flush : 1u;
    }""",
)
ENTRY = "Default.the%20rows.server"
sender = start(client)
waits = sender.stderr.readline()
expect(
    "a client says why it waits",
    bool(
        re.fullmatch(
            r"\w+: [\w.]+:\d+:\d+: warning: operator Out: cannot connect to \"the rows\": "
            r"no server has registered this name; it tries again\n",
            waits,
        )
    )
    or waits,
    True,
)
ports = [free_port(), free_port(), 0]
before = -1
for port in ports:
    process = start(server, f"port={port}")
    rows = [process.stdout.readline() for _ in range(3)]
    numbers = [int(re.fullmatch(r"\{n=(\d+)\}\n", row).group(1)) for row in rows]
    expect("it goes on", numbers, list(range(numbers[0], numbers[0] + 3)))
    expect("without a repetition", numbers[0] > before, True)
    before = numbers[-1]
    if port == ports[0]:
        # A second one with the name.
        out, err = end(start(server), "a second server", 1)
        expect_in("which name", 'operator In: cannot register the name "the rows" (127.', err)
        expect_in("who has the name", f": process {process.pid} (Server) has it\n", err)
        expect("the first one stays", entries(), [ENTRY])
    if port != ports[-1]:
        end(process, "killed", -signal.SIGKILL, signal.SIGKILL)
        expect("what is left", entries(), [ENTRY])
end(sender, "the client", 0, signal.SIGINT)
end(process, "the last server", 0, signal.SIGINT)
expect("after the end", entries(), [])

# An entry that is left from a killed server is nobody's.
once = build(
    "Once",
    """    stream<int32 n> In = TCPSource() {
      param role : client; name : "the rows"; reconnectionPolicy : NoRetry;
    }""" + SHOW,
)
process = start(server)
await_entry(ENTRY)
end(process, "killed", -signal.SIGKILL, signal.SIGKILL)
expect("left", entries(), [ENTRY])
out, err = end(start(once), "nobody is there", 1)
expect_in(
    "nobody is there",
    'error: operator In: cannot connect to "the rows": no server has registered this name; it does '
    "not try again",
    err,
)
expect("left no more", entries(), [])

# A server that takes no more connections has no name any more.
limited = build(
    "Limited",
    """    stream<int32 n> In = TCPSource() {
      param role : server; name : "the rows"; reconnectionPolicy : NoRetry;
    }""" + SHOW,
)
process = start(limited)
await_entry(ENTRY)
with open(os.path.join(REGISTRY, "sluice", ENTRY), encoding="utf-8") as entry:
    address, port = entry.read().split("\n")[:2]
with socket.create_connection((address, int(port)), timeout=TIMEOUT) as connection:
    connection.sendall(b"1\n")
    expect("a row", process.stdout.readline(), "{n=1}\n")
    expect("the only connection", entries(), [])
end(process, "limited")

# Names are apart by the scope of the program.
scoped = build("Scoped", SERVER + SHOW, '\n  config applicationScope : "of mine";')
process = start(scoped)
await_entry("of%20mine.the%20rows.server")
out, err = end(start(once), "another scope", 1)
expect_in("another scope", "no server has registered this name", err)
end(process, "scoped", 0, signal.SIGINT)

# With closeMode : dynamic the first tuple leads to the server.
dynamic = build(
    "Dynamic",
    """    stream<int32 n> Rows = Beacon() {
      param iterations : 6; output Rows : n = (int32) IterationCount();
    }
    () as Out = TCPSink(Rows) {
      param role : client; name : "the rows"; closeMode : dynamic;
    }""",
)
process = start(server)
await_entry(ENTRY)
end(start(dynamic), "dynamic")
rows = [process.stdout.readline() for _ in range(6)]
expect("dynamic", rows, [f"{{n={n}}}\n" for n in range(6)])
end(process, "dynamic, its server", 0, signal.SIGINT)

# `interface` may be the name of a network interface; clients find the server at its address.
interface = build(
    "Interface",
    """    stream<int32 n> In = TCPSource() {
      param role : server; name : "the rows"; interface : "lo"; reconnectionPolicy : NoRetry;
    }""" + SHOW,
)
process = start(interface)
await_entry(ENTRY)
with open(os.path.join(REGISTRY, "sluice", ENTRY), encoding="utf-8") as entry:
    expect("the address of an interface", entry.read().split("\n")[0], "127.0.0.1")
end(start(dynamic), "the client of an interface")
out, _ = end(process, "an interface")
expect("an interface", out, "".join(f"{{n={n}}}\n" for n in range(6)))

# An empty name.
empty = build(
    "Empty",
    """    stream<int32 n> In = TCPSource() {
      param role : client; name : getSubmissionTimeValue("name");
    }""" + SHOW,
)
out, err = end(start(empty, "name="), "an empty name", 1)
expect_in("an empty name", "error: operator In: the name of the server is empty", err)
finish()
