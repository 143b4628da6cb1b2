# REQUIRES: slow
# RUN: %python %s
"""A line, a row or a document that does not end is bounded by --memory-limit, whoever reads it: an
error names the operator and what it reads, and the process has not taken much more."""

import bz2
import os
import socket
import subprocess
import threading
import zlib

from Inputs.support import DATA, FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write

LIMIT = 100 << 20
SLACK = 100 << 20  # what is not counted, with room


def most(program, *options):
    """Exit code, errors, and the most bytes that the process had."""
    process = subprocess.Popen(
        [program, f"--memory-limit={LIMIT >> 20}M", "--data-dir", DATA, *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, errors, usage.ru_maxrss << 10


def build(name, text):
    path = os.path.join(FOLDER, name)
    source = write(f"{name}.spl", f"composite {name} {{ graph\n{text}\n}}\n")
    out = sluice("build", source, "-o", path)
    expect(f"building {name}", (out.returncode, out.stderr), (0, ""))
    return path


def check(what, program, operator, parts, *options):
    code, errors, bytes_ = most(program, *options)
    expect(f"{what}: exit code", code, 1)
    for part in (f"error: operator {operator}: ", *parts):
        expect_in(what, part, errors)
    expect(f"{what}: memory in MiB", bytes_ < LIMIT + SLACK, True)
    if bytes_ >= LIMIT + SLACK:
        print(bytes_ >> 20)


ENDLESS = ("has no end in ", "(--memory-limit)")
END = "() as End = Custom(In) { logic onTuple In : println(In); }"
for format, type in (
    ("line", "rstring s"), ("csv", "rstring s, int32 n"), ("txt", "rstring s"), ("block", "blob b")
):  # fmt: skip
    program = build(
        f"Read_{format}",
        f'stream<{type}> In = FileSource() {{ param file : "/dev/zero"; format : {format}; }}'
        + END,
    )
    check(format, program, "In", ("/dev/zero", *ENDLESS))

# bin: an rstring of 2 GiB.
big = write("data/big.bin", b"\x80\x7f\xff\xff\xff")
with open(big, "ab") as file:
    file.truncate(3 << 30)
program = build(
    "Read_bin",
    'stream<rstring s> In = FileSource() { param file : "big.bin"; format : bin; }' + END,
)
check("bin", program, "In", ("big.bin", *ENDLESS))

# What is small when it is compressed.
zeros = bytes(1 << 20)
for packing, packer in (("zlib", zlib.compressobj(9)), ("bzip2", bz2.BZ2Compressor(9))):
    packed = b"".join(packer.compress(zeros) for _ in range(500)) + packer.flush()
    write(f"data/{packing}", packed)
    program = build(
        f"Read_{packing}",
        f'stream<rstring s> In = FileSource() {{ param file : "{packing}"; format : line;'
        f" compression : {packing}; }} {END}",
    )
    check(packing, program, "In", (f"data/{packing}", *ENDLESS))


# From a connection, and in pieces.
def send_for_ever(listener):
    connection, _ = listener.accept()
    try:
        while True:
            connection.sendall(zeros)
    except OSError:
        pass


with socket.create_server(("127.0.0.1", 0)) as listener:
    thread = threading.Thread(target=send_for_ever, args=(listener,))
    thread.start()
    port = listener.getsockname()[1]
    program = build(
        "Read_tcp",
        f'stream<rstring s> In = TCPSource() {{ param role : client; address : "127.0.0.1";'
        f" port : {port}u; format : line; }} {END}",
    )
    check("tcp", program, "In", (f"127.0.0.1:{port}", *ENDLESS))
    thread.join(TIMEOUT)
PIECES = """stream<blob b> Pieces = FileSource() {
  param file : "/dev/zero"; format : block; blockSize : 100000u; }"""
program = build(
    "Read_pieces",
    f"{PIECES} stream<rstring s> In = Parse(Pieces) {{ param format : line; }} {END}",
)
check("Parse", program, "In", ENDLESS)


# Documents: deep ones, a token without an end, a text that is wanted, and names without an end.
def document(begin, unit):
    return f"""stream<rstring d> Pieces = Custom() {{ logic onProcess : {{
      mutable rstring c = ""; for (int32 i in range(2000)) c += "{unit}";
      submit({{d = "{begin}"}}, Pieces); while (!isShutdown()) submit({{d = c}}, Pieces);
    }} }}
    stream<rstring id> In = XMLParse(Pieces) {{
      param trigger : "/r/e"; output In : id = XPath("{{path}}"); }} {END}"""


for what, begin, unit, path in (
    ("deep", "<r>", "<a>", "@id"),
    ("a comment", "<r><!-- ", "text > ", "@id"),
    ("an attribute", "<r><e id='", "text ", "@id"),
    ("a name", "<r><", "name", "@id"),
    ("a text", "<r><e>", "text ", "text()"),
    ("attributes", "<r><e ", "abc='1' ", "@id"),
):
    program = build("Document_" + what.split()[-1], document(begin, unit).replace("{path}", path))
    code, errors, bytes_ = most(program)
    expect(f"{what}: exit code", code, 1)
    for part in ("out of memory: ", "the limit is 100 MiB (--memory-limit)"):
        expect_in(what, part, errors)
    expect(f"{what}: memory", bytes_ < LIMIT + SLACK, True)
finish()
