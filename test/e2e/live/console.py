# RUN: %python %s
"""Who may see the console, and what it tells: token, Host, Origin, commands, strangers, the end."""

import json
import os
import socket

from Inputs.support import FOLDER, expect, expect_in, finish, sluice, write
from Inputs.watching import ENVIRONMENT, Program, get, until

ADAPTS = ("--boundaries=all", "--elastic=paper", "--elastic-option=period=0.2", "--threads=2")
SOURCE = os.path.join(os.path.dirname(__file__), "..", "Inputs", "pipeline.spl")


def lines(url, token, start=0):
    status, _, text = get(f"{url}lines?from={start}", Authorization="Bearer " + token)
    expect("lines", status, 200)
    return [json.loads(line) for line in text.splitlines()]


def kinds(url, token):
    return {line["line"] for line in lines(url, token)}


def raw(url, text):
    """Sends bytes as they are; what came back, as far as it came."""
    host, port = url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), 10) as stream:
        stream.sendall(text)
        stream.settimeout(10)
        try:
            return stream.recv(4096)
        except OSError:
            return b""


command = ("sluice", "run", SOURCE, "--console", "--console-allow=pause", *ADAPTS)
with Program(*command) as program:
    url, _, token = program.where("console").partition("#k=")
    expect("256 bits", (len(token), url.startswith("http://127.0.0.1:")), (64, True))
    status, head, page = get(url)
    expect("the page needs no token and has none", (status, token in page), (200, False))
    policy = head["Content-Security-Policy"]
    for part in ("default-src 'none'", "frame-ancestors 'none'", "connect-src 'self'"):
        expect_in("policy", part, policy)
    expect("a nonce for each answer", policy == get(url)[1]["Content-Security-Policy"], False)
    expect("no place is left open", "%nonce%" in page, False)

    # --- who may not ---
    wrong = "0" * 64
    for what, given in (("no token", {}), ("a wrong one", {"Authorization": "Bearer " + wrong}),
                        ("half of it", {"Authorization": "Bearer " + token[:32]}),
                        ("an empty one", {"Authorization": "Bearer "})):  # fmt: skip
        for path in ("lines", "metrics"):
            expect(f"{what}: {path}", get(url + path, **given)[0], 401)
        expect(f"{what}: a command", get(url + "do", b"pause", **given)[0], 401)
    good = {"Authorization": "Bearer " + token}
    for what, given in (("another host", {"Host": "example.com"}),
                        ("another page", {"Origin": "http://example.com"})):  # fmt: skip
        expect(what, get(url + "lines", **good, **given)[0], 403)
    expect("a token in the address is none", get(f"{url}lines?k={token}")[0], 401)

    # --- what it tells ---
    until("figures and decisions", lambda: {"header", "figures", "decision"} <= kinds(url, token))
    hello, *all_lines = lines(url, token)
    said = [hello[name] for name in ("line", "version", "allows", "ended")]
    expect("hello", said, ["hello", 3, ["pause"], False])
    behind = {line["line"] for line in lines(url, token, hello["next"])}
    expect("no header again", "header" in behind, False)
    names = {op["name"] for op in all_lines[0]["flow"]["operators"]}
    expect("operators", names, {"Numbers", "Heavy", "Sink"})
    expect("metrics, with the token", get(url + "metrics", **good)[0], 200)

    # --- commands ---
    expect("no such command", get(url + "do", b"explode", **good)[0], 400)
    expect("too long", get(url + "do", b"x" * 100000, **good)[0], 413)
    expect("not by GET", get(url + "do", **good)[0], 405)
    expect("pause", get(url + "do", b"pause", **good)[0], 200)
    until("it is paused", lambda: "pause" in kinds(url, token))
    expect("resume", get(url + "do", b"resume", **good)[0], 200)
    until("it goes on", lambda: "resume" in kinds(url, token))

    # --- strangers ---
    for nonsense in (
        b"\x00" * 100,
        b"GET " + b"/" * 20000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /do HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
    ):
        raw(url, nonsense)
    half = [socket.create_connection(url.split("/")[2].split(":"), 10) for _ in range(600)]
    for stream in half:
        try:
            stream.sendall(b"GET / HT")
        except OSError:
            pass  # it was cut off, as it was the oldest
    expect("600 half requests, and it answers", get(url)[0], 200)
    for stream in half:
        stream.close()
    before = lines(url, token)[0]["next"]
    until("and the program goes on", lambda: lines(url, token)[0]["next"] > before)

    # --- the end ---
    program.process.terminate()
    final = until(
        "the last line", lambda: [l for l in lines(url, token) if l["line"] == "final"]
    )
    expect("how it ended", final[0]["exitCode"], 0)
    expect("exit code", program.process.wait(60), 0)

