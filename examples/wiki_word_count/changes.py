#!/usr/bin/env python3
"""Reports changes of wikis that nobody has made, as https://stream.wikimedia.org does: server-sent
events in chunks, by TLS, with gzip for who asks for it. The certificate is made by openssl, and
what it prints makes libcurl take this server for that of Wikimedia."""

import argparse
import gzip
import http.server
import json
import os
import random
import ssl
import subprocess
import sys
import tempfile
import time
import zlib

NAME = "stream.wikimedia.org"
WORDS = """river city history music football island list album species village railway station
language church castle film season election mountain bridge battle king university science""".split()
VERBS = ["fixed", "added", "removed", "moved", "translated", "copied", "reverted", "checked"]


def change(number, chance):
    """One change, with the words that are counted in its title and its comment."""
    often = lambda: WORDS[min(int(chance.expovariate(0.25)), len(WORDS) - 1)]
    return {
        "$schema": "/mediawiki/recentchange/1.0.0",
        "id": number,
        "type": chance.choice(["edit", "edit", "edit", "new", "log"]),
        "title": " ".join(often().capitalize() for _ in range(chance.randint(1, 3))),
        "comment": f"{chance.choice(VERBS)} the {often()} of {often()}",
        "user": f"User{chance.randint(1, 500)}",
        "bot": chance.random() < 0.3,
        "wiki": chance.choice(["enwiki", "dewiki", "frwiki", "wikidatawiki"]),
    }


def event(number, chance):
    data = json.dumps(change(number, chance), separators=(",", ":"))
    return f"event: message\nid: {number}\ndata: {data}\n\n".encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path != "/v2/stream/recentchange":
            return self.send_error(404)
        options = self.server.options
        packs = "gzip" in self.headers.get("Accept-Encoding", "")
        packer = zlib.compressobj(wbits=31) if packs else None
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        if packs:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        chance, begin, sent = random.Random(options.seed), time.monotonic(), 0
        while options.count < 0 or sent < options.count:
            due = min(int((time.monotonic() - begin) * options.rate) + 1, sent + 1000)
            if options.count >= 0:
                due = min(due, options.count)
            part = b"".join(event(number, chance) for number in range(sent, due))
            sent = due
            if packs:
                part = packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)
            if part:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                self.wfile.flush()
            time.sleep(0.02)
        while True:  # as Wikimedia's, it does not end
            time.sleep(1)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # clients go away


def certificate(folder):
    path = os.path.join(folder, "changes.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30"]
    command += ["-subj", "/CN=" + NAME, "-addext", "subjectAltName=DNS:" + NAME]
    command += ["-keyout", path, "-out", path + ".crt"]
    subprocess.run(command, check=True, capture_output=True)
    with open(path + ".crt") as public, open(path, "a") as both:
        both.write(public.read())
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8443)
    parser.add_argument("--rate", type=float, default=50, help="changes a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=-1, help="changes, then no more; -1: always")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="changes-") as folder:
        server = Server(("127.0.0.1", options.port), Handler)
        server.options = options
        pem = certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print("Before `sluice run`:")
        print(f"export SLUICE_CONNECT_TO={NAME}:443:127.0.0.1:{server.server_port}")
        print(f"export SLUICE_CA_FILE={pem}.crt", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    sys.exit(main())
