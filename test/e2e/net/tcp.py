# REQUIRES: slow
# RUN: %python %s
"""TCPSource and TCPSink with sockets of this test at their other end."""

import gzip
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish, sluice, write  # noqa: E402


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def connect(port):
    """Connects as soon as somebody listens."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def lines(connection):
    return connection.makefile("r", encoding="utf-8")


def build(name, operators):
    """The executable of a program whose port is a submission-time value."""
    source = write(
        name + ".spl",
        f"""composite {name} {{
  param
    expression<uint32> $port : (uint32) getSubmissionTimeValue("port");
  graph
{operators}
}}
""",
    )
    program = os.path.join(FOLDER, name)
    expect(f"building {name}", sluice("build", source, "-o", program).stderr, "")
    return program


def start(program, *arguments):
    return subprocess.Popen(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def stop(process, what, code=0):
    """What it prints on both streams until it ends after ctrl-C."""
    process.send_signal(signal.SIGINT)
    return end(process, what, code)


def end(process, what, code=0):
    out, err = process.communicate(timeout=TIMEOUT)
    expect(f"{what}: exit code", process.returncode, code)
    return out, err


SHOW = """
    () as Out = Custom(In) {
      logic onTuple In : println(In);
            onPunct In : println(currentPunct());
    }"""
NAME = r"^\w+: [\w.]+:\d+:\d+: warning: operator \w+: "


# A server takes one connection after the other. Each ends with a marker, also one that breaks off.
server = build(
    "Server",
    """    stream<int32 n, rstring s, int64 no, boolean mine> In = TCPSource() {
      param role : server; port : $port; interface : "127.0.0.1";
      output In : no = TupleNumber(), mine = RemoteIP() == "127.0.0.1" && ServerPort() == $port;
    }""" + SHOW,
)
for options in ([], ["--deterministic"], ["--queues=all"]):
    port = free_port()
    process = start(server, f"port={port}", *options)
    with connect(port) as first:
        first.sendall(b'1,"a"\n2,')
        with connect(port) as second:  # it waits
            second.sendall(b'3,"c"\n')
            first.sendall(b'"b"')
            first.close()
    text = "".join(process.stdout.readline() for _ in range(5))
    expect(
        f"server {options}",
        text,
        '{n=1,s="a",no=1,mine=true}\n{n=2,s="b",no=2,mine=true}\nWindowMarker\n'
        '{n=3,s="c",no=1,mine=true}\nWindowMarker\n',
    )
    with connect(port) as third:
        third.sendall(b"4,")
        out, err = stop(process, "server")
    expect(f"server {options}: the end", out, "FinalMarker\n")

# With maxConnections several are served at once: none waits for the rest of a row of another one.
many = build(
    "Many",
    """    stream<int32 n, rstring s, int64 no, uint32 from> In = TCPSource() {
      param role : server; port : $port; interface : "127.0.0.1"; maxConnections : 3u;
            reconnectionPolicy : BoundedRetry; reconnectionBound : 4u;
      output In : no = TupleNumber(), from = RemotePort();
    }""" + SHOW,
)
for options in ([], ["--deterministic"], ["--queues=all"]):
    port = free_port()
    process = start(many, f"port={port}", *options)

    def shown(connection, text, process=process):
        """What is printed of a row that a client sends."""
        connection.sendall(text)
        return process.stdout.readline().replace(str(connection.getsockname()[1]), "me")

    with connect(port) as first, connect(port) as second, connect(port) as third:
        first.sendall(b'1,"a')
        rows = [shown(second, b'2,"b"\n3,'), shown(third, b"4,c\n"), shown(first, b'\nz"\n5')]
        fourth = connect(port)  # it waits for one of them
        fourth.sendall(b"6,d\n")
        rows.append(shown(second, b"e\n"))
        third.close()
        marks = [process.stdout.readline(), process.stdout.readline()]
        fourth.shutdown(socket.SHUT_WR)
        marks.append(process.stdout.readline())
        first.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        first.close()  # a reset: what is not whole of it is no row
        second.sendall(b"7,f")
        second.shutdown(socket.SHUT_WR)
        with connect(port):  # the fifth and last one
            pass
        port_of_fourth = fourth.getsockname()[1]
        fourth.close()
    out, err = end(process, f"many {options}")
    expect(
        f"many {options}",
        rows,
        [
            '{n=2,s="b",no=1,from=me}\n',
            '{n=4,s="c",no=1,from=me}\n',
            '{n=1,s="a\\nz",no=1,from=me}\n',
            '{n=3,s="e",no=2,from=me}\n',
        ],
    )
    expect(
        f"many {options}: the one that waited",
        marks,
        ["WindowMarker\n", f'{{n=6,s="d",no=1,from={port_of_fourth}}}\n', "WindowMarker\n"],
    )
    expect(f"many {options}: the rest", "n=7" in out and "n=5" not in out, True)
    expect(f"many {options}: its marks", out.count("WindowMarker"), 3)
    expect(f"many {options}: a reset", "has broken off" in err, True)

# A port that is taken, and a row that is bad.
with socket.create_server(("127.0.0.1", 0)) as taken:
    process = start(server, f"port={taken.getsockname()[1]}")
    out, err = end(process, "a port that is taken", 1)
    expect("a port that is taken", "Address already in use" in err, True)
port = free_port()
process = start(server, f"port={port}")
with connect(port) as first:
    own = "127.0.0.1:%d" % first.getsockname()[1]
    first.sendall(b"1,a\nx,b\n")
    out, err = end(process, "a bad row", 1)
expect("a bad row", f"{own}:2:1: 'x' is no int32 (attribute n)" in err, True)

# A client waits for the server, and with NoRetry it does not.
client = build(
    "Client",
    """    stream<rstring line> In = TCPSource() {
      param role : client; address : "localhost"; port : $port; format : line; compression : gzip;
    }""" + SHOW,
)
port = free_port()
process = start(client, f"port={port}")
time.sleep(0.3)
with socket.create_server(("127.0.0.1", port)) as listener:
    for word in (b"one", b"two"):
        connection, _ = listener.accept()
        with connection:
            connection.sendall(gzip.compress(word + b"\n"))
        expect("a client's line", process.stdout.readline(), '{line="%s"}\n' % word.decode())
        expect("a client's marker", process.stdout.readline(), "WindowMarker\n")
out, err = stop(process, "client")
expect(
    "a client is told why it waits",
    bool(re.search(NAME + rf"cannot connect to localhost:{port}: .*; it tries again$", err, re.M)),
    True,
)
once = build(
    "Once",
    """    stream<int32 n> In = TCPSource() {
      param role : client; address : "127.0.0.1"; port : $port; reconnectionPolicy : NoRetry;
    }""" + SHOW,
)
FAILED = NAME.replace("warning", "error") + r"cannot connect to 127.0.0.1:\d+: Connection refused;"
bounded = build(
    "Bounded",
    """    stream<int32 n> In = TCPSource() {
      param role : client; address : "127.0.0.1"; port : $port;
            reconnectionPolicy : BoundedRetry; reconnectionBound : 1u;
    }""" + SHOW,
)
for program, policy in ((once, "NoRetry"), (bounded, "BoundedRetry")):
    out, err = end(start(program, f"port={free_port()}"), policy, 1)
    expect(policy, out, "")
    expect(f"{policy} is told", bool(re.search(FAILED, err, re.M)), True)
    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as listener:
        process = start(program, f"port={port}")
        connection, _ = listener.accept()
        with connection:
            listener.close()
            connection.sendall(b"1\n")
        out, err = end(process, f"{policy}, after a connection")
    expect(f"{policy}, after a connection", out, "{n=1}\nWindowMarker\nFinalMarker\n")

# What has come by a connection when the program is told to end is submitted: who has sent it does
# not send it again.
slow = build(
    "Slow",
    """    stream<int32 n> Rows = TCPSource() { param role : server; port : $port; }
    stream<int32 n> In = Custom(Rows) { logic onTuple Rows : {
      block(0.0005); if (n == 0) { printStringLn("begun"); flushStdio(); } submit(Rows, In); } }"""
    + SHOW,
)
for options in ([], ["--deterministic"], ["--queues=all"]):
    port = free_port()
    process = start(slow, f"port={port}", *options)
    with connect(port) as first:
        first.sendall(b"".join(b"%d\n" % n for n in range(3000)) + b"30")
        expect(f"slow {options}: begun", process.stdout.readline(), "begun\n")
        out, err = stop(process, "slow")
    wanted = [f"{{n={n}}}" for n in range(3000)] + ["FinalMarker"]
    got = out.splitlines()  # without what came with "begun"
    expect(f"slow {options}: what was sent", (got, len(got) > 2000), (wanted[-len(got) :], True))

# A sink drops tuples while nobody is connected, and says how many; or it waits.
NUMBERS = """    stream<int32 n> In = Beacon() { param iterations : 100000; output In : n = (int32) IterationCount(); }
"""
drops = build(
    "Drops",
    NUMBERS + "    () as Out = TCPSink(In) { param role : server; port : $port; }",
)
out, err = end(start(drops, f"port={free_port()}"), "nobody is there")
expect("nobody is there", "100000 tuples were dropped, as nobody was connected" in err, True)
waits = build(
    "Waits",
    NUMBERS + """    () as Out = TCPSink(In) {
      param role : server; port : $port; retryFailedSends : true; reconnectionPolicy : BoundedRetry;
            reconnectionBound : 1u;
            sendBufferSize : 65536u; // less than all that is sent
    }""",
)
for options in ([], ["--queues=all"]):
    port = free_port()
    process = start(waits, f"port={port}", *options)
    with connect(port) as first:
        got = lines(first)
        begin = [next(got) for _ in range(10)]
        expect("the first tuples", begin, [f"{n}\n" for n in range(10)])
        got.close()
    with connect(port) as second:  # what the first one was sent may be lost, but no part of a tuple
        rest = [int(line) for line in lines(second)]
    out, err = end(process, "two clients")
    expect("the other tuples", rest, list(range(rest[0], 100000)))
    expect("the end of the first", f"the connection to 127.0.0.1:{port}" in err, True)

# A slow stream arrives although nobody flushes, and a client that only listens gets it.
slow = build(
    "Slow",
    """    stream<int32 n> In = Custom() {
      logic onProcess : { block(1.0); submit({n = 1}, In); while (!isShutdown()) block(10.0); }
    }
    () as Out = TCPSink(In) { param role : client; address : "127.0.0.1"; port : $port; format : txt; }""",
)
with socket.create_server(("127.0.0.1", 0)) as listener:
    process = start(slow, f"port={listener.getsockname()[1]}")
    connection, _ = listener.accept()
    connection.shutdown(socket.SHUT_WR)
    got = lines(connection)
    expect("a slow stream", next(got), "{n=1}\n")
    stop(process, "a slow stream")
    expect("its end", got.read(), "")
    connection.close()

# closeMode dynamic: each tuple goes where it says.
dynamic = build(
    "Dynamic",
    """    stream<int32 n, uint32 to> In = Beacon() {
      param iterations : 6;
      output In : n = (int32) IterationCount(), to = $port + (uint32) (IterationCount() / 3ul) % 2u;
    }
    () as Out = TCPSink(In) {
      param role : client; address : "127.0.0.1"; port : to; closeMode : dynamic; suppress : to;
            writePunctuations : true;
    }""",
)
while True:  # two ports, one behind the other
    port = free_port()
    try:
        pair = [socket.create_server(("127.0.0.1", port + i)) for i in range(2)]
        break
    except OSError:
        continue
process = start(dynamic, f"port={port}")
texts = []
for listener in pair:
    connection, _ = listener.accept()
    with connection:
        texts.append(lines(connection).read())
    listener.close()
out, err = end(process, "dynamic")
mark = "Punctuation received: %sMarker\n"
expect("dynamic", texts, ["0\n1\n2\n", "3\n4\n5\n" + mark % "Window" + mark % "Final"])
# A program that fails sends what came before that.
fails = build(
    "Fails",
    """    stream<int32 n> In = Beacon() {
      param iterations : 5; period : 0.1;
      output In : n = 10 / (2 - (int32) IterationCount());
    }
    () as Out = TCPSink(In) { param role : client; address : "127.0.0.1"; port : $port; }""",
)
with socket.create_server(("127.0.0.1", 0)) as listener:
    listener.settimeout(TIMEOUT)
    process = start(fails, f"port={listener.getsockname()[1]}")
    with listener.accept()[0] as connection:
        expect("what came before an error", list(lines(connection)), ["5\n", "10\n"])
    end(process, "an error", 1)

# A server that sends something of its own, late, and reads after that.
many = build(
    "Many",
    """    stream<int32 n> In = Beacon() {
      param iterations : 200000; output In : n = (int32) IterationCount();
    }
    () as Out = TCPSink(In) { param role : client; address : "127.0.0.1"; port : $port; }""",
)
with socket.create_server(("127.0.0.1", 0)) as listener:
    listener.settimeout(TIMEOUT)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 10)
    process = start(many, f"port={listener.getsockname()[1]}")
    with listener.accept()[0] as connection:
        time.sleep(1)
        connection.sendall(b"welcome\n")
        rows = list(lines(connection))
    expect("a server that sends late", [len(rows), rows[-1]], [200000, "199999\n"])
    end(process, "a server that sends late")

# Nobody could find a port that the operating system chooses.
out, err = end(start(server, "port=0"), "port 0", 1)
expect("port 0 is told", "there is no port 0" in err, True)
finish()
