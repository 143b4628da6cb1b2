# REQUIRES: chromium
# REQUIRES: slow
# RUN: %python %s
"""The page of the console in a browser: a finished run, a large one, and a program that runs."""

import os
import time

from Inputs.chromium import Page
from Inputs.madetrace import large, small
from Inputs.support import expect, expect_in, finish, sluice, write
from Inputs.watching import Program

SOURCE = os.path.join(os.path.dirname(__file__), "..", "Inputs", "pipeline.spl")
SHOTS = os.environ.get("SLUICE_SCREENSHOTS")  # a folder: pictures are kept there

# The least contrast of a text colour to the backgrounds that it stands on.
CONTRAST = """(() => {
  const style = getComputedStyle(document.documentElement), value = n => style.getPropertyValue("--" + n).trim();
  const light = hex => { const h = hex.length == 4 ? [...hex.slice(1)].map(c => c + c) : hex.match(/[0-9a-f]{2}/gi);
    const [r, g, b] = h.map(x => parseInt(x, 16) / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => { const [x, y] = [light(value(a)), light(value(b))].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  return Math.min(...["ink", "soft", "cause", "wait"].flatMap(t => ["bg", "card"].map(b => ratio(t, b))), ratio("on4", "c4"),
    ...["c0", "c1", "c2", "c3"].map(b => ratio("ink", b)));
})()"""
# Where a box stands in the window.
PLACE = """(name => { const i = view.folded.boxes.findIndex(b => b.name == name), r = canvas.getBoundingClientRect();
  return [r.x + view.ox + (view.place.x[i] + 40) * view.k, r.y + view.oy + (view.place.y[i] + 25) * view.k]; })"""
EDGE = """(i => { const { mx, my } = curve(view.folded.edges[i]), r = canvas.getBoundingClientRect();
  return [r.x + view.ox + mx * view.k, r.y + view.oy + my * view.k]; })"""


QUEUED = """view.folded.edges.findIndex(e => e.streams.some(
  s => run.changes.get(run.streams[s].port)?.queue))"""
TIP = 'document.getElementById("tip").textContent'
MARKUP = "<img src=x onerror=alert(1)>"


def shot(page, name):
    if SHOTS:
        page.screenshot(os.path.join(SHOTS, name + ".png"))


def text_of(page, what):
    return page.value(f'document.getElementById("{what}").textContent')


def shown(page, what):
    return page.value(f'document.querySelector("{what}").innerText')


def boxes(page):
    return page.value("view.folded.boxes.map(b => b.name)")


def says(text, *parts):
    for part in parts:
        expect_in("the page says", part, text)


def click(page, x, y):
    for kind, buttons in (("mousePressed", 1), ("mouseReleased", 0)):
        page.mouse(kind, x, y, button="left", buttons=buttons, clickCount=1)


def by_mouse(page):
    """A stream says whether it is a queue, and why; a click chooses a box."""
    page.mouse("mouseMoved", *page.value(EDGE + "(0)"))
    says(
        page.value(TIP),
        "a queue, 61 of 64 batches, producers wait 62 %",
        "may be a queue or a call",
        "became a queue at 00:05",
        "try: rows from Read rose",
    )
    click(page, *page.value(PLACE + '("Work")'))
    expect_in("channels", "60 %, 95 %", shown(page, "aside"))


def by_keys(page):
    """All of it without a mouse."""
    page.value('document.getElementById("graph").focus()')
    page.press("ArrowLeft")
    says(text_of(page, "told"), "Read, Beacon, 48 k/s, 10 % of a processor, waits 62 %")
    page.press("ArrowRight")
    says(text_of(page, "told"), "Work, Custom, 48 k/s, 155 %", "limits the program, folded")
    page.press("Enter")
    expect("unfolded", boxes(page), ["Read", "Work[0]", "Work[1]", MARKUP])
    page.press("Enter")
    expect("folded", boxes(page), ["Read", "Work", MARKUP])
    page.press("t")
    says(shown(page, "#drawer"), "source Read\tWork[0]\twaits for space since 500 ms")
    page.press("o")
    says(shown(page, "#drawer"), "Work[1]\tCustom\t24 k/s\t24 k/s\t95 %")
    page.press("o")
    for _ in range(2):
        page.press("p")
    expect_in("looking back", "how it was at 00:1", text_of(page, "banner"))
    page.press("l")
    expect("live again", page.value('document.getElementById("banner").hidden'), True)
    page.press("/")
    expect("find has the focus", page.value("document.activeElement.id"), "find")
    page.call("Input.insertText", text="img")
    expect_in("found", MARKUP + ", Custom", text_of(page, "told"))
    page.press("Escape")


