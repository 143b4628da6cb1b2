# RUN: %python %s
"""What a run-time error names: the key that a map lacks, where abort() was called, the limit."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import expect, expect_in, finish, sluice, write  # noqa: E402


def run(code, *options):
    source = write(
        "Main.spl",
        f"""composite Main {{
  graph
    stream<int32 n> S = Beacon() {{ param iterations : 1u; output S : n = 7; }}
    () as Sink = Custom(S) {{
      logic onTuple S : {{
        {code}
      }}
    }}
}}
""",
    )
    return sluice("run", source, *options)


def key(what, of, literal, named):
    out = run(f"map<{of}, int32> m = {{}}; println(m[{literal}]);")
    expect(what, (out.returncode, out.stdout), (1, ""))
    expect_in(what, f"Main.spl:6:{out.stderr.split(':')[3]}: error: operator Sink: ", out.stderr)
    expect_in(what, f"the map has no key {named}\n", out.stderr)


key("a number", "int32", "n + 1", "8")
key("a string", "rstring", '"a\\"b" + (rstring) n', '"a\\"b7"')
key("a list", "list<int32>", "[1, n]", "[1,7]")
key("a tuple", "tuple<int32 a, rstring b>", '{a = n, b = "x"}', '{a=7,b="x"}')
key("an enumerator", "enum{red, green}", "green", "green")
# A pattern in words, not as the library names what is wrong with it.
for pattern, reason in (("[z-a]", "invalid range"), ("(x", "mismatched paren")):
    out = run(
        f'ustring p = (ustring) ("{pattern}" + (n > 9 ? "x" : "")); println(regexMatch("a"u, p));'
    )
    expect_in(pattern, f"operator Sink: bad regular expression '{pattern}': {reason}\n", out.stderr)

key("a long one", "rstring", '"' + "x" * 200 + '"', '"' + "x" * 79 + "...")
key("cut between characters", "rstring", '"' + "é" * 100 + '"', '"' + "é" * 39 + "...")

for options in ([], ["--deterministic"], ["-O0"]):
    out = run('printStringLn("before"); abort(); printStringLn("behind");', *options)
    expect(f"abort {options}", (out.returncode, out.stdout), (1, "before\n"))
    expect_in("abort", "Main: ", out.stderr)
    expect_in("abort", "Main.spl:6:34: error: operator Sink: abort() was called\n", out.stderr)

out = run("println(n);", "--memory-limit=1")
expect("no room to begin", (out.returncode, out.stdout), (1, ""))
expect_in("no room to begin", "Main: error: out of memory: ", out.stderr)
expect_in("no room to begin", "the limit is 1 byte (--memory-limit)\n", out.stderr)
out = run(
    "mutable list<int32> l = []; while (true) appendM(l, n);", "--memory-limit=40M", "--elastic=off"
)
expect("a list without end", out.returncode, 1)
expect_in("a list without end", "the limit is 40 MiB (--memory-limit)", out.stderr)
expect("no window", "window" in out.stderr, False)

out = run('rstring day = n > 0 ? "2024-01-01" : ""; println((timestamp) day);')
expect("a date", out.returncode, 1)
expect_in(
    "a date",
    'cannot convert "2024-01-01" to timestamp, whose text is (seconds,nanoseconds,machine): '
    "`toTimestamp` reads dates\n",
    out.stderr,
)

URL = """composite Main {
  graph
    stream<rstring s> A = FileSource() { param file : "%s"; format : line; }
    () as Sink = FileSink(A) { param file : "%s"; }
}
"""
for source, sink in (("http://example.org/a.csv", "/dev/null"), ("/dev/null", "s3://bucket/a")):
    out = sluice("run", write("Main.spl", URL % (source, sink)))
    expect("a URL", (out.returncode, out.stdout), (1, ""))
    expect_in("a URL", "No such file or directory (a file is meant here, not a URL)", out.stderr)
out = sluice("run", write("Main.spl", URL % ("nothing.csv", "/dev/null")))
expect("no URL", "URL" in out.stderr, False)
finish()
