# RUN: %python %s
"""What a bad row of CSV says about itself, and which parameter may be missing."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, expect, expect_in, finish, sluice, write  # noqa: E402


def read(content, more=""):
    with open(os.path.join(DATA, "in.csv"), "w", encoding="utf-8") as file:
        file.write(content)
    source = write(
        "Main.spl",
        f"""composite Main {{
  graph
    stream<int32 id, rstring name> S = FileSource() {{
      param file : "in.csv"; {more}
    }}
    () as Sink = Custom(S) {{ logic onTuple S : println(S); }}
}}
""",
    )
    return sluice("run", source, "--data-dir", DATA)


def refused(what, content, says, more="", hint=True):
    out = read(content, more)
    expect(what + ": exit code", out.returncode, 1)
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
expect("the hint is right", read('id,name\n1,"a"\n', "hasHeaderLine : true;").returncode, 0)
for found in (";", "|"):
    refused("another separator", f'1{found}"a"\n', f'`separator : "{found}"`')
    out = read(f'1{found}"a"\n', f'separator : "{found}";')
    expect("that hint is right", (out.returncode, out.stderr), (0, ""))
refused("the comma", '1,"a"\n', '`separator : ","`', 'separator : ";";')
refused("no separator at all", "1\n", "`separator", hint=False)
finish()
