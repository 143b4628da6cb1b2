# REQUIRES: slow
# RUN: %python %s
"""A console among hostile clients: it answers its own page, stays small, and the job goes on."""

import json
import os
import random
import resource
import socket
import time

from Inputs.support import expect, expect_in, finish, write
from Inputs.watching import Program, get, until

SLOW = 1000  # connections; the server takes 512
MARKUP = "<script>alert(1)</script>"
# A name cannot hold markup, but a metric can, and so can what a tuple holds.
SOURCE = f"""composite Marked {{
  graph
    stream<int64 n> Numbers = Beacon() {{ output Numbers : n = (int64) IterationCount(); }}
    () as Sink = Custom(Numbers) {{
      logic onTuple Numbers :
        if (n == 0l) createCustomMetric("{MARKUP}", "</script><b>", Sys.Counter, 7l);
    }}
}}
"""
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def console_of(job):
    """The number of the process that serves the console of a job."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"sluice-console") and b"--job=%d" % job in words:
            return int(name)
    raise SystemExit("no console")


def memory(process):
    """MiB that it has."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def opened(address):
    stream = socket.create_connection(address, 10)
    stream.settimeout(10)
    return stream


def send(stream, data):
    """Whether the other end still takes it."""
    try:
        stream.sendall(data)
        return True
    except OSError:
        return False


def garbage(random_, count):
    return bytes(random_.randrange(256) for _ in range(count))


source = write("Marked.spl", SOURCE)
with Program("sluice", "run", source, "-O1", "--console", "--stop-timeout=1s") as program:
    url, _, token = program.where("console").partition("#k=")
    host, port = url.split("/")[2].split(":")
    address, good = (host, int(port)), {"Authorization": "Bearer " + token}
    console = console_of(program.process.pid)

    def figures():
        text = get(url + "lines", **good)[2]
        return [l for l in map(json.loads, text.splitlines()) if l["line"] == "figures"]

    def tuples():
        return figures()[-1]["operators"]["out"][0]

    until("figures", figures)
    status, head, page = get(url)
    expect("no script of a name in the page", MARKUP in page, False)
    reply = get(url + "lines", **good)
    expect_in("what a program says is JSON", "application/x-ndjson", reply[1]["Content-Type"])
    expect("nothing guesses", reply[1]["X-Content-Type-Options"], "nosniff")
    metrics = until("the metric", lambda: [m for l in figures() for m in l.get("metrics", [])])
    expect("the name is as it is", {m["name"] for m in metrics}, {MARKUP})
    for what, given in (("another host", {"Host": "evil.example"}),
                        ("a host that begins so", {"Host": "localhost.evil.example"}),
                        ("another page", {"Origin": "https://evil.example"}),
                        ("a page of a file", {"Origin": "null"})):  # fmt: skip
        expect(what, get(url + "lines", **good, **given)[0], 403)
        expect(what + ", a command", get(url + "do", b"pause", **good, **given)[0], 403)
    expect("a wrong token", get(url + "lines", Authorization="Bearer " + token[::-1])[0], 401)

    # --- a thousand that send a byte now and then, one that never reads, and garbage ---
    before, small, begun = tuples(), memory(console), time.monotonic()
    slow, text = [], b"GET /lines HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100
    for _ in range(SLOW):
        stream = opened(address)
        send(stream, text[:7])
        slow.append(stream)
    deaf = opened(address)
    ask = f"GET /lines?from=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
    for _ in range(100):
        send(deaf, ask.encode())
    chance = random.Random(1)
    for at in range(7, 17):
        there = sum(send(stream, text[at : at + 1]) for stream in slow)
        for _ in range(20):
            with opened(address) as stream:
                send(stream, garbage(chance, chance.randrange(1, 3000)))
        begins = time.monotonic()
        expect("the page", get(url)[0], 200)
        expect("within a second or so", time.monotonic() - begins < 5, True)
        time.sleep(0.1)
    print(f"{there} of {SLOW} are left, {memory(console) - small:.1f} MiB more")
    expect("it cut off those that are too many", there < SLOW, True)
    expect("it stays small", memory(console) - small < 100, True)
    until("the program goes on", lambda: tuples() > before)
    expect("in time", time.monotonic() - begun < 60, True)
    for stream in (*slow, deaf):
        stream.close()
    expect("exit code", program.end(), 0)
finish()
