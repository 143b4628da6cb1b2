#!/usr/bin/env python3
"""A program with all operators that serve, and clients that send requests, WebSocket frames and
bodies of which parts were changed at random. It goes on, answers, takes no more memory than before,
and ends. The last line says how many checks passed."""

import argparse
import collections
import os
import random
import re
import socket
import sys
import tempfile
import threading
import urllib.request

import servers
from http_clients import HttpBench
from programs import PATIENCE, checks, expect

GRAPH = """    stream<rstring name, int32 n, list<int32> l> Forms = HTTPTupleInjection() {{ {port} }}
    stream<rstring jsonString> Texts = HTTPJSONInjection() {{ {port} }}
    stream<xml document> Documents = HTTPXMLInjection() {{ {port} }}
    stream<blob data> Blobs = HTTPBLOBInjection() {{ {port} }}
    stream<rstring text> In = WebSocketInject() {{ {port} }}
    () as Echo = WebSocketSend(In) {{ {port} textMessage : text; }}
    () as View = HTTPTupleView(Forms) {{ window Forms : sliding, count(9), count(1); {port} }}
    () as Last = HTTPXMLView(Documents) {{ {port} }}
    stream<HTTPRequest> Asked = HTTPRequestProcess(Answered) {{ {port} }}
    stream<HTTPRequest> Answered = Custom(Asked) {{
      logic onTuple Asked : {{
        mutable HTTPRequest out = Asked;
        out.response = request;
        submit(out, Answered);
      }}
    }}
"""
FORM = "application/x-www-form-urlencoded"
ASKS = (
    ("POST", "/Forms/ports/output/0/inject", FORM, b"name=a%41+b&n=1&l=%5B1%2C2%5D"),
    ("POST", "/Texts/ports/output/0/inject", "application/json", b'{"a": [1, 2.5e3, "\\u00e9"]}'),
    ("POST", "/Documents/ports/output/0/inject", "application/xml", b"<a b='c'>d&amp;<e/></a>"),
    ("POST", "/Blobs/ports/output/0/inject", "application/octet-stream", bytes(range(40))),
    ("GET", "/View/ports/input/0/tuples?attribute=name&callback=f", "", b""),
    ("GET", "/Last/ports/input/0/xml", "", b""),
    ("GET", "/Forms/ports/output/0/form", "", b""),
    ("GET", "/ports/info", "", b""),
    ("PUT", "/Asked/ports/analyze/0/x%20y?q=1", "text/plain", b"what?"),
)
SOCKETS = ("/In/ports/output/0/wsinject", "/Echo/ports/input/0/wssend")


def request(chance, port):
    method, path, kind, body = chance.choice(ASKS)
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\n"
    if chance.random() < 0.2 and body:  # in chunks
        head += f"Content-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
        cut = chance.randrange(1, len(body))
        parts = [body[:cut], body[cut:], b""]
        return head.encode() + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
    return (head + length + "\r\n").encode() + body


def handshake(chance, port):
    return (
        f"GET {chance.choice(SOCKETS)} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame(chance):
    """Of any kind, with the mask that clients have."""
    size = chance.choice((0, 2, 3, 125, 126, 700))
    data = chance.randbytes(size) if chance.random() < 0.5 else b"hi"
    kind = chance.choice((0, 1, 1, 1, 2, 8, 9, 10, chance.randrange(16)))
    first = bytes([kind | chance.choice((0x80, 0x80, 0x80, 0, 0xC0))])
    size = len(data)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    mask = chance.randbytes(4)
    return first + length + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data))


def changed(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0 and at < len(data):
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randint(1, 30)]
        elif kind == 2:
            data[at:at] = chance.randbytes(chance.randint(1, 40))
        else:
            data[at:at] = data[at : at + 20] * chance.randint(1, 50)
    return bytes(data)


def converse(chance, port, statuses):
    """One connection. How many inputs it had; the statuses of the answers are counted."""
    count = chance.randint(1, 40)
    if chance.random() < 0.4:
        parts = [handshake(chance, port)] + [changed(chance, frame(chance)) for _ in range(count)]
        if chance.random() < 0.1:
            parts[0] = changed(chance, parts[0])
    else:
        parts = [changed(chance, request(chance, port)) for _ in range(count)]
    try:
        with socket.create_connection(("127.0.0.1", port), 30) as raw:
            raw.sendall(b"".join(parts))
            raw.shutdown(socket.SHUT_WR)
            while part := raw.recv(65536):
                statuses.update(re.findall(rb"HTTP/1.1 (\d+)", part))
    except TimeoutError:
        raise
    except OSError:
        pass  # it was refused before all was sent
    return len(parts)


def memory(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def storm(port, seed, inputs):
    """Several clients at once. How many inputs they have sent; each is answered or refused."""
    sent, silent, statuses = [0], [], collections.Counter()

    def client(number):
        chance = random.Random(seed * 100 + number)
        while sent[0] < inputs and not silent:
            try:
                sent[0] += converse(chance, port, statuses)
            except TimeoutError:
                silent.append(number)

    threads = [threading.Thread(target=client, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kinds = (b"101", b"200", b"204", b"400")
    rare = [kind for kind in kinds if statuses[kind] < inputs // 500]
    expect(f"seed {seed}: few of a kind: {dict(statuses)}", rare, [])
    expect(f"seed {seed}: all are sent", sent[0] >= inputs, True)
    expect(f"seed {seed}: connections without an answer", silent, [])
    return sent[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--inputs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
        bench = HttpBench(os.path.abspath(options.driver), folder)
        port = servers.free_ports(1)[0]
        uses = "".join(f"use com.ibm.streamsx.inet.{name}::*;\n" for name in ("rest", "wsserver"))
        graph = GRAPH.format(port=f"param port : {port};")
        bench.compile("Serves", f"{uses}composite Serves {{\n  graph\n{graph}}}\n")
        process = bench.start("Serves")
        servers.await_port(port, process)
        storm(port, options.seed, options.inputs // 4)
        before = memory(process)
        sent = storm(port, options.seed + 1, options.inputs)
        expect("it goes on", process.poll(), None)
        after = memory(process)
        expect(f"memory: {before} kB, then {after} kB", after < before + 65536, True)
        form = urllib.request.Request(f"http://127.0.0.1:{port}{ASKS[0][1]}", ASKS[0][3])
        with urllib.request.urlopen(form, timeout=PATIENCE) as answer:
            expect("it answers", answer.status, 204)
        expect("it ends", bench.end(process)[0], 0)
        print(f"{sent} requests and frames, memory {before} kB, then {after} kB", flush=True)
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
