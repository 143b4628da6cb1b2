#!/usr/bin/env python3
"""Web servers in programs: WebSocketSend, WebSocketInject, HTTPTupleInjection, HTTPJSONInjection and
HTTPTupleView, with python3-websockets and urllib as clients. The last line says how many checks
passed."""

import argparse
import json
import os
import random
import socket
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import servers
from http_clients import HttpBench
from programs import PATIENCE, checks, expect, expect_in
from wsclient import Connection

HERE = os.path.dirname(os.path.abspath(__file__))


class ServerBench(HttpBench):
    def build(self, name, graph):
        uses = "use com.ibm.streamsx.inet.rest::*;\nuse com.ibm.streamsx.inet.wsserver::*;\n"
        self.compile(name, f"{uses}composite {name} {{\n  graph\n{graph}}}\n")

    def serving(self, name, port, *options):
        process = self.start(name, *options)
        servers.await_port(port, process)
        return process


def await_true(what):
    end = time.monotonic() + PATIENCE
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()


def ask(url, body=None, tls=None, **headers):
    """Status and body."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=20, context=tls) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Client(threading.Thread):
    """A client of a WebSocket, and what it has got until the connection ended."""

    def __init__(self, url, tls=None):
        super().__init__(daemon=True)
        self.socket = Connection(url, tls=tls)
        self.messages = []
        self.start()

    def run(self):
        try:
            for message in self.socket:
                self.messages.append(message)
        except Exception:  # it ended without saying so
            pass

    def tuples(self):
        return [
            json.loads(text)["tuple"] for text in self.messages if text.startswith('{"tuple"')
        ]


def sends(bench):
    """All clients get what comes while they are there, and are told of each other."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Sends",
        f"""    stream<int32 n, rstring word> Rows = Beacon() {{
      param iterations : 400u; period : 0.01; initDelay : 1.0;
      output Rows : n = (int32) IterationCount(), word = "a\\"b";
    }}
    () as Published = WebSocketSend(Rows) {{ param port : {port}; }}
""",
    )
    process = bench.serving("Sends", port)
    url = f"ws://127.0.0.1:{port}/Published/ports/input/0/wssend"
    first, second = Client(url), Client(url)
    await_true(lambda: len(first.tuples()) > 50)
    second.socket.close()
    late = Client(url)
    process.communicate(timeout=PATIENCE)
    first.join(PATIENCE)
    late.join(PATIENCE)
    expect("sending", (process.returncode, bench.read("stderr")), (0, ""))
    rows = first.tuples()
    expect("all once", [row["n"] for row in rows], list(range(400)))
    expect("values", rows[0], {"n": 0, "word": 'a"b'})
    numbers = [row["n"] for row in late.tuples()]
    expect("who comes late", numbers, list(range(numbers[0], 400)))
    control = [text for text in first.messages if "control" in text]
    expect("control messages", len(control), 4)  # itself, two others, one who went
    expect_in("control messages", '{"control":{"status":"CLOSE","value":"R:127.0.0.1:', control[2])


def slow(bench, seconds):
    """A client that reads nothing does not hold up the program; what it loses is counted."""
    port = servers.free_ports(1)[0]
    count = int(seconds * 1000)
    bench.build(
        "Slow",
        f"""    stream<int32 n, rstring text> Rows = Beacon() {{
      param iterations : {count}u; period : 0.001; initDelay : 1.0;
      output Rows : n = (int32) IterationCount(), text = "{'x' * 9000}";
    }}
    () as Published = WebSocketSend(Rows) {{
      param port : {port}; enableConnectionControlMessages : false;
    }}
""",
    )
    process = bench.serving("Slow", port, "--metrics-json=slow.json")
    path = "/Published/ports/input/0/wssend"
    still = socket.create_connection(("127.0.0.1", port))
    still.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    good = Client(f"ws://127.0.0.1:{port}{path}")
    most = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as file:
                rss = next((line for line in file if line.startswith("VmRSS")), "VmRSS: 0")
            most = max(most, int(rss.split()[1]))
        except (FileNotFoundError, ProcessLookupError):
            pass
        time.sleep(0.05)
    process.communicate(timeout=PATIENCE)
    good.join(PATIENCE)
    still.close()
    expect("a slow client", process.returncode, 0)
    expect("the other gets all", len(good.tuples()), count)
    said = "messages were dropped, as clients were too slow"
    expect_in("a slow client", said, bench.read("stderr"))
    expect("memory", most < 120 << 10, True)  # KiB
    expect_in("it is counted", "nMessagesDropped", bench.read("slow.json"))


