# RUN: %python %s
"""Operators have the names and kinds of the source, wherever a person sees them; those that are fused
stand inside their segment, and the parts of an operator are told apart."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

write("data/rows.csv", "1\n2\n3\n")
source = write(
    "Names.spl",
    """composite Names {
  graph
    stream<int32 n> Rows = FileSource() { param file : "rows.csv"; format : csv; }
    stream<int32 n> Fed = FileSource(Names) { logic onTuple Names : printStringLn(name); param format : csv; }
    stream<rstring name> Names = Beacon() { param iterations : 1u; output Names : name = "rows.csv"; }
    stream<int32 n> All = Union(Rows; Fed) {}
    stream<int32 n> Odd = Filter(All) { param filter : n % 2 == 1; }
    stream<int32 n> Twice = Functor(Odd) { output Twice : n = n * 2; }
    stream<int32 n> Last = Aggregate(Twice) {
      window Twice : sliding, count(10), time(1.0);
      output Last : n = Max(n);
    }
    () as Print = Custom(Last) { logic state : mutable int32 c = 0; onTuple Last : c++; onPunct Last : println(c); }
}
""",
)
KINDS = {
    "Rows": "spl.adapter::FileSource",
    "Fed": "spl.adapter::FileSource",
    "Names": "spl.utility::Beacon",
    "All": "spl.utility::Union",
    "Odd": "spl.relational::Filter",
    "Twice": "spl.relational::Functor",
    "Last": "spl.relational::Aggregate",
    "Print": "spl.utility::Custom",
}


def check_labels(what, labels):
    """Every operator is there, and no two have the same text."""
    names = [re.sub(r" \(part .*", "", label) for label in labels]
    expect(what + ": operators", set(names), set(KINDS))
    expect(what + ": told apart", sorted(labels), sorted(set(labels)))


# --- explain ---
out = sluice("explain", source)
expect("explain", (out.returncode, out.stderr), (0, ""))
found = re.findall(r"^(\w+)( \(part [^)]*\))?  \(([\w.:]+), Names.spl:\d+\)$", out.stdout, re.M)
check_labels("explain", [name + part for name, part, _ in found])
for name, part, kind in found:
    expect(f"explain: kind of {name}{part}", kind, KINDS[name])
expect_in("explain: a segment", "  segment   with ", out.stdout)
expect("explain: no other operator", "Ticker" in out.stdout, False)

# --- --stats, --metrics-json, --trace ---
metrics, trace = os.path.join(FOLDER, "m.json"), os.path.join(FOLDER, "t.jsonl")
out = sluice(
    *("run", source, "--data-dir", DATA, "--stats", "--boundaries=none"),
    *("--metrics-json", metrics, "--trace", trace),
)
expect("run", out.returncode, 0)
table = out.stderr.split("total: ")[0].splitlines()[1:]
rows = [re.match(r"(  )?(\w+( \(part [^)]*\))?)", line).group(0) for line in table]
check_labels("stats", [row.strip() for row in rows])
with open(metrics, encoding="utf-8") as file:
    operators = json.load(file)["operators"]
for operator in operators:
    expect(f"metrics: kind of {operator['name']}", operator["kind"], KINDS[operator["name"]])
label = lambda o: o["name"] + (f" (part {o['part']})" if o["part"] else "")
check_labels("metrics", [label(o) for o in operators])
for index, operator in enumerate(operators):
    head = operators[operator["segmentOf"]]
    row = rows.index(("" if head is operator else "  ") + label(operator))
    if head is not operator:
        expect_in(f"stats: {label(operator)} is indented", "  " + label(operator), rows)
        above = [other for other in rows[:row] if not other.startswith(" ")]
        expect(f"stats: {label(operator)} stands behind its head", above[-1], label(head))
expect("something is fused", any(o["segmentOf"] != i for i, o in enumerate(operators)), True)
with open(trace, encoding="utf-8") as file:
    nodes = json.loads(file.readline())["graph"]["nodes"]
inside = [o for node in nodes for o in node["operators"]]
check_labels("trace", {o["name"] for o in inside} | {"Last"})
for o in inside:
    expect(f"trace: kind of {o['name']}", o["kind"], KINDS[o["name"].split(" ")[0]])
    expect(f"trace: place of {o['name']}", "Names.spl:" in o["at"], True)
names = sorted(n["name"] for n in nodes)
expect("trace: names of nodes", sorted(set(names)), names)
out = sluice("trace", "show", trace)
expect_in("trace show: what is fused", " runs ", out.stdout)

# --- failures ---
source = write(
    "Failing.spl",
    """composite Failing {
  graph
    stream<int32 n> Numbers = Beacon() { param iterations : 3u; output Numbers : n = (int32) IterationCount(); }
    stream<int32 n> Parts = Functor(Numbers) { output Parts : n = 1 / (n - 1); }
    () as Sink = Custom(Parts) { logic state : mutable int32 s = 0; onTuple Parts : s += n; }
}
""",
)
out = sluice("run", "-w", source)
expect("failing: exit code", out.returncode, 1)
expect_in("failing", "error: operator Parts: ", out.stderr)
expect("failing: no other operator", "Custom" in out.stderr, False)
finish()