def for_all(page):
    """Names of controls, contrast, colours that some do not tell apart, small windows."""
    roles = ("button", "searchbox", "textbox", "application", "img")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    controls = [n for n in nodes if n.get("role", {}).get("value") in roles]
    unnamed = [n["role"]["value"] for n in controls if not n.get("name", {}).get("value")]
    expect("every control has a name", (unnamed, len(controls) > 6), ([], True))
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.call("Emulation.setEmulatedMedia", features=[feature])
        expect(f"contrast, {scheme}", page.value(CONTRAST) >= 4.5, True)
        page.value("draw()")
        shot(page, "small-" + scheme)
    page.call("Emulation.setEmulatedMedia", features=[])
    page.call("Emulation.setEmulatedVisionDeficiency", type="deuteranopia")
    page.value("draw()")
    shot(page, "small-deuteranopia")
    page.call("Emulation.setEmulatedVisionDeficiency", type="none")
    for width, height in ((900, 900), (390, 844)):
        page.resize(width, height)
        page.until(f"innerWidth == {width}")
        expect(f"at {width}", page.value("document.scrollingElement.scrollWidth"), width)
        page.value("scrollTo(0, 0); draw()")
        shot(page, f"small-{width}")


def finished():
    trace = write("small.jsonl", small())
    with Program("sluice", "console", trace) as console, Page(console.where("console")) as page:
        page.until("document.body.dataset.drawn")
        says(
            page.value("document.body.innerText"),
            "demo::Main",
            "ended",
            "48 k/s from sources. Work limits it: its 2 channels fill 1.9 of 4 processors",
            "left out or failed",
            "queue before Work[0]; 2 workers",
            "rows from Read rose",
            "<b>better</b>",
        )
        expect("the region is a pile", boxes(page), ["Read", "Work", MARKUP])
        by_mouse(page)
        by_keys(page)
        expect("markup is text", page.value('document.querySelectorAll("img").length'), 0)
        for_all(page)
        expect("times of a later process", page.value(LATER), [0, 1, 6, 6, 6, 6, "try: "])
        in_order(page)
        own = (page.value("location.origin"), "data:", "about:")
        expect("no other request", [r for r in page.requests if not r.startswith(own)], [])
        expect("no problem", page.problems, [])


def in_order(page):
    """Fetches at once ask one after the other: no line comes twice."""
    twice = """(async () => { const before = run.events.length; next = 0;
      await Promise.all([fetchLines(), fetchLines(), fetchLines()]);
      return [before, run.events.length - before]; })()"""
    before, more = page.value(twice)
    expect("each line once", (more, before > 1), (before, True))


# A second process that began five seconds after the first one: what its lines of the time 1 say.
LATER = """(() => {
  const made = new Run(), pe = 1, graph = {nodes: [{name: "Sink"}]}, time = 1;
  const flow = {operators: [{name: "Read"}, {name: "Sink"}], streams: [{from: 0, to: 1, port: 0}]};
  for (const line of [{line: "header", pe: 0, started: 100, graph, flow},
                      {line: "header", pe, started: 105, graph, flow},
                      {line: "decision", pe, time, kind: "try", reason: "", queue: [0]},
                      {line: "switch", pe, time, queue: [0]},
                      {line: "settled", pe, time, throughput: 7},
                      {line: "tap", pe, time, port: 0, tuples: ["{}"]}]) made.append(line);
  return [...[5.9, 6].map(t => tuplesUntil(made, 0, t).length), ...made.events.map(e => e.t),
          made.settled, made.changes.get(0).t, made.changes.get(0).why]; })()"""


def many():
    """2,305 operators."""
    trace = write("large.jsonl", large())
    with Program("sluice", "console", trace) as console, Page(console.where("console")) as page:
        page.until("document.body.dataset.drawn")
        expect("folded by itself", len(boxes(page)), 49)
        shot(page, "large")
        page.value("for (const b of view.folded.boxes) view.open.add(b.key); layOut(run); draw()")
        expect("open", len(boxes(page)), 2305)
        shot(page, "large-open")
        for _ in range(5):  # others may have the processors for a moment
            took = sorted(float(page.value("draw(); document.body.dataset.took")) for _ in range(9))
            print("2,305 boxes drawn in ms, at best and in the middle:", took[0], took[4])
            if took[0] <= 50:
                break
            time.sleep(2)
        expect("in 50 ms, unless others have the processors", took[0] <= 50, True)
        expect("no problem", page.problems, [])


