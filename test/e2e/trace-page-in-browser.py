# REQUIRES: chromium
# REQUIRES: slow
# RUN: %python %s
"""What the page of sluice trace plot shows in a browser, at any time."""

import html
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

INPUTS = os.path.join(os.path.dirname(__file__), "Inputs", "traces")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))


def browse(name, place, *options):
    return subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--window-size=1400,1500",
            f"--user-data-dir={FOLDER}/profile",
            "--virtual-time-budget=5000",
            *options,
            f"file://{FOLDER}/{name}{place}",
        ],
        capture_output=True,
        text=True,
        cwd=FOLDER,
        timeout=TIMEOUT,
    ).stdout


def shown(name, place):
    """The page's text by id, and its table's rows."""
    dom = browse(name, place, "--dump-dom")
    expect_in(f"{name}{place} has run to its end", 'data-ready="yes"', dom)
    plain = lambda part: html.unescape(re.sub("<[^>]*>", " ", part)).split()
    texts = {
        i: " ".join(plain(t))
        for i, t in re.findall(
            r'<(?:h1|p|output) id="(\w+)"[^>]*>(.*?)</(?:h1|p|output)>', dom, re.S
        )
    }
    rows = [
        (" ".join(plain(r)), "on" in c)
        for c, r in re.findall(r"<tr([^>]*)>(.*?)</tr>", dom.split('id="rows"')[1], re.S)
    ]
    return texts, rows, dom


def plot(name, lines):
    write(name + ".jsonl", "".join(lines))
    expect(name, sluice("trace", "plot", name + ".jsonl").returncode, 0)
    return name + ".html"


with open(os.path.join(INPUTS, "small.jsonl"), encoding="utf-8") as file:
    LINES = file.read().splitlines(keepends=True)
page = plot("small", LINES)
USED = ", 2.40 processors, others 0.00"
texts, rows, dom = shown(page, "#t=2.5")
expect("title", texts["title"], "demo::Main")
expect(
    "facts",
    texts["facts"],
    "policy paper · a test · 4 hardware threads · 1 source, 3 nodes, 2 boundaries that may be"
    " queues · 2023-11-14 22:13",
)
expect(
    "what happened",
    texts["summary"],
    "The load changed once in 10.00 s. Until 5.00 s it had 2 workers and 2 queues, 400 k rows/s."
    " Since then: It chose 4 workers and 1 queue,"
    " 300 k rows/s, settled after 0.50 s. That was 21 % slower than when the load changed"
    " (2 workers and 2 queues).",
)
expect_in("words explain themselves", 'data-word="settled" title="The policy has chosen', dom)
expect("every word is known", "undefined" in dom.split("</main>")[0].split("<main>")[1], False)
expect("the time of the address", texts["now"], "2.50 s: 400 k rows/s, 2 workers, 2 queues" + USED)
expect(
    "decisions that change something, and what else happened",
    [r for r, _ in rows],
    [
        "0.00 s try workers 2 more workers",
        "1.00 s try queue Work the heaviest throughput 100 k",
        "2.00 s accept better throughput 200 k, best throughput 100 k",
        "3.00 s settled nothing more to try",
        "5.00 s load-change slower",
        "6.00 s undo workers 3; call Work it was better",
        "8.00 s pause adaptation is switched off",
        "9.00 s resume adaptation is switched on",
        "9.50 s settled good",
        "10.00 s final the program ended",
    ],
)
expect(
    "the decision of that time is marked",
    [r for r, on in rows if on],
    ["2.00 s accept better throughput 200 k, best throughput 100 k"],
)
for part in (
    "until it settled",
    ">3.00 s<",
    ">0.50 s<",
    "settled 3.00 s after start",
    "load change",
    ">2.2 M<",
):
    expect_in("a tile or a mark", part, dom)
for at, now in (
    (0, "0.00 s: 100 k rows/s, 1 worker, 1 queue"),
    (1.05, "1.05 s: 200 k rows/s, 2 workers, 1 queue"),
    (6.2, "6.20 s: 300 k rows/s, 3 workers, 1 queue"),
    (99, "10.00 s: 300 k rows/s, 4 workers, 1 queue"),
):
    expect(f"at {at} s", shown(page, f"#t={at}")[0]["now"], now + USED)

