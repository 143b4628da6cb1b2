# RUN: %python %s
"""Messages say `1 tuple` and `2 tuples`."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, expect, expect_in, finish, sluice, write  # noqa: E402

NOUNS = (
    r"tuples|rows|values|elements|bytes|lines|decisions|changes|workers|queues|ports|threads"
    r"|nodes|entries|errors|operators|columns|attributes|members"
)


def says(what, part, out):
    """That the message is there, and no other has one of many."""
    text = out.stdout + out.stderr
    expect_in(what, part, text)
    expect(what + ": one of many", re.findall(rf"(?<![\w.,])1 (?:{NOUNS})\b(?!/)", text), [])


def program(name, graph, *options):
    path = write(name + ".spl", f"composite {name} {{ graph\n{graph}\n}}\n")
    return sluice("run", path, "--data-dir", DATA, *options)


SOURCE = "stream<int32 n> S = Beacon() { param iterations : %du; }\n"
SINK = "() as P = Custom(S) { logic onTuple S : println(n); }"
for count, words in ((1, "1 tuple from sources"), (2, "2 tuples from sources")):
    out = program("Stats", SOURCE % count + SINK, "--stats")
    says("--stats", words, out)
    policy = ["--boundaries=all", "--elastic=paper", "--threads=1"]
    out = program("Stats", SOURCE % count + SINK, "--stats", *policy)
    says("--stats with a policy", "at the end 1 worker, ", out)
for values, words in (("[5]", "has 1 element"), ("[5, 6]", "has 2 elements")):
    index = f"() as P = Custom(S) {{ logic onTuple S : println({values}[n + 9]); }}"
    says("an index", words, program("Index", SOURCE % 1 + index))
    text = '() as P = Custom(S) { logic onTuple S : println(substring("%s", n + 9, 1)); }'
    size = {"[5]": "a", "[5, 6]": "ab"}[values]
    out = program("Text", SOURCE % 1 + text % size)
    says("a part of a text", f"whose length is {len(size)}\n", out)
for attributes, row, words in (
    ("int32 a", "1,2", "1 value"),
    ("int32 a, int32 b", "1,2,3", "2 values"),
):
    with open(os.path.join(DATA, "rows.csv"), "w", encoding="utf-8") as file:
        file.write(row + "\n")
    graph = f'stream<{attributes}> S = FileSource() {{ param file : "rows.csv"; format : csv; }}\n'
    out = program("Rows", graph + "() as P = Custom(S) { logic onTuple S : println(S); }")
    says("a long row", f"the row has more than {words}\n", out)
for kind, words in (("boolean", "1 byte for each"), ("int32", "4 bytes for each")):
    path = write(
        "Window.spl",
        f"""composite Window {{ graph
  stream<{kind} b> S = Beacon() {{ param iterations : 1u; }}
  stream<{kind} b> L = Aggregate(S) {{
    window S : sliding, count(5), count(2);
    output L : b = Last(b);
  }}
  () as P = Custom(L) {{ logic onTuple L : println(L); }}
}}
""",
    )
    says("explain", words, sluice("explain", path))
for keys, words in (("a", "`equalityRHS`: 2, not 1 ["), ("a, b, a", "`equalityRHS`: 2, not 3 [")):
    path = write(
        "Join.spl",
        f"""composite Join_ {{ graph
  stream<int32 a, int32 b> L = Beacon() {{ param iterations : 1u; }}
  stream<int32 c, int32 d> R = Beacon() {{ param iterations : 1u; }}
  stream<int32 a, int32 c> J = Join(L; R) {{
    window L : sliding, count(1); R : sliding, count(1);
    param equalityLHS : {keys}; equalityRHS : c, d;
  }}
}}
""",
    )
    says("parameters", words, sluice("check", path))
wrong = "() as P{0} = Custom(S) {{ logic onTuple S : nowhere{0}(); }}\n"
graph = SOURCE % 1 + wrong.format(1) + wrong.format(2)
path = write("Errors.spl", "composite Errors { graph\n" + graph + "}\n")
says("errors", "1 more error is", sluice("check", path, "--error-limit=1"))
# The limit is that of the run, not of each file.
graph = graph.replace("nowhere", "elsewhere")
also = write("Also.spl", "composite Also { graph\n" + graph + "}\n")
out = sluice("check", path, also, "--error-limit=3")
expect("two files: errors shown", out.stderr.count("error: "), 3)
expect("two files: how many are not", out.stderr.count("1 more error is not shown"), 1)
expect_in("two files: the end", "2 files checked, 2 with errors\n", out.stderr)

# --- traces ---
traces = os.path.join(os.path.dirname(__file__), "..", "Inputs", "traces")
with open(os.path.join(traces, "small.jsonl"), encoding="utf-8") as file:
    lines = file.read().splitlines(keepends=True)
for count, words in ((1, "after 1 byte"), (2, "after 2 bytes")):
    cut = write("cut.jsonl", "".join(lines[:5]) + lines[5][:count])
    says("a cut trace", "is cut off " + words, sluice("trace", "show", cut))
for count, words in ((1, "1 line was lost"), (3, "3 lines were lost")):
    lost = json.dumps({"line": "lost", "time": 0.1, "lines": count, "reason": "full"}) + "\n"
    says("a lost line", words, sluice("trace", "show", write("lost.jsonl", lines[0] + lost)))
bad = json.loads(next(line for line in lines if '"sample"' in line))
bad["nodes"] = {"rows": [1]}
out = sluice("trace", "show", write("bad.jsonl", lines[0] + json.dumps(bad) + "\n"))
says("a sample of another graph", "has 1 element, and the graph 4 nodes", out)
finish()