def injects(bench):
    """Each message is a tuple, in order, also over reconnections and a program that is slow."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Injects",
        f"""    stream<rstring text, rstring who> In = WebSocketInject() {{
      param port : {port}; ackCount : 1000;
            messageAttributeName : "text"; senderIdAttributeName : "who";
    }}
    stream<In> Slowed = Throttle(In) {{ param rate : 4000.0; }}
    () as Sink = FileSink(Slowed) {{
      param file : "injects.csv"; flush : 1u; quoteStrings : false;
    }}
""",
    )
    process = bench.serving("Injects", port)
    url = f"ws://127.0.0.1:{port}/In/ports/output/0/wsinject"
    for part in range(2):
        client = Client(url)
        for i in range(3000):
            client.socket.send(str(part * 3000 + i))
        client.socket.send(b"binary")
        last = '"COUNT","value":"%d"' % (3000 * (part + 1))
        await_true(lambda: any(last in text for text in client.messages))
        client.socket.close()
    expect("injection", bench.end(process)[0], 0)
    rows = [row.split(",") for row in bench.rows("injects.csv")]
    expect("all messages", [row[0] for row in rows], [str(i) for i in range(6000)])
    expect("senders", len({row[1] for row in rows}), 2)
    expect_in("what is no text", "2 tuples", bench.read("stderr"))


def posts(bench):
    """Forms and JSON become tuples; others are refused."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Posts",
        f"""    stream<rstring name, int32 n, list<int32> l> Forms = HTTPTupleInjection() {{
      param port : {port}; maxContentSize : 1;
    }}
    stream<rstring jsonString> Texts = HTTPJSONInjection() {{ param port : {port}; }}
    () as F = FileSink(Forms) {{ param file : "forms.csv"; flush : 1u; quoteStrings : false; }}
    () as T = FileSink(Texts) {{ param file : "texts.csv"; flush : 1u; quoteStrings : false; }}
""",
    )
    process = bench.serving("Posts", port)
    base = f"http://127.0.0.1:{port}"
    form, text = f"{base}/Forms/ports/output/0/inject", f"{base}/Texts/ports/output/0/inject"
    await_true(lambda: ask(text)[0] == 405)  # both operators are there
    for what, url, body, headers, status in (
        ("a form", form, b"name=a+b%26&n=-3&l=%5B1,2%5D", {}, 204),
        ("a default", form, b"name=x&n=", {}, 204),
        ("no number", form, b"n=many", {}, 400),
        ("too large", form, b"name=" + b"x" * 2000, {}, 413),
        ("far too large", form, b"name=" + b"x" * 20000000, {}, 413),
        ("another type", form, b"n=1", {"Content_Type": "text/plain"}, 415),
        ("another page", form, b"n=1", {"Origin": "http://evil.example"}, 403),
        ("another host", form, b"n=1", {"Host": "evil.example"}, 403),
        ("the same host", form, b"name=y", {"Origin": "http://localhost:1"}, 204),
        ("no post", form, None, {}, 405),
        ("nowhere", base + "/Forms", b"n=1", {}, 404),
        ("JSON", text, b'{"a":[1]}', {"Content_Type": "application/json"}, 204),
        ("no JSON", text, b"a=1", {}, 415),
    ):
        expect(what, ask(url, body, **headers)[0], status)
    port = f"{base}/Forms/ports/output/0"
    expect_in("the page with a form", '<input name="n">', ask(port + "/form")[1])
    expect_in("info", '{"name":"l","type":"list<int32>"}', ask(port + "/info")[1])
    expect("posts", bench.end(process)[0], 0)
    expect("forms", bench.rows("forms.csv"), ["a b&,-3,[1,2]", "x,0,[]", "y,0,[]"])
    expect("texts", bench.rows("texts.csv"), ['{"a":[1]}'])


