#!/usr/bin/env python3
"""HTTPRequestProcess, HTTPBLOBInjection, HTTPXMLInjection and HTTPXMLView, with urllib as a client.
The last line says how many checks passed."""

import argparse
import http.client
import json
import os
import socket
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import servers
from programs import await_true, checks, expect, expect_in
from websocket import ServerBench, ask


def send(url, body=None, method=None, **headers):
    """Status, headers and body."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def reason(url):
    """What stands behind the status of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.reason
    except urllib.error.HTTPError as error:
        return error.reason


ANSWERS = """    stream<HTTPRequest, tuple<rstring url, rstring contextPath>> Asked =
        HTTPRequestProcess(Answered) {{ param port : {port}; context : "api"; webTimeout : {timeout}; }}
    stream<HTTPRequest> Answered = Custom(Asked) {{
      logic onTuple Asked : {{
        mutable HTTPRequest out = {{}};
        out.key = key;
        out.response = method + " " + pathInfo + " " + contentType + " " + request;
        if (pathInfo == "/where") out.response = url + " " + contextPath;
        if (pathInfo == "/mine") out.response = header["X-Mine"];
        if (pathInfo == "/missing") out.status = 404;
        if (pathInfo == "/gone") out.statusMessage = "It Is Gone";
        if (pathInfo == "/gone") out.status = 410;
        if (pathInfo == "/line") out.statusMessage = "OK\\r\\nX-Evil: 1";
        if (pathInfo == "/strange") out.status = 7;
        if (pathInfo == "/empty") out.status = 204;
        if (pathInfo == "/same") out.status = 304;
        if (pathInfo == "/long") {{
          mutable rstring text = "x";
          while (length(text) < 70000) text += text;
          out.contentType = text;
          out.header = {{"X-Out" : "1", "X-Long" : text, "X-" + text : "1"}};
        }}
        if (pathInfo == "/headers") {{
          out.contentType = "text/plain";
          out.header = {{"X-Out" : "1", "Content-Length" : "1", "X Bad" : "1",
                        "X-Split" : "a\\r\\nX-Evil: 1"}};
        }}
        if (pathInfo != "/never") submit(out, Answered);
        if (pathInfo == "/twice") submit(out, Answered);
      }}
    }}
"""


def metric(bench, name):
    """Of the file metrics.json, the sum over operators."""

    def values(part):
        if isinstance(part, dict):
            if part.get("name") == name and "value" in part:
                yield part["value"]
            for each in part.values():
                yield from values(each)
        elif isinstance(part, list):
            for each in part:
                yield from values(each)

    return sum(values(json.loads(bench.read("metrics.json"))))


def answers(bench):
    """Each request gets the tuple with its key."""
    port = servers.free_ports(1)[0]
    bench.build("Answers", ANSWERS.format(port=port, timeout=1.5))
    process = bench.serving("Answers", port, "--metrics-json=metrics.json")
    base = f"http://127.0.0.1:{port}/api/Asked/ports"
    at = base + "/analyze/0"
    await_true(lambda: ask(base + "/output/0/info")[0] == 200 and ask(at)[0] == 200)
    form = "application/x-www-form-urlencoded"
    for what, (status, _, body), wanted in (
        ("a query", send(at + "/a%20b?x=1&y=2"), (200, "GET /a b  x=1&y=2")),
        ("no path", send(at), (200, "GET   ")),
        ("a slash", send(at + "/"), (200, "GET /  ")),
        ("a form", send(at + "/f", b"n=1\nm"), (200, f"POST /f {form} n=1\nm")),
        ("put", send(at + "/p/q", b"1", "PUT", Content_Type="a/b"), (200, "PUT /p/q a/b 1")),
        ("delete", send(at + "/d", method="DELETE"), (200, "DELETE /d  ")),
        ("where", send(at + "/where?x"), (200, f"{at}/where /api/Asked/ports")),
        ("a header", send(at + "/mine", X_Mine="7"), (200, "7")),
        ("a status", send(at + "/missing"), (404, "GET /missing  ")),
        ("no status", send(at + "/strange"),
         (500, "the answer of the program has no status of HTTP\n")),
        ("no body", send(at + "/empty"), (204, "")),
        ("no change", send(at + "/same"), (304, "")),
        ("too late", send(at + "/never"), (408, "the program has given no answer in time\n")),
        ("answered twice", send(at + "/twice"), (200, "GET /twice  ")),
        ("another path", send(base + "/analyze/1"), (404, "nothing is here\n")),
        ("another page", send(at, Origin="http://evil.example"),
         (403, "another host is meant, or a page of another one asks\n")),
        ("a large one", send(at + "/l", b"x" * 900_000), (200, f"POST /l {form} " + "x" * 900_000)),
        ("too large", send(at + "/l", b"x" * 1_000_001), (413, "the body is too long\n")),
    ):  # fmt: skip
        expect(what, (status, body), wanted)
    status, headers, body = send(at + "/headers")
    expect("headers", (status, body), (200, "GET /headers  "))
    expect("headers", [headers[n] for n in ("Content-Type", "X-Out")], ["text/plain", "1"])
    expect("bad ones", [headers[n] for n in ("X-Evil", "X-Split", "X Bad")], [None] * 3)
    expect("without one", send(at)[1]["Content-Type"], "text/html; charset=utf-8")
    status, headers, body = send(at + "/long")
    expect("long headers", (status, body), (200, "GET /long  "))
    expect("long headers", [name for name in headers if name.startswith("X-O")], ["X-Out"])
    expect("long ones", [v for n, v in headers.items() if len(n) + len(v) > 100], [])
    expect("a reason", [reason(at + path) for path in ("/gone", "/missing", "/line")],
           ["It Is Gone", "Not Found", "OK"])  # fmt: skip
    expect("a reason of two lines", send(at + "/line")[1]["X-Evil"], None)
    one_connection(port)
    crowd(at)
    waits = threading.Thread(target=lambda: ended.append(send(at + "/never")))
    ended = []
    waits.start()
    time.sleep(0.3)
    expect("it ends", bench.end(process)[0], 0)
    waits.join()
    expect("who waits at the end", ended[0][::2], (503, "the program has ended\n"))
    expect_in("a header that is none", "cannot be one, and is left out", bench.read("stderr"))
    expect("too late", metric(bench, "nRequestTimeouts"), 1)
    expect("answered twice", metric(bench, "nTrackingKeyNotFound"), 1)
    expect("all", metric(bench, "nMessagesReceived") - metric(bench, "nMessagesResponded"), 2)
    expect("at the end", metric(bench, "nActiveRequests"), 0)


