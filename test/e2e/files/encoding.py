# REQUIRES: slow
# RUN: %python %s
"""encoding of FileSource and FileSink: all formats of text, big files, what cannot be converted."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, MODES, expect, expect_in, finish, sluice, write  # noqa: E402

COPY = """composite Copy {
  param
    expression<rstring> $from : getSubmissionTimeValue("from");
    expression<rstring> $to : getSubmissionTimeValue("to");
  graph
    stream<int32 n, rstring s> Csv = FileSource() { param file : "in.csv"; encoding : $from; }
    () as CsvOut = FileSink(Csv) { param file : "out.csv"; encoding : $to; quoteStrings : false; }
    stream<int32 n, rstring s> Txt = FileSource() { param file : "in.txt"; format : txt; encoding : $from; }
    () as TxtOut = FileSink(Txt) { param file : "out.txt"; format : txt; encoding : $to; }
    stream<rstring l> Line = FileSource() { param file : "in.line"; format : line; encoding : $from; }
    () as LineOut = FileSink(Line) { param file : "out.line"; format : line; encoding : $to; }
    stream<blob b> Block = FileSource() {
      param file : "in.line"; format : block; blockSize : 4000u; encoding : $from;
    }
    () as Whole = FileSink(Block) { param file : "out.block"; format : block; }
}
"""
copy = write("Copy.spl", COPY)
words = ["caf\u00e9", "\u00fcber", "plain", "na\u00efve \u00a7"]
wide = words + ["\u20ac \U0001f600", "\u4e2d\u6587"]


def data(name):
    return os.path.join(DATA, name)


def put(name, content):
    with open(data(name), "wb") as file:
        file.write(content)


def read(name):
    with open(data(name), "rb") as file:
        return file.read()


def texts(some, rows):
    pick = [(n, some[n % len(some)]) for n in range(rows)]
    return {
        "csv": "".join(f"{n},{s}\n" for n, s in pick),
        "txt": "".join(f'{{n={n},s="{s}"}}\n' for n, s in pick),
        "line": "".join(f"{s} {n}\n" for n, s in pick),
    }


def check(what, source, target, some, rows, options):
    made = texts(some, rows)
    for name, text in made.items():
        put("in." + name, text.encode(source))
    names = (f"from={source}", f"to={target}")
    out = sluice("run", copy, "--data-dir", DATA, *options, *names)
    expect(what + ": exit code", (out.returncode, out.stderr), (0, ""))
    for name, text in made.items():
        expect(f"{what}: {name}", read("out." + name) == text.encode(target), True)
    expect(what + ": block", read("out.block") == made["line"].encode(), True)


for mode, options in MODES.items():
    check(mode, "ISO-8859-1", "UTF-16LE", words, 20000, options)
for source, target in (("UTF-16", "UTF-8"), ("UTF-8", "UTF-16"), ("UTF-32BE", "GB18030")):
    check(f"{source} to {target}", source, target, wide, 30000, [])
check("no rows", "UTF-16", "UTF-32LE", wide, 0, [])

executable = os.path.join(FOLDER, "copy")
expect("built", sluice("build", copy, "-o", executable).returncode, 0)
for name, text in texts(words, 3).items():
    put("in." + name, text.encode("cp1252"))
expect("executable", os.system(f"{executable} --data-dir {DATA} from=cp1252 to=utf8"), 0)
expect("its file", read("out.csv"), texts(words, 3)["csv"].encode())

# Rows that are none in the encoding.
bad = write(
    "Bad.spl",
    """composite Bad {
  graph
    stream<int32 n, rstring s> Rows = FileSource() {
      param file : "bad"; encoding : "UTF-8"; parsing : permissive;
    }
    () as Out = FileSink(Rows) { param file : "out"; encoding : "UTF-8"; }
    stream<int32 n, rstring s> Tuples = FileSource() {
      param file : "badtxt"; format : txt; encoding : "UTF-8"; parsing : permissive;
    }
    () as Show = FileSink(Tuples) { param file : "outtxt"; format : txt; }
}
""",
)
put("bad", b'1,"a"\n2,"b\xe9c"\n3,"\xc3\xa9"\n4,"cut\xc3')
put("badtxt", b'{n=1,s="\xff"}\n{n=2,s="x"} {n=3,s="\xe2\x82"}\n{n=4,s="y"}\n')
out = sluice("run", bad, "--data-dir", DATA)
expect("bad rows", (out.returncode, read("out")), (0, b'1,"a"\n3,"\xc3\xa9"\n'))
expect("bad tuples", read("outtxt"), b'{n=2,s="x"}\n{n=4,s="y"}\n')
expect_in("bad rows", "2 bad rows left out; the first: ", out.stderr)
expect_in("bad rows", "bad:2:5: no character of encoding `UTF-8` stands here", out.stderr)

for name, content, message in (
    ("line", b"good\nb\xffd\n", "in:2:2: no character of encoding `US-ASCII` stands here"),
    ("block", b"good\nb\xffd\n", "in: byte 6 of it as UTF-8: no character of encoding"),
):
    kind = "rstring" if name == "line" else "blob"
    strict = write(
        "Strict.spl",
        f"""composite Strict {{
  graph
    stream<{kind} a> In = FileSource() {{
      param file : "in"; format : {name}; encoding : "US-ASCII"; {"blockSize : 4u;" * (name == "block")}
    }}
    () as Out = Custom(In) {{}}
}}
""",
    )
    put("in", content)
    out = sluice("run", strict, "--data-dir", DATA)
    expect(name + ": exit code", out.returncode, 1)
    expect_in(name, message, out.stderr)

# What the encoding of the sink lacks, and a file that goes on.
sink = """composite Sink {
  graph
    stream<rstring s> In = Custom() {
      logic onProcess : { submit({s = "\\u00e9"}, In); submit({s = "x\\u20ac"}, In); submit({s = "z"}, In); }
    }
    %s
    () as Out = FileSink(In) { param file : "out"; format : line; encoding : "%s"; append : %s; }
}
"""
out = sluice("run", write("Sink.spl", sink % ("", "latin1", "false")), "--data-dir", DATA)
expect("lacks: exit code", out.returncode, 1)
expect_in("lacks", "encoding `latin1` has no character U+20AC (\u20ac)", out.stderr)
expect("lacks: written before", read("out"), b"\xe9\n")
caught = write("Sink.spl", sink % ("@catch(exception = all)", "latin1", "false"))
out = sluice("run", caught, "--data-dir", DATA)
expect("caught", (out.returncode, read("out")), (0, b"\xe9\nz\n"))
appended = write("Sink.spl", sink % ("", "UTF-16", "true"))
put("out", b"")
for _ in range(2):
    expect("append", sluice("run", appended, "--data-dir", DATA).returncode, 0)
expect("append", read("out").decode("utf-16"), 2 * "\u00e9\nx\u20ac\nz\n")
out = sluice("run", copy, "--data-dir", DATA, "from=nothing", "to=utf8")
expect("unknown: exit code", out.returncode, 1)
expect_in("unknown", "there is no encoding `nothing`", out.stderr)
finish()