def views(bench):
    port = servers.free_ports(1)[0]
    bench.build(
        "Views",
        f"""    stream<int32 n, rstring k> Rows = Beacon() {{
      param iterations : 7u;
      output Rows : n = (int32) IterationCount(), k = IterationCount() % 2ul == 0ul ? "even" : "odd";
    }}
    stream<int32 n> Never = Beacon() {{ param initDelay : 1000.0; }}
    () as Sliding = HTTPTupleView(Rows) {{
      window Rows : sliding, count(3), count(1);
      param port : {port}; headers : "X-Mine: 1";
    }}
    () as Tumbling = HTTPTupleView(Rows) {{ window Rows : tumbling, count(5); param port : {port}; }}
    () as Parts = HTTPTupleView(Rows) {{
      window Rows : sliding, count(2), count(1), partitioned;
      param port : {port}; partitionKey : "k"; context : "views"; contextResourceBase : "files";
    }}
    () as End = Custom(Never) {{}}
""",
    )
    os.makedirs(bench.path("files"), exist_ok=True)
    bench.write("files/index.html", "a page")
    bench.write("secret.txt", "hidden")
    process = bench.serving("Views", port)
    base = f"http://127.0.0.1:{port}"
    where = "/ports/input/0/tuples"
    await_true(lambda: '"n":6' in ask(base + "/views/Parts" + where)[1])
    row = lambda n: {"n": n, "k": "odd" if n % 2 else "even"}
    for path, wanted in (
        ("/Sliding" + where, [row(4), row(5), row(6)]),
        ("/Sliding" + where + "?attribute=n", [{"n": 4}, {"n": 5}, {"n": 6}]),
        ("/Sliding" + where + "?suppress=n", [{"k": "even"}, {"k": "odd"}, {"k": "even"}]),
        ("/Tumbling" + where, [row(n) for n in range(5)]),
        ("/views/Parts" + where, [row(4), row(6), row(3), row(5)]),
        ("/views/Parts" + where + "?partition=odd", [row(3), row(5)]),
        ("/views/Parts" + where + "?partition=none", []),
    ):
        expect(path, json.loads(ask(base + path)[1]), wanted)
    expect("a file", ask(base + "/views/"), (200, "a page"))
    for path in ("/views/../secret.txt", "/views/%2e%2e/secret.txt", "/views//etc/passwd/x"):
        raw = socket.create_connection(("127.0.0.1", port))
        raw.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(4096), b""))
        expect(path, answer.split(b" ")[1], b"404")
        raw.close()
    expect("views", bench.end(process)[0], 0)


def strangers(bench, seed, count):
    """Requests that are none, halves of requests, and too many connections: the program goes on."""
    chance = random.Random(seed)
    port = servers.free_ports(1)[0]
    bench.build(
        "Strange",
        f"""    stream<rstring name, int32 n> Forms = HTTPTupleInjection() {{ param port : {port}; }}
    () as Sink = FileSink(Forms) {{ param file : "strange.csv"; flush : 1u; }}
    stream<rstring text> In = WebSocketInject() {{ param port : {port}; }}
    () as Echo = WebSocketSend(In) {{ param port : {port}; textMessage : text; }}
""",
    )
    process = bench.serving("Strange", port)
    url = f"http://127.0.0.1:{port}/Forms/ports/output/0/inject"
    good = (
        f"POST /Forms/ports/output/0/inject HTTP/1.1\r\nHost: localhost:{port}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\nname=a%41&n=1"
    ).encode()
    wrong = 0
    halves = [socket.create_connection(("127.0.0.1", port)) for _ in range(600)]
    for half in halves:
        half.sendall(b"GET /Forms HTTP/1.1\r\nHost")
    for _ in range(count):
        bytes_ = bytearray(good)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(bytes_))
            kind = chance.randrange(3)
            if kind == 0:
                bytes_[at] = chance.randrange(256)
            elif kind == 1:
                del bytes_[at : at + chance.randint(1, 30)]
            else:
                bytes_[at:at] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 40)))
            if not bytes_:
                bytes_ = bytearray(b"\r\n")
        try:
            with socket.create_connection(("127.0.0.1", port), 20) as raw:
                raw.sendall(bytes_)
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(4096):
                    pass
        except ConnectionError:
            wrong += 1
        except TimeoutError:
            expect("an answer", "none", f"seed {seed}")
    expect("strange requests", process.poll(), None)
    large = socket.create_connection(("127.0.0.1", port), 20)
    large.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 9000 + b"\r\n\r\n")
    expect("too long a header", large.recv(64).split(b" ")[1], b"431")
    large.close()
    refused = 0
    for where, origin in (("In/ports/output/0/wsinject", "http://evil.example"), ("In/x", None)):
        try:
            Connection(f"ws://127.0.0.1:{port}/{where}", origin=origin).close()
        except Exception:
            refused += 1
    expect("WebSockets of other pages and paths", refused, 2)
    expect("it still serves", ask(url, b"name=end&n=7")[0], 204)
    for half in halves:
        half.close()
    expect("it ends", bench.end(process)[0], 0)
    expect("the last tuple", bench.rows("strange.csv")[-1], '"end",7')