def one_connection(port):
    """Answers without a body leave it open for more."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    client.connect()
    first = client.sock
    for path, status in (("/empty", 204), ("/same", 304), ("/x", 200)):
        client.request("GET", "/api/Asked/ports/analyze/0" + path)
        answer = client.getresponse()
        expect("a connection", (answer.status, len(answer.read())), (status, 8 * (path == "/x")))
        expect("no length", answer.getheader("Content-Length"), "8" if path == "/x" else None)
        expect("the same one", client.sock is first, True)
    client.close()


def crowd(at):
    """Many at once, each with an answer of its own."""
    wrong = []

    def run(number):
        for i in range(40):
            text = f"{number}-{i}"
            if not send(at + "/c", text.encode())[2].endswith(" " + text):
                wrong.append(text)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect("a crowd", wrong, [])


def as_json(bench):
    """Both ports with one attribute."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Json",
        f"""    stream<rstring jsonString> Asked = HTTPRequestProcess(Answered) {{
      param port : {port}; responseJsonAttributeName : "string"; webTimeout : 1.0;
    }}
    stream<int64 key, rstring request, rstring method> Read =
        com.ibm.streamsx.json::JSONToTuple(Asked) {{}}
    stream<rstring string> Answered = Custom(Read) {{
      logic onTuple Read :
        if (request == "bad") submit({{string = "{{\\"key\\":\\"none\\"}}"}}, Answered);
        else submit({{string = "{{\\"response\\":\\"" + method + " " + request
          + "\\",\\"key\\":" + (rstring) key + ",\\"status\\":201,\\"header\\":{{\\"X-A\\":\\"b\\"}}}}"}},
          Answered);
    }}
""",
    )
    process = bench.serving("Json", port, "--metrics-json=metrics.json")
    at = f"http://127.0.0.1:{port}/Asked/ports/analyze/0"
    await_true(lambda: ask(at)[0] == 201)
    status, headers, body = send(at + "/x?a=1")
    expect("JSON", (status, headers["X-A"], body), (201, "b", "GET a=1"))
    expect("no key", send(at, b"bad")[0], 408)
    expect("it ends", bench.end(process)[0], 0)
    expect("no key", metric(bench, "nMissingTrackingKey"), 1)
    expect_in("no key", "no JSON object with a number `key`", bench.read("stderr"))


