#!/usr/bin/env python3
"""A web server for tests of HTTP operators: `web_server.py PORT LOG [CERTIFICATE [CLIENTS]]`. LOG gets a line
of JSON for each request. What it serves depends on the path; each path says what it does."""

import base64
import gzip
import http.server
import json
import ssl
import sys
import threading
import time
import urllib.parse

FILE = {"lines": ["one", "two"], "changed": 1700000000}  # what /file serves
turns = {}  # how many requests /turns has had, of each path
lock = threading.Lock()
log = None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_any(self):
        path, _, query = self.path.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query))
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        with lock:
            seen = {"method": self.command, "path": self.path, "body": self.body.decode("latin-1")}
            seen |= {"headers": dict(self.headers), "peer": self.client_address[1]}
            log.write(json.dumps(seen) + "\n")
            log.flush()
        name, *rest = path.strip("/").split("/")
        getattr(self, "on_" + name, self.on_nothing)(*rest)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = handle_any

    def on_nothing(self, *_):
        self.answer(404, b"nothing here")

    def on_echo(self, *_):
        """What came, as JSON."""
        shown = {"method": self.command, "path": self.path, "body": self.body.decode("latin-1")}
        self.answer(200, json.dumps(shown).encode(), Content_Type="application/json")

    def on_status(self, status):
        self.answer(int(status), b"because")

    def on_text(self, *_):
        self.answer(200, self.query["is"].encode(), Content_Type="text/plain")

    def on_gzip(self, *_):
        self.answer(200, gzip.compress(b"unpacked"), Content_Encoding="gzip")

    def on_redirect(self, *_):
        self.answer(302, b"elsewhere", Location=self.query["to"])

    def on_auth(self, *_):
        """Only who says user u and password p0w may in."""
        wanted = "Basic " + base64.b64encode(b"u:p0w").decode()
        good = self.headers.get("Authorization") == wanted
        self.answer(200 if good else 401, b"in" if good else b"out")

    def on_silent(self, *_):
        """Takes the request and says nothing."""
        time.sleep(3600)

    def on_slow(self, seconds):
        time.sleep(float(seconds))
        self.answer(200, b"late")

    def on_broken(self, *_):
        """Breaks off in the middle of the answer."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"a part")
        self.close_connection = True

    def on_file(self, *_):
        """A text that grows by what is posted, with the time of its last change."""
        if self.command == "POST":
            FILE["lines"].append(self.body.decode())
            FILE["changed"] += 10
            return self.answer(204)
        since = self.headers.get("If-Modified-Since")
        changed = self.date_time_string(FILE["changed"])
        if since == changed:
            return self.answer(304)
        text = "".join(line + "\n" for line in FILE["lines"])
        self.answer(200, text.encode(), Last_Modified=changed)

    def on_turns(self, *_):
        """A text that grows by a line with each request. Each second one is refused, with the text
        `is`, or none."""
        turn = turns[self.path] = turns.get(self.path, 0) + 1
        changed = self.date_time_string(FILE["changed"] + turn)
        text = self.query.get("is", "")
        if turn % 2:
            text = "".join(f"line {i}\n" for i in range(turn))
        self.answer(200 if turn % 2 else 503, text.encode(), Last_Modified=changed)

    def chunks(self, parts):
        """Sends parts as they come; gzip if that is accepted and asked for."""
        packer = gzip.zlib.compressobj(6, gzip.zlib.DEFLATED, 31) if "gzip" in self.query else None
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        if packer:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()

        def chunk(part):
            if part:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                self.wfile.flush()

        for part in parts:
            if packer:
                part = packer.compress(part) + packer.flush(gzip.zlib.Z_SYNC_FLUSH)
            chunk(part)
        if packer:
            chunk(packer.flush())
        self.wfile.write(b"0\r\n\r\n")

    def on_lines(self, count, rate="0"):
        """So many lines, so many a second; lines are cut anywhere."""

        def parts():
            for i in range(int(count)):
                line = f"line {i}\r\n" if i % 3 else f"line {i}\n"
                yield line[:4].encode()
                yield line[4:].encode()
                if float(rate):
                    time.sleep(1 / float(rate))

        self.chunks(parts())

    def on_events(self, count, rate="0"):
        """Server-sent events with numbers, which go on behind that of Last-Event-ID."""
        first = int(self.headers.get("Last-Event-ID") or -1) + 1

        def parts():
            yield b": a comment\n\n"
            for i in range(first, int(count)):
                yield f"event: number\nid: {i}\ndata: {i}\ndata: of {count}\n\n".encode()
                if float(rate):
                    time.sleep(1 / float(rate))

        self.chunks(parts())


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # clients may go away


def main():
    global log
    log = open(sys.argv[2], "a")
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3])
        if len(sys.argv) > 4:  # who may ask
            context.load_verify_locations(sys.argv[4])
            context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
