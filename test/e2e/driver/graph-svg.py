# RUN: %python %s
"""`sluice graph --format=svg`: it shows all operators and streams, and nothing lies on anything else
or is cut off."""

import glob
import itertools
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../examples")


def shapes(root):
    """Rectangles by class, and texts, as (x, y, width, height) in the whole drawing."""
    rects, texts = {}, []

    def visit(node, dx, dy):
        move = re.match(r"translate\(([-0-9.]+) ([-0-9.]+)\)", node.get("transform", ""))
        if move:
            dx, dy = dx + float(move.group(1)), dy + float(move.group(2))
        if node.tag == SVG + "rect":
            x, y, w, h = (float(node.get(a)) for a in ("x", "y", "width", "height"))
            rects.setdefault(node.get("class"), []).append((x + dx, y + dy, w, h))
        if node.tag == SVG + "text":
            size, text = float(node.get("font-size")), node.text or ""
            x, y = float(node.get("x")) + dx, float(node.get("y")) + dy
            texts.append((text, (x, y - 0.75 * size, 0.602 * size * len(text), 0.9 * size)))
        for child in node:
            visit(child, dx, dy)

    visit(root, 0, 0)
    return rects, texts


def overlap(a, b):
    return (
        min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) > 0.2
        and min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) > 0.2
    )


def inside(a, b):
    return (
        a[0] >= b[0] - 0.2
        and a[1] >= b[1] - 0.2
        and a[0] + a[2] <= b[0] + b[2] + 0.2
        and a[1] + a[3] <= b[1] + b[3] + 0.2
    )


def look(what, file, *options):
    """Draws it, checks the drawing, returns its text."""
    command = ["graph", file, "--format=svg", *options]
    out = sluice(*command)
    expect(what, (out.returncode, out.stderr), (0, ""))
    expect(what + ": the same again", sluice(*command).stdout, out.stdout)
    root = ET.fromstring(out.stdout)
    rects, texts = shapes(root)
    graph = json.loads(sluice("graph", file, "--format=json", *options).stdout)
    page = (0, 0, float(root.get("width")), float(root.get("height")))
    operators = rects.get("operator", []) + rects.get("source", [])
    # The legend has one of each.
    legend = ("operator" in rects) + ("source" in rects)
    expect(what + ": operators", len(operators) - legend, len(graph["operators"]))
    for box in itertools.chain(*rects.values()):
        expect(what + ": on the page", inside(box, page), True)
    for text, place in texts:
        expect(f"{what}: `{text}` is on the page", inside(place, page), True)
    for kind in ("segment", "operator", "source"):
        for a, b in itertools.combinations(rects.get(kind, []), 2):
            expect(f"{what}: two of {kind}", overlap(a, b), False)
    for (a, place), (b, other) in itertools.combinations([t for t in texts if t[0]], 2):
        expect(f"{what}: `{a}` and `{b}`", overlap(place, other), False)
    for text, place in texts:
        for box in operators:
            clear = inside(place, box) or not overlap(place, box)
            expect(f"{what}: `{text}` and an operator", clear, True)
    # All but the last, the legend's, are around all that they touch.
    for region in rects.get("region", [])[:-1]:
        for box in itertools.chain(operators, rects.get("segment", []), (p for _, p in texts)):
            clear = inside(box, region) or not overlap(box, region)
            expect(f"{what}: in a region or not", clear, True)
    names = [text for text, _ in texts]
    for operator in graph["operators"]:
        expect_in(what + ": operator", operator["name"][:30], "\n".join(names))
    titles = "\n".join(node.text for node in root.iter(SVG + "title"))
    for stream in graph["streams"]:
        whole = f"stream<{stream['type'][len('tuple<'):-1]}> {stream['name']}"
        expect_in(what + ": stream", whole, titles)
    return out.stdout, page


for file in sorted(glob.glob(os.path.join(examples, "*", "*.spl"))):
    compiling = os.path.join(os.path.dirname(file), "compile")
    options = []
    if os.path.exists(compiling):
        with open(compiling, encoding="utf-8") as lines:
            options = lines.read().replace("{}", os.path.dirname(file)).split()
    _, page = look(os.path.basename(file), file, *options)
    expect(f"{file}: no wider than a screen", page[2] < 1300, True)

regions = write(
    "Regions.spl",
    """composite Inner(input In; output Out) {
  graph
    @parallel(width = 2)
    stream<In> Twice = Custom(In) { logic onTuple In : submit(In, Twice); }
    stream<In> Out = Custom(Twice) { logic onTuple Twice : submit(Twice, Out); }
}
composite Regions {
  graph
    stream<int32 key, list<map<rstring, tuple<int32 x, float64 y>>> manyThings, rstring text> Numbers =
        Beacon() { param iterations : 10u; }
    @parallel(width = 3, partitionBy = [{port = Numbers, attributes = [key]}])
    stream<Numbers> Channels = Inner(Numbers) {}
    (stream<Numbers> Low; stream<Numbers> High as H) as Parts = Custom(Channels) {
      logic onTuple Channels : if (key < 5) submit(Channels, Low); else submit(Channels, High);
    }
    () as Sink = Custom(Low; High) { logic onTuple Low : println(Low); onTuple High : println(High); }
    () as All = Custom(Numbers, High) { logic onTuple Numbers : println(Numbers); }
}
""",
)
text, _ = look("regions", regions)
for part in ("@parallel Inner (Channels), width 3", "by key key", "parallel region, drawn once"):
    expect_in("regions", part, text)
loop = write(
    "Loop.spl",
    """composite Loop {
  graph
    stream<int32 n> Start = Beacon() { param iterations : 3u; }
    stream<int32 n> Again = Custom(Start, Back) {
      logic onTuple Start : if (n < 10) submit({n = n + 1}, Again);
    }
    stream<int32 n> Back = Custom(Again) { logic onTuple Again : submit(Again, Back); }
    () as Print = Custom(Again) { logic onTuple Again : println(Again); }
}
""",
)
text, _ = look("a loop", loop)
for part in ('class="wire back"', "closes a cycle"):
    expect_in("a loop", part, text)
queue = write(
    "Queue.spl",
    """composite Queue {
  graph
    stream<int32 n> S = Beacon() { param iterations : 3u; }
    () as P = Custom(S) { logic onTuple S : println(S); config threadedPort : queue(S, Sys.Wait, 9); }
}
""",
)
text, _ = look("a queue", queue)
for part in ('class="queue"', "always a queue", "input port 0 of P: queue"):
    expect_in("a queue", part, text)
fan = write(
    "Fan.spl",
    "composite Fan { graph\n  stream<int32 n> S = Beacon() { param iterations : 1u; }\n"
    + "".join(
        f"  () as P{i} = Custom(S) {{ logic onTuple S : println(n);"
        " config threadedPort : queue(S, Sys.Wait, 9); }\n"
        for i in range(40)
    )
    + "}\n",
)
_, page = look("a fan", fan)
expect("a fan has several rows", page[2] < 3000, True)

# --- where it goes, and as what ---
for name, begin in (("a.svg", "<svg "), ("a.json", "{\n"), ("a.dot", "digraph"), ("a", "digraph")):
    expect(name, sluice("graph", loop, "-o", name).returncode, 0)
    with open(os.path.join(FOLDER, name), encoding="utf-8") as drawn:
        expect(name, drawn.read()[: len(begin)], begin)
expect("--format wins", sluice("graph", loop, "-o", "b.svg", "--format=dot").returncode, 0)
with open(os.path.join(FOLDER, "b.svg"), encoding="utf-8") as drawn:
    expect("--format wins", drawn.read()[:7], "digraph")
finish()