def listening(bench):
    """Nobody else can connect, unless the run says so."""
    port = servers.free_ports(1)[0]
    graph = f"""    stream<int32 n> Rows = Beacon() {{ param iterations : 1u; }}
    () as Out = WebSocketSend(Rows) {{ param port : {port}; host : "0.0.0.0"; }}
"""
    bench.build("Open", graph)
    code, _, errors = bench.run("Open")
    expect("another host", code, 1)
    expect_in("another host", "--allow-listen permits it", errors)
    expect("with the option", bench.run("Open", "--allow-listen"), (0, "", ""))
    bench.build("Taken", graph.replace('host : "0.0.0.0";', ""))
    with socket.create_server(("127.0.0.1", port)):
        code, _, errors = bench.run("Taken")
    expect("a port that is taken", code, 1)
    expect_in("a port that is taken", f"127.0.0.1:{port}: Address already in use", errors)


def kills(bench, count):
    """Clients come back to a program that was killed; a client that is killed hurts nobody."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Killed",
        f"""    stream<int32 n> Rows = Beacon() {{
      param period : 0.005; output Rows : n = (int32) IterationCount();
    }}
    () as Out = WebSocketSend(Rows) {{ param port : {port}; }}
""",
    )
    url = f"ws://127.0.0.1:{port}/Out/ports/input/0/wssend"
    for _ in range(count):
        process = bench.serving("Killed", port)
        client = Client(url)
        await_true(lambda: len(client.tuples()) > 20)
        rude = Client(url)
        rude.socket.abort()
        await_true(lambda: any("CLOSE" in text for text in client.messages))
        process.kill()
        process.communicate()
        client.join(PATIENCE)
        numbers = [row["n"] for row in client.tuples()]
        wanted = list(range(numbers[0], numbers[0] + len(numbers)))
        expect("a program that was killed", numbers, wanted)
    process = bench.serving("Killed", port)
    code, seconds = bench.end(process)
    expect("it ends", (code, seconds < 4), (0, True))


def crowd(bench, count):
    """Clients that come and go while messages are on their way hurt nobody."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Crowd",
        f"""    stream<int32 n> Rows = Beacon() {{
      param period : 0.0005; output Rows : n = (int32) IterationCount();
    }}
    () as Out = WebSocketSend(Rows) {{ param port : {port}; }}
""",
    )
    process = bench.serving("Crowd", port)
    url = f"ws://127.0.0.1:{port}/Out/ports/input/0/wssend"
    stays = Client(url)

    def come_and_go():
        for i in range(count):
            client = Connection(url)
            client.recv(PATIENCE)
            if i % 2:
                client.close()
            else:
                client.abort()

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect("a crowd", process.poll(), None)
    expect("it ends", bench.end(process)[0], 0)
    stays.join(PATIENCE)
    numbers = [row["n"] for row in stays.tuples()]
    expect("who stays", numbers, list(range(numbers[0], numbers[0] + len(numbers))))


def the_page(bench):
    """The program of docs/connectors/WebSocket.md."""
    page = os.path.join(HERE, "..", "..", "docs", "connectors", "WebSocket.md")
    with open(page) as file:
        program = file.read().split("```spl\n")[1].split("```")[0]
    port = servers.free_ports(1)[0]
    bench.compile("Echo", program.replace("8080", str(port)))
    process = bench.serving("Echo", port)
    client = Client(f"ws://127.0.0.1:{port}/Counts/ports/input/0/wssend")
    url = f"http://127.0.0.1:{port}/Words/ports/output/0/inject"
    await_true(lambda: ask(url)[0] == 405)
    for word in ("tea", "milk", "tea"):
        expect("the page", ask(url, f"word={word}".encode())[0], 204)
    await_true(lambda: len(client.tuples()) >= 3)
    wanted = [("tea", 1), ("milk", 1), ("tea", 2)]
    wanted = [{"word": word, "count": count} for word, count in wanted]
    expect("the page", client.tuples(), wanted)
    view = json.loads(ask(f"http://127.0.0.1:{port}/Last/ports/input/0/tuples")[1])
    expect("the view of the page", view, wanted)
    expect("the page", bench.end(process)[0], 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--crowd", type=int, default=40, help="clients, four times, that go again")
    parser.add_argument("--strange", type=int, default=500, help="requests that are none")
    parser.add_argument("--slow", type=float, default=4, help="s, in which a client reads nothing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one function of this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
        bench = ServerBench(os.path.abspath(options.driver), folder)
        tests = {
            "sends": lambda: sends(bench),
            "slow": lambda: slow(bench, options.slow),
            "injects": lambda: injects(bench),
            "posts": lambda: posts(bench),
            "views": lambda: views(bench),
            "strangers": lambda: strangers(bench, options.seed, options.strange),
            "listening": lambda: listening(bench),
            "kills": lambda: kills(bench, options.kills),
            "crowd": lambda: crowd(bench, options.crowd),
            "the_page": lambda: the_page(bench),
        }
        for name, test in tests.items():
            if not options.only or name == options.only:
                test()
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