def tuples(page):
    """A tap, by keys: tuples come, and stop."""
    page.value('choose(view.folded.boxes.findIndex(b => b.name == "Sink"))')
    name = page.until('document.querySelector("#taps button")?.getAttribute("aria-label")')
    expect("the button says which", name, "Tap Heavy to Sink")
    page.value('document.querySelector("#taps button").focus()')
    page.press("Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.until('document.querySelectorAll("#taps li").length > 3')
    says(text_of(page, "taps"), "Stop Heavy to Sink", "{n=")
    expect("the button keeps the focus", page.value("document.activeElement.textContent"), "Stop")
    page.press("Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.until('document.querySelector("#taps button").textContent == "Tap"')


def pes():
    """Several processes in one page: each has a frame, and is a box when it is folded."""
    command = ["sluice", "run", SOURCE, "-O1", "--pes=2", "--console", "--stop-timeout=1s"]
    with Program(*command) as program, Page(program.where("console")) as page:
        page.until("view.place?.frames.length == 2 && run.moments.length > 3")
        expect("an operator is in one PE", boxes(page), ["Numbers", "Heavy", "Sink"])
        inside = """view.folded.boxes.every((b, i) => { const f = view.place.frames.find(f => f.pe == b.pe);
          const x = view.place.x[i] - f.x, y = view.place.y[i] - f.y;
          return x > 0 && y > 0 && x + BOX_W < f.w && y + BOX_H < f.h; })"""
        expect("boxes are in their frames", page.value(inside), True)
        between = """view.folded.edges.some(
          e => view.folded.boxes[e.a].pe != view.folded.boxes[e.b].pe)"""
        expect("a stream leads from one to the other", page.value(between), True)
        title = """(() => { const f = view.place.frames[1], r = canvas.getBoundingClientRect();
          return [r.x + view.ox + (f.x + 12) * view.k, r.y + view.oy + (f.y + 8) * view.k]; })()"""
        page.mouse("mouseMoved", *page.value(title))
        says(page.until(TIP), "PE ", " processors, ", " MB, ")
        shot(page, "pes")
        page.value('document.getElementById("graph").focus(); choose(0)')
        says(text_of(page, "told"), ", in PE 0")
        page.press("f")
        expect("folded", page.value('view.folded.boxes.some(b => b.kind == "p")'), True)
        says(text_of(page, "told"), "PE 0, ", "operator", ", folded")
        page.press("Enter")
        expect("unfolded", boxes(page), ["Numbers", "Heavy", "Sink"])
        program.end()
        expect("no problem", [p for p in page.problems if "ERR_CONNECTION" not in p], [])


def running():
    """A boundary becomes a queue, and says why."""
    command = ["sluice", "run", SOURCE, "-O1", "--boundaries=all", "--threads=2", "--console"]
    command += ["--elastic=paper", "--elastic-option=period=0.5", "--console-allow=tap"]
    with Program(*command) as program, Page(program.where("console")) as page:
        page.until("run.moments.length > 3")
        expect_in("running", "running", text_of(page, "state"))
        page.until("run.moments.at(-1).rate > 0")
        page.until("[...run.changes.values()].some(c => c.queue && c.why)")
        edge = page.until(f"{QUEUED} + 1") - 1
        page.mouse("mouseMoved", *page.value(f"{EDGE}({edge})"))
        expect_in("why it is a queue", "became a ", page.until(TIP))
        reason = page.value(f"run.streams[view.folded.edges[{edge}].streams[0]].why")
        expect_in("why it may be one", f" ({reason}); became a ", page.value(TIP))
        explained = sluice("explain", SOURCE, "--boundaries=all").stdout
        expect_in("as it is explained", f"({reason})", explained)
        page.until('!document.getElementById("say").textContent.includes("not known")')
        tuples(page)
        shot(page, "live")
        program.process.terminate()
        page.until('document.getElementById("state").textContent == "ended"')
        expect("no problem", [p for p in page.problems if "ERR_CONNECTION" not in p], [])


finished()
many()
pes()
running()
finish()
