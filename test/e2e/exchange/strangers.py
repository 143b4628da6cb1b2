# REQUIRES: slow
# RUN: %python %s
"""What does not keep to the protocol is refused, and the programs go on; and who may meet."""

import os
import shutil
import socket
import struct
import threading
import time

from Inputs.exchange import RUNTIME, Running, Source, exporter, importer, links, until
from Inputs.support import expect, expect_in, finish

FOLDER = os.path.join(RUNTIME, "sluice")
MAGIC, VERSION, ASK, REQUEST, REPORT, ANSWER = 0x58455453, 3, 1, 2, 3, 4


def message(kind, body=b"", magic=MAGIC, version=VERSION):
    head = struct.pack("<III", magic, version, kind)
    return struct.pack("<I", len(head + body)) + head + body


def text(value):
    return struct.pack("<I", len(value)) + value.encode()


def dial(process):
    stranger = socket.socket(socket.AF_UNIX)
    stranger.connect(os.path.join(FOLDER, f"{process.pid}.sock"))
    stranger.settimeout(20)
    return stranger


source = Source(exporter("Offers", 'streamId : "rows"; allowFilter : true;'))
sink = Running(importer("Wants", 'streamId : "rows";'))
links(1)

# To an exporter. It closes the connection; where the request is whole, it says why.
REQUESTED = struct.pack("<I", 0) + text("tuple<int32 n, rstring k>") + struct.pack("<Q", 1)
for name, bytes_ in {
    "garbage": b"GET / HTTP/1.1\r\n\r\n",
    "a long message": struct.pack("<I", 0xFFFFFFFF),
    "another magic number": message(ASK, magic=1),
    "another version": message(ASK, version=VERSION + 1),
    "an unknown message": message(9),
    "a report": message(REPORT),
    "an answer": message(ANSWER, text("")),
    "bytes behind": message(ASK, b"x"),
    "no such stream": message(REQUEST, struct.pack("<I", 7) + REQUESTED[4:] + 3 * text("")),
    "a length beyond": message(REQUEST, REQUESTED + struct.pack("<I", 1 << 30)),
    "half a message": message(ASK)[:-1],
}.items():
    with dial(source) as stranger:
        stranger.send(bytes_)
        if name == "half a message":
            stranger.shutdown(socket.SHUT_WR)
        try:
            expect(name, stranger.recv(100), b"")
        except ConnectionResetError:
            pass
with dial(source) as stranger:
    stranger.send(message(REQUEST, REQUESTED + text("n >") + text("Me") + text("In")))
    expect_in("another layout", b"its tuples are ", stranger.recv(1000))
with dial(source) as stranger:  # asks twice
    stranger.send(message(ASK) + message(ASK))
    expect_in("a report", b"Offers", stranger.recv(1000))
silent = [dial(source) for _ in range(100)]
source.send('1,"a"')
sink.shows('{n=1,k="a"}', "WindowMarker")
began = time.monotonic()
try:
    expect("one that says nothing", silent[0].recv(1), b"")
except ConnectionResetError:
    pass
expect("after a while", time.monotonic() - began < 15, True)
for each in silent:
    each.close()


# To an importer: what calls itself an exporter.
def serve(answers, done):
    """A socket of the registry that answers each connection with the next of these."""
    listener = socket.socket(socket.AF_UNIX)
    hidden, path = os.path.join(FOLDER, ".1"), os.path.join(FOLDER, "1.sock")
    listener.bind(hidden)
    listener.listen()
    os.rename(hidden, path)
    for answer in answers:
        peer = listener.accept()[0]
        peer.recv(10000)
        peer.send(answer)
        done.append(peer)
    listener.settimeout(30)
    try:
        while len(done) < 100:  # it may ask again
            peer = listener.accept()[0]
            peer.close()
            done.append(None)
    except OSError:
        pass


OFFER = (text("Fake") + b"\1" + text("rows") + text("Default") + struct.pack("<I", 0)
         + text("tuple<int32 n, rstring k>") + struct.pack("<Q", 1) + b"\0\1\0")  # fmt: skip
FAKE = message(REPORT, text("Fake") + struct.pack("<i", -1) + text("") + struct.pack("<I", 1)
               + OFFER + struct.pack("<II", 0, 0))  # fmt: skip
who = f"the stream Fake of Fake (process {os.getpid()})"
for answers, said in {
    (b"\xff" * 100,): "",
    (message(REPORT, b"x"),): f"process {os.getpid()} of the registry speaks another version",
    (FAKE, message(ANSWER, text("no"))): f"{who} cannot be imported: no",
    (FAKE, message(REPORT)): f"{who} cannot be imported: it speaks another version",
    (FAKE, message(ANSWER, text("")) + struct.pack("<I", 200) + b"x" * 200):
        f"{who} sends what it should not: bytes that are no frame: they begin with 78787878",
    (FAKE, message(ANSWER, text("")) + struct.pack("<I", 3) + b"x" * 3):
        f"{who} sends what it should not: 3 bytes, which are no frame",
    (FAKE, message(ANSWER, text("")) + struct.pack("<I", 0xFFFFFFF0)):
        f"{who} was cut off in the middle of a message",
}.items():  # fmt: skip
    done = []
    threading.Thread(target=serve, args=(answers, done), daemon=True).start()
    until("it was asked", lambda: len(done) >= len(answers))
    if said:
        until(said, lambda: any(said in line for line in sink.errors))
    os.unlink(os.path.join(FOLDER, "1.sock"))
before = len(sink.out)
source.send('2,"b"')
until("it goes on", lambda: len(sink.out) == before + 2)
expect("the importer ends", sink.end()[2], 0)
out, errors, code = source.end()
expect("the exporter", (errors, code), ("", 0))

# A directory that others may enter, or a file in its place, is not used.
program = importer("Careful", 'streamId : "rows";')
ERROR = (
    f"Careful: error: streams cannot be exported or imported: {FOLDER} is no directory that "
    "belongs to you alone (mode 0700)\n"
)
os.chmod(FOLDER, 0o755)
expect("mode 0755", Running(program).end(None), ("", ERROR, 1))
shutil.rmtree(FOLDER)
open(FOLDER, "w").close()
expect("a file", Running(program).end(None), ("", ERROR, 1))
os.unlink(FOLDER)
os.symlink("/tmp", FOLDER)
expect("a link", Running(program).end(None), ("", ERROR, 1))
os.unlink(FOLDER)
out, errors, code = Running(program, "--clock=virtual").end(None)
expect_in("virtual time", "--clock=virtual needs --exchange=off", errors)
expect("virtual time", code, 1)
finish()
