# RUN: %python %s
"""The page of sluice trace plot: it stands alone, whatever names and reasons hold."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

with open(
    os.path.join(os.path.dirname(__file__), "Inputs", "traces", "small.jsonl"), encoding="utf-8"
) as file:
    LINES = file.read().splitlines(keepends=True)
NASTY = '</script><b>"\\ %page.js% & ä'


def page(*args):
    out = sluice("trace", "plot", *args)
    expect(f"plot {args}: exit code", out.returncode, 0)
    return out


def data(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        text = file.read()
    return text, json.loads(
        re.search(r'<script type="application/json" id="trace">(.*?)</script>', text, re.S).group(1)
    )


lines = [json.loads(line) for line in LINES]
lines[0]["graph"]["nodes"][1]["name"] = NASTY
lines[2]["reason"] = NASTY
page(write("nasty.jsonl", "".join(json.dumps(line) + "\n" for line in lines)), "-o", "page.html")
text, found = data("page.html")
expect("the header is as it was", found["header"], lines[0])
expect(
    "so are all lines but samples",
    found["events"],
    [line for line in lines[1:] if line["line"] != "sample"],
)
expect(
    "samples are sums",
    found["samples"],
    {
        "time": [1, 2, 3, 4, 5, 6, 7, 8.5, 9.5],
        "length": [0.5] * 9,
        "throughput": [100000, 200000, 400000, 400000, 380000, 380000, 300000, 300000, 300000],
        "cpu": [2.4] * 9,
        "others": [0] * 9,
    },
)
# log10(1 + busy / length * 999) / 3 * 63, of 0.2, 0.6, 0.1 and 0.12
expect(
    "loads are digits",
    found["load"],
    {
        "alphabet": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_",
        "every": 1,
        "rows": ["mwgi"] * 9,
    },
)
expect("nothing is missing", found["missing"], [])
expect("nodes are in layers", found["layers"], [[0], [1], [2], [3]])
expect(
    "no network",
    [
        u
        for u in re.findall(
            r"(?:https?:)?//[\w.]+|src=|@import|url\((?!#)",
            re.sub(r"^\s*//.*$", "", text, flags=re.M).replace("http://www.w3.org/2000/svg", ""),
        )
        if not u.startswith("// ")
    ],
    [],
)

cut = write("cut.jsonl", "".join(LINES[:8])[:-9])
expect_in("what is missing is said", "warning: ", page(cut).stderr)
expect(
    "and stands in the page",
    data("cut.html")[1]["missing"][0],
    f"line 8 is cut off after {len(LINES[7]) - 9} bytes",
)
expect("a header alone is a trace", page(write("head.jsonl", LINES[0]), "-o", "-").returncode, 0)
nodes = 500
header = dict(
    lines[0],
    graph={
        "domains": 1,
        "nodes": [{"name": str(i), "domain": 0, "source": i == 0, "to": []} for i in range(nodes)],
    },
    start={"threads": 1, "queued": []},
)
sample = dict(lines[3], nodes={"rows": [1] * nodes})
page(write("long.jsonl", "".join(json.dumps(line) + "\n" for line in [header] + [sample] * 12001)))
text, found = data("long.html")
expect(
    "long traces have fewer loads",
    (found["load"]["every"], len(found["load"]["rows"]), len(found["samples"]["time"])),
    (2, 6001, 12001),
)
# 0 leads to 1, 2 and 4; 3 and 4 form a cycle behind 2; nothing leads to 5.
shape = [[1, 2, 4], [3], [3], [4], [3], []]
lines[0]["graph"]["nodes"] = [
    {"name": str(i), "domain": 0, "source": i in (0, 5), "to": to} for i, to in enumerate(shape)
]
lines[0]["start"] = {"threads": 1, "queued": []}
page(write("layers.jsonl", json.dumps(lines[0]) + "\n"))
expect("layers of a cycle", data("layers.html")[1]["layers"], [[0, 5], [1, 2], [3], [4]])
out = sluice("trace", "plot", cut, "-o", "/nonexistent/x")
expect("nowhere to write", (out.returncode, "cannot write /nonexistent/x" in out.stderr), (1, True))
finish()
