#!/usr/bin/env python3
"""A server of S3's protocol for tests: `s3_server.py PORT FOLDER KEY SECRET`. It believes nobody:
each request must be signed (AWS's signature version 4, over the bytes that came), or have a token
that it has given for the API key SECRET. Objects and parts are files in FOLDER, so a server that was
killed goes on. FOLDER/log gets a line for each request. FOLDER/faults has what is to go wrong, a
word for each request: `503`, `drop` (no answer), `half` (of the answer, once it has a body), or
`deaf` (it is done, and there is no answer)."""

import datetime
import hashlib
import hmac
import http.server
import os
import re
import socket
import sys
import threading
import urllib.parse
import uuid
import xml.sax.saxutils

FOLDER, KEY, SECRET = sys.argv[2:5]
LEAST_PART = 5 << 20  # bytes of all parts but the last one
PAGE = 50  # keys of an answer
TOKEN = "token-" + hashlib.sha256(SECRET.encode()).hexdigest()
lock = threading.Lock()


def quote(text):
    return urllib.parse.quote(text, safe="-._~")


def name_of(key):
    return os.path.join(FOLDER, "objects", quote(key))


def keep(path, data):
    """A file is there as a whole, or not at all."""
    part = f"{path}.{uuid.uuid4().hex}~"
    with open(part, "wb") as file:
        file.write(data)
    os.rename(part, path)


def load(path):
    with open(path, "rb") as file:
        return file.read()


def tag_of(data):
    return '"%s"' % hashlib.md5(data).hexdigest()


