# REQUIRES: slow
# RUN: %python %s
"""What a bad row of a file says about itself, and which parameter may be missing."""

import gzip
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, expect, expect_in, finish, sluice, write  # noqa: E402


def read(content, more="", type="rstring"):
    write("data/in.csv", content)
    source = write(
        "Main.spl",
        f"""composite Main {{
  graph
    stream<int32 id, {type} name> S = FileSource() {{
      param file : "in.csv"; {more}
    }}
    () as Sink = Custom(S) {{ logic onTuple S : println(S); }}
}}
""",
    )
    return sluice("run", source, "--data-dir", DATA)


def refused(what, content, says, more="", hint=True, code=1, **column):
    out = read(content, more, **column)
    expect(what + ": exit code", out.returncode, code)
    if hint:
        expect_in(what, says, out.stderr)
    else:
        expect(what, says in out.stderr, False)


UNCLOSED = "the quoted text has no end: its quote is not closed (attribute name)"
refused("an open quote", '1,"abc\n', "in.csv:1:3: " + UNCLOSED)
refused("of the other kind", "1,'abc\n", UNCLOSED)
refused("with an escape", '1,"abc\\"\n', UNCLOSED)
refused("of RFC 4180", '1,"abc\n', UNCLOSED, "quoting : rfc4180;")
for number in ("3000000000", "-2147483649", "+99999999999999999999"):
    says = f"in.csv:2:1: '{number}' is out of range of int32 (attribute id)"
    refused("a large number", f'1,"a"\n{number},"b"\n', says)
refused("no number", '1,"a"\n12x,"b"\n', "'12x' is no int32")
HEADER = "`hasHeaderLine : true`"
refused("a header", 'id,name\n1,"a"\n', HEADER)
refused("a word below", '1,"a"\nid,name\n', HEADER, hint=False)
refused("a header is left out", 'id,name\nx,"a"\n', HEADER, "hasHeaderLine : true;", hint=False)
for row in ("id,2", "12x,name", "-x,name", "id,2,name", "id,"):
    refused("no header: " + row, row + '\n1,"a"\n', HEADER, hint=False)
for row in ("id,name", "Id ,Name (first)", '"id","the name"', "id,name,more"):
    refused("a header: " + row, row + '\n1,"a"\n', HEADER)
expect("the hint is right", read('id,name\n1,"a"\n', "hasHeaderLine : true;").returncode, 0)
for found, written in ((";", ";"), ("|", "|"), ("\t", "\\t")):
    refused("another separator", f'1{found}"a"\n', f'`separator : "{written}"`')
    out = read(f'1{found}"a"\n', f'separator : "{written}";')
    expect("that hint is right", (out.returncode, out.stderr), (0, ""))
refused("the comma", '1,"a"\n', '`separator : ","`', 'separator : ";";')
# A tab is a separator as others are, and no blank then.
for written in ('"\\t"', "9b"):
    out = read("1\ta b\n\t\n 2 \tc\n", f"separator : {written};")
    rows = '{id=1,name="a b"}\n{id=0,name=""}\n{id=2,name="c"}\n'
    expect("tabs", (out.returncode, out.stdout), (0, rows))
    expect_in("tabs: an empty number", "1 empty number was read as 0", out.stderr)
    more = f"separator : {written}; quoting : rfc4180;"
    expect("tabs and quotes", read('1\t"a\tb"\n', more).stdout, '{id=1,name="a\\tb"}\n')
    refused("too few", "1\n", "the row has too few values", f"separator : {written};")
for byte in ('" "', "'\"'", '"\\n"', '";;"', '""', "32b"):
    out = read("1,a\n", f"separator : {byte};")
    expect_in("at compile time", "Main.spl:4:", out.stderr)
    expect_in("at compile time", "error: a separator is one byte", out.stderr)
# Bytes that are no text are shown, and what follows them.
for raw, shown in (
    (b"x\0y,1", "'x\\x00y' is no int32"),
    (b"\x1b[31m,1", "'\\x1b[31m' is no int32"),
    (b"\xff\xc3,1", "'\\xff\\xc3' is no int32"),
    ("\u00e9\u4e2d,1".encode(), "'\u00e9\u4e2d' is no int32"),
):
    refused("bytes", raw, shown)
    refused("bytes", raw, "(attribute id)")
packed = gzip.compress(b'1,"a"\n')
for content in (packed, gzip.compress(b"text\n" * 999)):
    refused("compressed", content, "`compression : gzip`")
    refused("compressed, by rows", content, "`compression : gzip`", "parsing : permissive;", code=0)
refused("not compressed", '1,"a"\n', "it is not compressed", "compression : gzip;")
refused("damaged", packed[:12] + b"xxxxxxx", "damaged", "compression : gzip;")
refused("a time", "1,2024-02-29\n", "(SECONDS, NANOSECONDS, MACHINE)", type="timestamp")
refused("no separator at all", "1\n", "`separator", hint=False)
# Text where tuples are read.
LINES = (
    "in.csv:1:1: this is no tuple of the stream's type; a tuple is written in `{...}`, and lines "
)
refused(
    "lines of text",
    "hello, world\n",
    LINES + "of text are read with `format : line`",
    "format : txt;",
)
for row in ('{id=1,name="a"}\n {id=2}\n', '{id=1,name="a"} x\n', "{id=x}\n"):
    refused("a wrong tuple: " + row, row, "is no tuple", "format : txt;")
    refused("a wrong tuple: " + row, row, "`format : line`", "format : txt;", hint=False)
finish()