# Buttons, keys, mouse and search, by a script behind the page's own.
SCRIPT = """<script>
const seen = [], note = what => seen.push(what + ": " + $("now").textContent.split(":")[0] + " of " + $("slider").min + " to " + $("slider").max);
const point = (target, type, x, y, more) => target.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: target.getBoundingClientRect().x + x, clientY: target.getBoundingClientRect().y + y, pointerId: 1, buttons: 1, ...more }));
SVGElement.prototype.setPointerCapture = HTMLElement.prototype.setPointerCapture = () => {};
setTime(0); note("begin");
$("next").click(); note("after"); $("next").click(); note("after"); $("back").click(); note("before");
dispatchEvent(new KeyboardEvent("keydown", { key: "n" })); note("key n");
$("slider").value = 4; $("slider").oninput({ target: $("slider") }); note("slider");
$("rows").rows[5].click(); note("row");
$("all").click(); seen.push($("rows").rows.length + " rows"); $("all").click(); seen.push($("rows").rows.length + " rows");
setView(2, 4); note("zoom"); setTime(3); setView(0, 5); $("whole").click(); note("whole"); $("settling").click(); note("settling"); $("whole").click();
point($("charts"), "pointerdown", 62, 100); note("click at the left edge");
$("find").value = "wor"; $("find").oninput({ target: $("find") }); seen.push($("node").textContent);
const [px, py] = plan.position[3];
setTime(2.5); point(canvas, "pointermove", px + 15, py + 12, { buttons: 0 }); seen.push($("node").textContent);
canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -1, cancelable: true })); seen.push(zoom.k > 1 ? "closer" : "no closer"); $("fit").click(); seen.push(zoom.k);
const pixel = (x, y) => [...ctx.getImageData((x + 15) * devicePixelRatio, (y + 12) * devicePixelRatio, 1, 1).data].join();
const [wx, wy] = plan.position[1], bar = wx - plan.cw * 0.42 + 5;
setTime(0.9); const call = pixel(bar, wy); setTime(2.5); const queue = pixel(bar, wy); seen.push(call == queue ? "a queue looks like a call" : "a queue is drawn");
$("play").click(); const playing = timer !== undefined; $("play").click(); seen.push(playing && timer === undefined ? "plays and stops" : "does not play");
document.body.dataset.seen = JSON.stringify(seen);
</script></body>"""
with open(os.path.join(FOLDER, page), encoding="utf-8") as file:
    scripted = write("scripted.html", file.read().replace("</body>", SCRIPT))
dom = browse("scripted.html", "", "--dump-dom")
found = re.search(r'data-seen="([^"]*)"', dom)
seen = json.loads(html.unescape(found.group(1))) if found else []
expect(
    "what a person does",
    seen,
    [
        "begin: 0.00 s of 0 to 10",
        "after: 0.50 s of 0 to 10",
        "after: 1.10 s of 0 to 10",
        "before: 0.50 s of 0 to 10",
        "key n: 1.10 s of 0 to 10",
        "slider: 4.00 s of 0 to 10",
        "row: 6.10 s of 0 to 10",
        "12 rows",
        "10 rows",
        "zoom: 6.10 s of 2 to 4",
        "whole: 3.00 s of 0 to 10",
        "settling: 3.00 s of 0 to 3.75",
        "click at the left edge: 0.00 s of 0 to 10",
        (
            "Work · a call now, may be a queue · domain 1 · 1 of at most 4 workers at once · busy"
            " about 58 % of a thread · leads to Filter"
        ),
        "Sink:1 · always a queue · domain 3 · busy about 12 % of a thread",
        "closer",
        1,
        "a queue is drawn",
        "plays and stops",
    ],
)

