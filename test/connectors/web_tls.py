#!/usr/bin/env python3
"""Web servers in programs with TLS: who is served, and which certificates and passwords are errors.
The clients are Python's. The last line says how many checks passed."""

import argparse
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.error

import servers
from programs import PATIENCE, await_true, checks, expect, expect_in
from web import certificate
from websocket import Client, ServerBench, ask

PASSWORD = "hush-hush"


def lock(path):
    """The same file, with a password for its key."""
    locked = path.replace(".pem", "-locked.pem")
    key = subprocess.run(
        ["openssl", "rsa", "-aes256", "-passout", f"pass:{PASSWORD}", "-in", path],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    with open(path) as both, open(locked, "w") as out:
        out.write(both.read().split("-----BEGIN PRIVATE KEY")[0] + key)
    return locked


def context(trusted, own=None):
    result = ssl.create_default_context(cafile=trusted)
    if own:
        result.load_cert_chain(own)
    return result


def status(url, tls, body=None, **headers):
    """Of the answer, or the error."""
    try:
        return ask(url, body, tls=tls, **headers)[0]
    except (urllib.error.URLError, ConnectionError, ssl.SSLError) as error:
        return str(error)


def serves(bench, good):
    """All operators at one port, with a key that has a password."""
    port = servers.free_ports(1)[0]
    bench.build(
        "Secure",
        f"""    stream<int32 n, rstring text> Forms = HTTPTupleInjection() {{ param {given(port)} }}
    stream<rstring jsonString> Texts = HTTPJSONInjection() {{ param {given(port)} }}
    stream<rstring text> Said = WebSocketInject() {{ param {given(port)} }}
    () as Out = WebSocketSend(Said) {{ param {given(port)} textMessage : text; }}
    () as View = HTTPTupleView(Forms) {{
      window Forms : sliding, count(1), count(1); param {given(port)}
    }}
    () as Files = WebContext() {{
      param {given(port)} context : "files"; contextResourceBase : "files";
    }}
    () as F = FileSink(Texts) {{ param file : "secure.csv"; flush : 1u; quoteStrings : false; }}
""",
    )
    os.makedirs(bench.path("files"), exist_ok=True)
    bench.write("files/index.html", "a page")
    process = bench.serving("Secure", port, "password=@env:TLS_PASSWORD")
    tls = context(good)
    base = f"https://127.0.0.1:{port}"
    view = f"{base}/View/ports/input/0/tuples"
    await_true(lambda: status(base + "/Texts/ports/output/0/inject", tls) == 405)
    await_true(lambda: status(view, tls) == 200)
    text = "x" * 150_000
    body = f"n=7&text={text}".encode()
    expect("a form", status(base + "/Forms/ports/output/0/inject", tls, body), 204)
    await_true(lambda: text in ask(view, tls=tls)[1])
    expect("the view", ask(view, tls=tls)[1], '[{"n":7,"text":"' + text + '"}]\n')
    json = {"Content_Type": "application/json"}
    for path, wanted in (("Texts/ports/output/0/inject", 204), ("nowhere", 404)):
        expect(path, status(f"{base}/{path}", tls, b'{"a":[1]}', **json), wanted)
    expect("a file", ask(base + "/files/", tls=tls), (200, "a page"))
    client = Client(f"wss://127.0.0.1:{port}/Out/ports/input/0/wssend", tls)
    sender = Client(f"wss://127.0.0.1:{port}/Said/ports/output/0/wsinject", tls)
    wanted = [letter * 100_000 for letter in "abcdefghij"] + [str(n) for n in range(2000)]
    for message in wanted:
        sender.socket.send(message)
    said = lambda: [text for text in client.messages if '"control"' not in text]
    await_true(lambda: len(said()) >= len(wanted))
    expect("messages", said() == wanted, True)
    for what, url, tls, wanted in (
        ("unknown certificate", base, context(None), "CERTIFICATE_VERIFY_FAILED"),
        ("no TLS", base.replace("https", "http"), None, ""),
    ):
        expect_in(what, wanted, str(answer := status(url, tls)))
        expect(f"{what}: an error", isinstance(answer, str), True)
    with socket.create_connection(("127.0.0.1", port)) as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00\x01")  # it never ends
        expect("it still serves", ask(view, tls=context(good))[0], 200)
    sender.socket.close()
    expect("it ends", bench.end(process)[0], 0)
    client.join(PATIENCE)
    expect("texts", bench.rows("secure.csv"), ['{"a":[1]}'])
    expect("nothing is said", bench.read("stderr"), "")


def given(port, more=""):
    return f"""port : {port}; keyStore : "server-locked.pem"; certificateAlias : "mine";
      keyPassword : getSubmissionTimeValue("password"); {more}"""


def clients(bench, good, own, foreign):
    """With a trustStore clients need a certificate."""
    port = servers.free_ports(1)[0]
    trust = 'trustStore : "client.pem"; trustStorePassword : "any";'
    bench.build(
        "Known",
        f"""    stream<int32 n> Forms = HTTPTupleInjection() {{ param {given(port, trust)} }}
    () as F = FileSink(Forms) {{ param file : "known.csv"; flush : 1u; }}
""",
    )
    process = bench.serving("Known", port, f"password={PASSWORD}")
    url = f"https://127.0.0.1:{port}/Forms/ports/output/0/inject"
    await_true(lambda: status(url, context(good, own)) == 405)
    for what, certificate_, body, wanted in (
        ("a known client", own, b"n=1", 204),
        ("no certificate", None, b"n=2", str),
        ("a foreign certificate", foreign, b"n=3", str),
        ("again", own, b"n=4", 204),
    ):
        answer = status(url, context(good, certificate_), body)
        expect(what, answer if wanted == 204 else type(answer), wanted)
    expect("it ends", bench.end(process)[0], 0)
    expect("who was served", bench.rows("known.csv"), ["1", "4"])


def slow(bench, good):
    """A client that reads nothing holds up nobody."""
    port = servers.free_ports(1)[0]
    bench.build(
        "SlowTls",
        f"""    stream<int32 n, rstring text> Rows = Beacon() {{
      param iterations : 2000u; period : 0.001; initDelay : 1.0;
      output Rows : n = (int32) IterationCount(), text = "{'x' * 9000}";
    }}
    () as Out = WebSocketSend(Rows) {{
      param {given(port, "enableConnectionControlMessages : false;")}
    }}
""",
    )
    process = bench.serving("SlowTls", port, f"password={PASSWORD}")
    path = "/Out/ports/input/0/wssend"
    still = context(good).wrap_socket(
        socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1"
    )
    still.sendall(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    fast = Client(f"wss://127.0.0.1:{port}{path}", context(good))
    process.communicate(timeout=PATIENCE)
    fast.join(PATIENCE)
    still.close()
    expect("a slow client", process.returncode, 0)
    expect("the other gets all", [row["n"] for row in fast.tuples()], list(range(2000)))
    expect_in("a slow client", "messages were dropped", bench.read("stderr"))


def errors(bench):
    """What cannot be is said at the start."""
    port = servers.free_ports(1)[0]
    graph = """    stream<int32 n> Rows = Beacon() {{ param iterations : 1u; }}
    () as Out = WebSocketSend(Rows) {{ param port : {port}; {tls} }}
    () as View = HTTPTupleView(Rows) {{ window Rows : tumbling, count(1); param port : {other}; }}
"""
    locked = 'keyStore : "server-locked.pem";'
    none = servers.free_ports(1)[0]
    for name, tls, other, said in (
        ("Wrong", f'{locked} keyPassword : "wrong-1";', none, "`keyPassword` is wrong: "),
        ("Store", f'{locked} keyStorePassword : "wrong-1";', none, "`keyPassword` is wrong: "),
        ("Missing", 'keyStore : "none.pem";', none, "keyStore: cannot read "),
        ("Java", 'keyStore : "store.jks";', none, "keytool -importkeystore"),
        ("Empty", 'keyStore : "";', none, "keyStore names no file"),
        ("Text", 'keyStore : "Text.spl";', none, "cannot read the certificate of "),
        ("Alone", 'keyPassword : "wrong-1";', none, "keyPassword needs keyStore"),
        ("Trust", 'keyStore : "server.pem"; trustStore : "Trust.spl";', none,
         "cannot read certificates of "),
        ("Both", 'keyStore : "server.pem";', port,
         "another operator serves it with another keyStore"),
    ):  # fmt: skip
        bench.build(name, graph.format(port=port, tls=tls, other=other))
        code, _, errors = bench.run(name)
        expect(name, code, 1)
        expect_in(name, said, errors)
        expect(f"{name}: no secret", "wrong-1" in errors, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--only", default="", help="tests whose names have this in them")
    options = parser.parse_args()
    os.environ["TLS_PASSWORD"] = PASSWORD
    with tempfile.TemporaryDirectory(prefix="sluice-connectors-") as folder:
        try:
            good = certificate(folder, "server", "127.0.0.1")
        except servers.Missing as why:
            print(f"skipped: {why}\n0 passed, 0 failed, 1 skipped")
            return 0
        lock(good)
        own, foreign = (certificate(folder, name, "client") for name in ("client", "foreign"))
        bench = ServerBench(os.path.abspath(options.driver), folder)
        tests = {
            "serves": lambda: serves(bench, good),
            "clients": lambda: clients(bench, good, own, foreign),
            "slow": lambda: slow(bench, good),
            "errors": lambda: errors(bench),
        }
        for name, test in tests.items():
            if options.only in name:
                test()
    print(f"{checks['passed']} passed, {checks['failed']} failed")
    return 1 if checks["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