# --- it only looks; a trace; what is wrong ---
trace = os.path.join(FOLDER, "t.jsonl")
with Program("sluice", "run", SOURCE, "--console", "--trace", trace) as program:
    url, _, token = program.where("console").partition("#k=")
    until("figures", lambda: "figures" in kinds(url, token))
    status, _, text = get(url + "do", b"pause", Authorization="Bearer " + token)
    expect("it only looks", status, 403)
    expect_in("and why", "this console only looks: --console-allow=pause lets it do more", text)
    with Program("sluice", "console", "Pipeline") as second:
        other, _, key = second.where("console").partition("#k=")
        until("another console", lambda: "figures" in kinds(other, key))
        expect("each has its token", get(other + "lines", Authorization="Bearer " + token)[0], 401)
        second.end()
    program.end()
with Program("sluice", "console", trace) as program:
    url, _, token = program.where("console").partition("#k=")
    expect("a finished run", kinds(url, token) >= {"header", "figures", "final"}, True)
    expect("it has ended", lines(url, token)[0]["ended"], True)
    expect("ends by a signal", program.end(), 0)
out = sluice("console", "Nobody", env=ENVIRONMENT)
expect_in("no job", "no job `Nobody` runs", out.stderr)
out = sluice("run", SOURCE, "--console=0.0.0.0:0")
expect_in("beyond loopback", "--allow-listen lets it listen there", out.stderr)
expect("exit code", out.returncode, 1)
for given, problem in (
    (("--console-allow=pause",), "--console-allow needs --console"),
    (("--console-host=a.example",), "--console-host needs --console"),
    (("--console", "--console-allow=dance"), "knows no 'dance': it needs pause, tap or both"),
    (("--console", "--console-hides=pin"), "--console-hides needs --console-allow=tap"),
    (("--console=0.0.0.0:0", "--allow-listen"), "--console-token=FILE names a file of it"),
    (("--console", "--console-allow=tap", "--profiler=sampling"), "needs --profiler=cycles"),
):
    expect_in(" ".join(given), problem, sluice("run", SOURCE, *given).stderr)

# --- a token of the user's, and a proxy in front ---
secret = "5eed" * 16
private = write("token", secret + "\n")
os.chmod(private, 0o644)
ours = ("--console", f"--console-token={private}", "--console-host=watch.example")
expect_in("others can read it", "chmod 600", sluice("run", SOURCE, *ours).stderr)
os.chmod(private, 0o600)
with Program("sluice", "run", SOURCE, *ours) as program:
    url = program.where("console")
    expect("no token is printed", (url.count("#"), secret in program.said()), (0, False))
    until("figures", lambda: "figures" in kinds(url, secret))
    good = {"Authorization": "Bearer " + secret}
    for host, origin, status in (
        ("watch.example", "https://watch.example", 200),
        ("watch.example:8443", "", 200),
        ("watch.example", "https://else.example", 403),
        ("else.example", "https://watch.example", 403),
    ):
        given = {"Host": host, **({"Origin": origin} if origin else {})}
        expect(f"{host} {origin}", get(url + "lines", **good, **given)[0], status)
    program.end()
finish()