# --- what is fused, and a phone ---
PHONE = """<body style="margin:0">
<iframe id="phone" src="%s" style="width:390px;height:844px;border:0"></iframe>
<script>onload = () => {
  const d = phone.contentDocument;
  for (const s of d.querySelectorAll("summary")) s.click();
  const listed = d.querySelector("#nodes").innerText.trim().split("\\n");
  document.body.dataset.seen = JSON.stringify([d.scrollingElement.scrollWidth <= 390, listed]);
}</script>"""
LONG = "AVeryLongNameOfAnOperator.InAComposite.ThatNoPhoneShowsOnOneLine"
header = json.loads(LINES[0])
header["version"] = 2
del header["graph"]["nodes"][0]["at"]
header["graph"]["nodes"][1]["operators"] = [
    {"name": "Work", "kind": "spl.utility::Custom", "at": "app.spl:5:5"},
    {"name": LONG, "kind": "spl.relational::Functor"},
]
name = plot("fused", [json.dumps(header) + "\n"] + LINES[1:])
write("phone.html", PHONE % name)
dom = browse("phone.html", "", "--dump-dom", "--allow-file-access-from-files")
found = re.search(r'data-seen="([^"]*)"', dom)
expect(
    "a phone need not scroll sideways, and lists what is fused",
    json.loads(html.unescape(found.group(1))) if found else None,
    [
        True,
        [
            "Nodes and their operators",
            "Source",
            "Work (spl.utility::Custom, app.spl:5:5)",
            LONG + " (spl.relational::Functor)",
            "Filter",
            "Sink:1",
        ],
    ],
)

# --- branches in a window of 900 pixels: none looks like a chain ---
TO = [[1, 2], [3], [3], [4, 5], [6], [6], [7, 8], [9], [9], [10], [11], []]
header = json.loads(LINES[0])
header["graph"] = {
    "domains": len(TO),
    "nodes": [
        {"name": chr(65 + i), "domain": i, "source": i == 0, "changeable": i > 0, "to": to}
        for i, to in enumerate(TO)
    ],
}
header["start"] = {"threads": 1, "queued": [3, 6]}
AROUND = """<body style="margin:0"><iframe id="page" src="%s" style="width:900px;height:1500px"></iframe>
<script>onload = () => {
  const w = page.contentWindow, [{ position, around }, edges] = w.eval("[plan, edges]");
  // An edge that is drawn straight on meets no other node.
  const meets = ([a, b], n) => n != a && n != b && Math.abs(position[a][0] - position[b][0]) < 3 &&
    Math.abs(position[n][0] - position[a][0]) < 3 &&
    (position[n][1] - position[a][1]) * (position[n][1] - position[b][1]) < 0;
  const wrong = edges.filter((e, i) => !around.has(i) && position.some((_, n) => meets(e, n)));
  document.body.dataset.seen = JSON.stringify([around.size > 0, wrong]);
}</script>"""
write("around.html", AROUND % plot("branches", [json.dumps(header) + "\n", LINES[1]]))
dom = browse("around.html", "", "--dump-dom", "--allow-file-access-from-files")
found = re.search(r'data-seen="([^"]*)"', dom)
seen = json.loads(html.unescape(found.group(1))) if found else None
expect("edges go around what stands between", seen, [True, []])

header = json.loads(LINES[0])
header["graph"]["nodes"][1]["name"] = "</script><b>bold"
_, rows, _ = shown(plot("nasty", [json.dumps(header) + "\n"] + LINES[1:]), "")
expect(
    "names are text", rows[1][0], "1.00 s try queue </script><b>bold the heaviest throughput 100 k"
)
texts, rows, _ = shown(plot("cut", ["".join(LINES[:6])[:-9]]), "")
expect_in("what is missing", "Not all is here: line 6 is cut off after ", texts["missing"])
shown(plot("head", LINES[:1]), "")
nodes = 2305
header["graph"] = {
    "domains": 1,
    "nodes": [
        {
            "name": str(i),
            "domain": 0,
            "source": i == 0,
            "changeable": i > 0,
            "to": [(i * 7 + 1) % nodes],
        }
        for i in range(nodes)
    ],
}
header["start"] = {"threads": 1, "queued": list(range(1, nodes, 3))}
texts, _, _ = shown(plot("large", [json.dumps(header) + "\n", LINES[1]]), "")
expect("a large graph with cycles", texts["now"].split(": ")[1], "no sample, 1 worker, 768 queues")
browse(page, "", "--screenshot=page.png")
with open(os.path.join(FOLDER, "page.png"), "rb") as file:
    expect("a picture with something on it", len(file.read()) > 30000, True)
finish()
