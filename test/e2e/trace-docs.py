# RUN: %python %s
"""docs/traces.md names exactly the lines and members that there are, and what it shows is so."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

HERE = os.path.dirname(__file__)
with open(os.path.join(HERE, "..", "..", "docs", "traces.md"), encoding="utf-8") as file:
    DOC = file.read()
with open(os.path.join(HERE, "Inputs", "traces", "small.jsonl"), encoding="utf-8") as file:
    LINES = file.read().splitlines(keepends=True)

# --- lines and members ---
documented = {}
for kind, section in re.findall(r"^### `([\w-]+)`\n(.*?)(?=^###|\Z)", DOC, re.M | re.S):
    found = [part for part in section.strip().split("\n\n") if part.startswith("|")]
    documented[kind] = [
        set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[^|]*) \|", table, re.M))))
        for table in found
    ]

seen = {}
inner = {
    "node": set(),
    "machine": set(),
    "start": set(),
    "arrays": set(),
    "kinds": set(),
    "since": set(),
    "flow operators": set(),
    "flow streams": set(),
    "operators": set(),
    "boundaries": set(),
}


def look(lines):
    for text in lines:
        line = json.loads(text)
        kind = line.pop("line")
        seen.setdefault(kind, set()).update(line)
        if kind == "header":
            for node in line["graph"]["nodes"]:
                inner["node"].update(node)
            inner["machine"].update(line["machine"])
            inner["start"].update(line["start"])
            for part in line.get("flow", {}):
                for one in line["flow"][part]:
                    inner["flow " + part].update(one)
        elif kind == "figures":
            for part in ("operators", "boundaries"):
                inner[part].update(line[part])
        elif kind == "sample":
            inner["arrays"].update(line["nodes"])
        elif kind == "decision":
            inner["kinds"].add(line["kind"])
        elif kind == "settled":
            inner["since"].add(line["since"])


# What our own runs write, and the rest from the test's trace and some lines that are rare.
look(LINES)
look(
    [
        '{"line":"lost","time":1,"lines":2,"reason":"x"}',
        '{"line":"resume","time":1,"start":{"threads":1,"queued":[],"widths":[[1,2]]}}',
        '{"line":"switch","time":1,"widths":[[1,2]]}',
    ]
)
rare = json.loads(LINES[0])
rare["start"]["widths"] = [[1, 2]]
rare_decision = dict(json.loads(LINES[1]), widths=[[1, 2]])
rare_sample = dict(
    json.loads(LINES[3]),
    nodes={
        "rows": [1] * 4,
        "batches": [1] * 4,
        "bytes": [1] * 4,
        "queued": [1] * 4,
        "busy": [1] * 4,
        "blocked": [1] * 4,
        "depth": [1] * 4,
        "waited": [1] * 4,
    },
)
look([json.dumps(rare), json.dumps(rare_decision), json.dumps(rare_sample)])
rare_figures = {
    "line": "figures",
    "time": 1,
    "operators": {name: [1, 1] for name in ("in", "out", "cpu", "waited", "estimate")},
    "boundaries": {
        name: [1] for name in ("port", "queue", "width", "depth", "room", "blocked")
    },
    "threads": [{"thread": "worker 0", "state": "space", "operator": 0, "since": 0.5}],
    "leftOut": [{"operator": 0, "name": "late", "count": 1}],
    "metrics": [{"operator": 0, "name": "seen", "count": 1}],
    "links": [{"operator": 0, "pe": 1, "sends": True, "tuples": 1, "bytes": 1, "waited": 0}],
    "latency": [0.1, 0.2],
    "cpu": 1,
    "others": 0,
    "memory": 1,
    "memoryLimit": 1,
    "cpus": 2,
    "workers": 1,
    "mostWorkers": 2,
    "busy": 1,
    "limit": {"kind": "operator", "operator": 0, "text": "Work limits it"},
}
rare["pe"] = rare["process"] = 1
rare["flow"] = {
    "operators": [
        {
            "name": "Work",
            "kind": "Custom",
            "at": "a.spl:1:1",
            "part": "ticker",
            "group": "Work",
            "segment": 0,
            "source": True,
            "daemon": True,
            "elsewhere": True,
        }
    ],
    "streams": [{"from": 0, "to": 0, "port": 0, "boundary": "queue", "why": "it closes a loop"}],
}
look([json.dumps(rare), json.dumps(rare_figures)])
all_kinds = (
    [rare, rare_decision, rare_sample]
    + [json.loads(line) for line in LINES[1:-1]]
    + [
        {"line": "lost", "time": 9, "lines": 2, "reason": "x"},
        rare_figures,
        {"line": "resume", "time": 9, "start": rare["start"]},
        {"line": "switch", "time": 9, "widths": [[1, 2]]},
        json.loads(LINES[-1]),
    ]
)
whole = write("whole.jsonl", "".join(json.dumps(line) + "\n" for line in all_kinds))
expect("the reader takes all of them", sluice("trace", "show", whole).returncode, 0)
source = write(
    "Main.spl",
    """composite Main {
  graph
    stream<int64 n> Numbers = Beacon() { param iterations : 200u; period : 0.002; output Numbers : n = (int64) IterationCount(); }
    () as Sink = Custom(Numbers) { logic state : mutable int64 s = 0l; onTuple Numbers : s += n; onPunct Numbers : println(s); }
}
""",
)
before = sum(os.times()[2:4])  # of child processes
out = sluice(
    "run",
    source,
    "-O3",
    "--boundaries=all",
    "--elastic=paper",
    "--elastic-option",
    "period=0.01",
    "--trace",
    os.path.join(FOLDER, "app.jsonl"),
)
spent = sum(os.times()[2:4]) - before
expect("a run", (out.returncode, out.stderr), (0, ""))
with open(os.path.join(FOLDER, "app.jsonl"), encoding="utf-8") as file:
    real = file.read().splitlines()
look(real)
header = json.loads(real[0])
expect("the version", (header["version"], "`version` is 3." in DOC), (3, True))
expect("kinds of lines", set(documented), set(seen))
for kind, members in seen.items():
    expect(f"members of {kind}", documented.get(kind, [set()])[0], members)
expect("members of nodes", documented["header"][1], inner["node"])
expect("arrays of a sample", documented["sample"][1], inner["arrays"])
expect("members of machine and start", documented["header"][2], inner["machine"] | inner["start"])
flow = [inner["flow operators"], inner["flow streams"]]
expect("members of flow", documented["header"][3:5], flow)
expect("arrays of figures", documented["figures"][1:3], [inner["operators"], inner["boundaries"]])
kinds = {"wait", "try", "accept", "undo", "load-change", "settled"}
expect(
    "kinds of decisions",
    set(
        re.findall(
            r"^\* `([\w-]+)`: ", DOC[DOC.index("### `decision`") : DOC.index("### `switch`")], re.M
        )
    ),
    kinds,
)
expect("no others", inner["kinds"] - kinds, set())
expect("since", inner["since"] - {"start", "load-change", "resume"}, set())

# --- the arithmetic that is claimed ---
lines = [json.loads(line) for line in real]
final = lines[-1]
expect("the last line", final["line"], "final")
expect("rows of the run", final["rows"], 200)
expect("the compiler's time is left out", final["cpu"] < 0.7 * spent, True)
for kind in ("sample", "decision"):
    expect(f"{kind} lines", final[kind + "s"], sum(line["line"] == kind for line in lines))
expect(
    "an element for each node",
    {len(a) for line in lines if line["line"] == "sample" for a in line["nodes"].values()},
    {len(header["graph"]["nodes"])},
)
expect("the file", os.path.basename(header["source"]), "Main.spl")
expect(
    "options",
    header["options"],
    [
        "--elastic=paper",
        "--elastic-option=period=0.01",
        "--trace=" + os.path.join(FOLDER, "app.jsonl"),
    ],
)
expect(
    "with --elastic=off",
    sluice("run", source, "--elastic=off", "--trace", os.path.join(FOLDER, "off.jsonl")).returncode,
    0,
)
with open(os.path.join(FOLDER, "off.jsonl"), encoding="utf-8") as file:
    off = [json.loads(line) for line in file]
rest = {line["line"] for line in off} - {"header", "sample", "figures", "final"}
expect("only measurements", rest, set())
expect(
    "that no policy saw",
    [line for line in off if line["line"] == "sample" and line.get("used", True)],
    [],
)

# --- what it shows ---
out = sluice("trace", "show", write("small.jsonl", "".join(LINES)), "--columns=100")
example = DOC[DOC.index("    throughput  ") : DOC.index("Read such a line")]
for line in filter(None, (line.strip() for line in example.splitlines())):
    expect_in("the example of show", line, out.stdout)
for command in re.findall(
    r"^\| `sluice trace (\w+) (TRACE(?: TRACE)?)(?: -o (\S+))?` \|", DOC, re.M
):
    words = [os.path.join(FOLDER, "app.jsonl")] * command[1].count("TRACE") + (
        ["-o", command[2]] if command[2] else []
    )
    expect(f"sluice trace {command[0]}", sluice("trace", command[0], *words).returncode, 0)
expect(
    "all commands are there",
    sorted(re.findall(r"^  trace (\w+)", sluice("trace", "--help").stdout, re.M)),
    sorted(re.findall(r"^\| `sluice trace (\w+)", DOC, re.M)),
)
unwritable = sluice("run", source, "--elastic=paper", "--trace", "/dev/full")
if os.path.exists("/dev/full"):
    expect(
        "a full disk",
        (unwritable.returncode, unwritable.stderr.count("tracing ends, the program goes on")),
        (0, 1),
    )
finish()