class Refused(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def hang_up(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def answer(self, status, body=b"", headers=()):
        body = body.encode() if isinstance(body, str) else body
        fault = self.fault
        if fault == "deaf":
            return self.hang_up()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if "Content-Length" not in dict(headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(body[: len(body) // 2] if fault == "half" and body else body)
        if fault == "half" and body:
            self.close_connection = True

    def fail(self, status, code):
        text = f"<Error><Code>{code}</Code><Message>no: {code}</Message></Error>"
        self.answer(status, b"" if self.command == "HEAD" else f"<?xml version='1.0'?>{text}")

    def next_fault(self):
        path = os.path.join(FOLDER, "faults")
        with lock:
            words = load(path).decode().split() if os.path.exists(path) else []
            if words:
                keep(path, " ".join(words[1:]).encode())
            with open(os.path.join(FOLDER, "log"), "a") as log:
                log.write(f"{self.command} {self.path} {' '.join(words[:1])}\n")
        return words[0] if words else ""

    def handle_any(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.fault = self.next_fault()
        if self.fault == "drop":
            return self.hang_up()
        path, _, self.raw_query = self.path.partition("?")
        self.query = dict(urllib.parse.parse_qsl(self.raw_query, keep_blank_values=True))
        try:
            if path == "/identity/token":
                return self.give_token()
            if self.fault == "503":
                raise Refused(503, "SlowDown")
            self.check(path)
            _, bucket, *rest = path.split("/", 2)
            if bucket != "bucket":
                raise Refused(404, "NoSuchBucket")
            self.key = urllib.parse.unquote(rest[0]) if rest else ""
            getattr(self, f"{self.command.lower()}_{'object' if self.key else 'bucket'}")()
        except Refused as why:
            self.fail(why.status, why.code)
        except BrokenPipeError:
            self.close_connection = True

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any

    # --- who asks

    def give_token(self):
        form = dict(urllib.parse.parse_qsl(self.body.decode()))
        if form != {"grant_type": "urn:ibm:params:oauth:grant-type:apikey", "apikey": SECRET}:
            return self.answer(400, '{"errorCode":"BXNIM0415E"}')
        self.answer(200, f'{{"access_token":"{TOKEN}","expires_in":3600,"token_type":"Bearer"}}')

    def check(self, path):
        given = self.headers.get("Authorization") or ""
        if given == f"Bearer {TOKEN}":
            return
        parts = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?"
            r"SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})",
            given,
        )
        if not parts:
            raise Refused(403, "AccessDenied")
        key, day, region, names, signature = parts.groups()
        if key != KEY:
            raise Refused(403, "InvalidAccessKeyId")
        time = self.headers["X-Amz-Date"]
        then = datetime.datetime.strptime(time + "+0000", "%Y%m%dT%H%M%SZ%z")
        now = datetime.datetime.now(datetime.timezone.utc)
        if abs(then - now) > datetime.timedelta(minutes=15):
            raise Refused(403, "RequestTimeTooSkewed")
        digest = hashlib.sha256(self.body).hexdigest()
        if self.headers["X-Amz-Content-Sha256"] != digest:
            raise Refused(400, "XAmzContentSHA256Mismatch")
        if not {"host", "x-amz-content-sha256", "x-amz-date"} <= set(names.split(";")):
            raise Refused(403, "AccessDenied")
        values = {name: " ".join((self.headers[name] or "").split()) for name in names.split(";")}
        headers = [f"{name}:{value}" for name, value in values.items()]
        exact = "/".join(quote(urllib.parse.unquote(part)) for part in path.split("/"))
        pairs = urllib.parse.parse_qsl(self.raw_query, keep_blank_values=True)
        query = "&".join(f"{quote(name)}={quote(value)}" for name, value in sorted(pairs))
        request = "\n".join([self.command, exact, query, *headers, "", names, digest])
        scope = f"{day}/{region}/s3/aws4_request"
        text = "\n".join(
            ["AWS4-HMAC-SHA256", time, scope, hashlib.sha256(request.encode()).hexdigest()]
        )
        sign = ("AWS4" + SECRET).encode()
        for word in (day, region, "s3", "aws4_request", text):
            sign = hmac.new(sign, word.encode(), hashlib.sha256).digest()
        if not time.startswith(day) or not hmac.compare_digest(sign.hex(), signature):
            raise Refused(403, "SignatureDoesNotMatch")

    # --- objects

    def found(self):
        if not os.path.exists(name_of(self.key)):
            raise Refused(404, "NoSuchKey")
        return load(name_of(self.key))

    def get_object(self):
        data = self.found()
        wanted = self.headers.get("If-Match")
        if wanted and wanted != tag_of(data):
            raise Refused(412, "PreconditionFailed")
        headers = [("ETag", tag_of(data))]
        span = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        if not span:
            return self.answer(200, data, headers)
        begin = int(span.group(1))
        if begin >= len(data):
            raise Refused(416, "InvalidRange")
        headers.append(("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}"))
        self.answer(206, data[begin:], headers)

    def head_object(self):
        data = self.found()
        self.answer(200, b"", [("ETag", tag_of(data)), ("Content-Length", str(len(data)))])

    def delete_object(self):
        if "uploadId" in self.query:
            raise Refused(501, "NotImplemented")
        if os.path.exists(name_of(self.key)):
            os.remove(name_of(self.key))
        self.answer(204)

    def put_object(self):
        if "uploadId" in self.query:
            number = int(self.query["partNumber"])
            if not 1 <= number <= 10000:
                raise Refused(400, "InvalidArgument")
            keep(os.path.join(self.upload(), str(number)), self.body)
        else:
            keep(name_of(self.key), self.body)
        self.answer(200, b"", [("ETag", tag_of(self.body))])

    def upload(self):
        path = os.path.join(FOLDER, "uploads", quote(self.query["uploadId"]))
        if not os.path.isdir(path) or load(path + "/key").decode() != self.key:
            raise Refused(404, "NoSuchUpload")
        return path

    def post_object(self):
        if "uploads" in self.query:
            name = uuid.uuid4().hex
            path = os.path.join(FOLDER, "uploads", name)
            os.mkdir(path + "~")
            keep(path + "~/key", self.key.encode())
            os.rename(path + "~", path)
            return self.answer(200, f"<R><UploadId>{name}</UploadId></R>")
        path = self.upload()
        pairs = re.findall(
            r"<Part><PartNumber>(\d+)</PartNumber><ETag>([^<]*)</ETag></Part>", self.body.decode()
        )
        parts = []
        for number, tag in pairs:
            if not os.path.exists(os.path.join(path, number)):
                raise Refused(400, "InvalidPart")
            parts.append(load(os.path.join(path, number)))
            if tag_of(parts[-1]) != xml.sax.saxutils.unescape(tag):
                raise Refused(400, "InvalidPart")
        if not parts or [int(n) for n, _ in pairs] != sorted({int(n) for n, _ in pairs}):
            raise Refused(400, "InvalidPartOrder")
        if any(len(part) < LEAST_PART for part in parts[:-1]):
            raise Refused(400, "EntityTooSmall")
        keep(name_of(self.key), b"".join(parts))
        os.rename(path, path + "~done")
        self.answer(200, "<R><ETag>&quot;x&quot;</ETag></R>")

    def put_bucket(self):
        raise Refused(409, "BucketAlreadyOwnedByYou")

    def delete_bucket(self):
        raise Refused(409, "BucketNotEmpty")

    def get_bucket(self):
        if self.query.get("list-type") != "2":
            raise Refused(400, "InvalidArgument")
        encoded = self.query.get("encoding-type") == "url"
        prefix, delimiter = self.query.get("prefix", ""), self.query.get("delimiter", "")
        begin = self.query.get("continuation-token", "")
        names = sorted(
            urllib.parse.unquote(name)
            for name in os.listdir(os.path.join(FOLDER, "objects"))
            if not name.endswith("~")
        )
        keys = [
            key
            for key in names
            if key.startswith(prefix)
            and not (delimiter and delimiter in key[len(prefix) :])
            and key > begin
        ]
        text = ""
        for key in keys[:PAGE]:
            changed = datetime.datetime.utcfromtimestamp(os.stat(name_of(key)).st_mtime)
            shown = xml.sax.saxutils.escape(key)
            if encoded:
                shown = urllib.parse.quote_plus(key, safe="/")
            text += (
                f"<Contents><Key>{shown}</Key>"
                f"<LastModified>{changed.isoformat(timespec='milliseconds')}Z</LastModified>"
                f"<ETag>{xml.sax.saxutils.escape(tag_of(load(name_of(key))))}</ETag></Contents>"
            )
        if len(keys) > PAGE:
            token = xml.sax.saxutils.escape(keys[PAGE - 1])
            text += f"<NextContinuationToken>{token}</NextContinuationToken>"
        self.answer(200, f"<ListBucketResult>{text}</ListBucketResult>")


for name in ("objects", "uploads"):
    os.makedirs(os.path.join(FOLDER, name), exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