def blobs_and_xml(bench):
    port = servers.free_ports(1)[0]
    bench.build(
        "Documents",
        f"""    stream<blob data, map<rstring, rstring> header> Blobs = HTTPBLOBInjection() {{
      param port : {port};
    }}
    stream<xml document, int32 n> Documents = HTTPXMLInjection() {{ param port : {port}; }}
    stream<rstring line> Lines = Custom(Blobs; Documents) {{
      logic
        onTuple Blobs : submit({{line = (rstring) blobSize(data) + " " + header["X-Mine"]
          + " " + (rstring) data[0] + (rstring) data[3]}}, Lines);
        onTuple Documents : submit({{line = (rstring) document}}, Lines);
    }}
    () as View = HTTPXMLView(Documents) {{ param port : {port}; }}
    () as File = FileSink(Lines) {{ param file : "lines.csv"; flush : 1u; quoteStrings : false; }}
""",
    )
    process = bench.serving("Documents", port)
    base = f"http://127.0.0.1:{port}"
    blobs, documents = (f"{base}/{name}/ports/output/0/inject" for name in ("Blobs", "Documents"))
    view = base + "/View/ports/input/0/attribute"
    await_true(lambda: all(ask(url)[0] in (405, 204) for url in (blobs, documents, view)))
    expect("nothing yet", send(view)[0], 204)
    data = bytes(range(7, 256)) * 3000
    octets, text = "application/octet-stream", "application/xml; charset=utf-8"
    for what, url, body, kind, status in (
        ("bytes", blobs, data, octets, 204),
        ("no bytes", blobs, data, "text/plain", 415),
        ("another type", blobs, data, octets + "s", 415),
        ("too many", blobs, b"x" * 1_000_001, octets, 413),
        ("a document", documents, "<a b='1'>\u00e4</a>".encode(), text, 204),
        ("no document", documents, b"<a>", text, 400),
        ("nothing", documents, b"", text, 400),
        ("no XML", documents, b"<a/>", "text/plain", 415),
    ):
        expect(what, send(url, body, Content_Type=kind, X_Mine="7")[0], status)
    await_true(lambda: send(view)[0] == 200)
    status, headers, body = send(view)
    expect("the view", (status, headers["Content-Type"], body),
           (200, "application/xml", "<a b='1'>\u00e4</a>"))  # fmt: skip
    expect("it ends", bench.end(process)[0], 0)
    lines = sorted(bench.rows("lines.csv"))
    expect("bytes", lines[0], f"{len(data)} 7 710")
    expect_in("a document", "<a b='1'>\u00e4</a>", lines[1])


def cut_off(bench):
    """A client that goes while its request is in the program hurts nobody."""
    port = servers.free_ports(1)[0]
    bench.build("Answers", ANSWERS.format(port=port, timeout=1.5))
    process = bench.serving("Answers", port)
    at = f"http://127.0.0.1:{port}/api/Asked/ports/analyze/0"
    await_true(lambda: ask(at)[0] == 200)
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(b"GET /api/Asked/ports/analyze/0/never HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect("it still answers", send(at + "/x")[::2], (200, "GET /x  "))
    time.sleep(2)
    expect("behind that, too", send(at + "/x")[::2], (200, "GET /x  "))
    expect("it ends", bench.end(process)[0], 0)


def has_ended(client):
    """Whether the server has closed it, without a word."""
    client.setblocking(False)
    try:
        return client.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def too_many(bench):
    """Of more than 512 connections the oldest ones end, if they wait for answers, too: with any
    patience."""
    most, more = 512, 40
    port = servers.free_ports(1)[0]
    bench.build("Answers", ANSWERS.format(port=port, timeout="1e20"))
    process = bench.serving("Answers", port, "--metrics-json=metrics.json")
    at = f"http://127.0.0.1:{port}/api/Asked/ports/analyze/0"
    await_true(lambda: ask(at)[0] == 200)
    clients = []
    for _ in range(most + more):
        clients.append(socket.create_connection(("127.0.0.1", port)))
        clients[-1].sendall(
            b"GET /api/Asked/ports/analyze/0/never HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
    await_true(lambda: all(has_ended(client) for client in clients[:more]))
    expect("the oldest", [has_ended(client) for client in clients[:more]], [True] * more)
    expect("the others", [has_ended(client) for client in clients[more:]], [False] * most)
    expect("it still answers", send(at + "/x")[::2], (200, "GET /x  "))
    expect("that ends one", [has_ended(c) for c in clients[more:][:3]], [True, False, False])
    expect("it ends", bench.end(process)[0], 0)
    answers = set()
    for client in clients[more + 1 :]:
        client.settimeout(5)
        answers.add(client.recv(12))
        client.close()
    expect("the end", answers, {b"HTTP/1.1 503"})
    expect("taken", metric(bench, "nMessagesReceived") >= most + more, True)
    expect("too late", metric(bench, "nRequestTimeouts"), 0)
    expect("at the end", metric(bench, "nActiveRequests"), 0)


def long_header(bench):
    """HTTPTupleView says at its start that it cannot send one."""
    bench.build(
        "Long",
        f"""    stream<int32 n> Rows = Beacon() {{ param iterations : 1u; }}
    () as View = HTTPTupleView(Rows) {{
      window Rows : sliding, count(1), count(1);
      param port : {servers.free_ports(1)[0]}; headers : getSubmissionTimeValue("header");
    }}
""",
    )
    code, _, errors = bench.run("Long", "header=X-Long: " + "x" * 70_000)
    expect("a long header", code, 1)
    expect_in("a long header", "headers: a header has 61440 bytes at most", errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--only", default="", help="tests whose names have this in them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
        bench = ServerBench(os.path.abspath(options.driver), folder)
        for test in (answers, as_json, blobs_and_xml, cut_off, too_many, long_header):
            if options.only in test.__name__:
                test(bench)
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
