"use strict";
// The trace: its state at any time, the charts over time, and the list of decisions.
const T = JSON.parse(document.getElementById("trace").textContent);
const $ = (id) => document.getElementById(id);
const H = T.header,
  nodes = H.graph.nodes,
  S = T.samples,
  events = T.events;
const end = Math.max(
  1e-9,
  ...events.map((e) => e.time),
  S.time.length ? S.time[S.time.length - 1] : 0,
);
const kinds = {
  try: "--try",
  accept: "--accept",
  undo: "--undo",
  "load-change": "--load",
  settled: "--settled",
  wait: "--soft",
};
const count = (n, what, many = what + "s") => n + " " + (n == 1 ? what : many);
const seconds = (t) => t.toFixed(t < 100 ? 2 : 1) + " s";
function units(v) {
  if (typeof v != "number") return String(v);
  for (const [u, f] of [
    ["T", 1e12],
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ])
    if (Math.abs(v) >= f * 0.9995) return +(v / f).toPrecision(3) + " " + u;
  return String(+v.toPrecision(3));
}
function element(name, attributes, parent, text) {
  const svg = parent && parent.namespaceURI.includes("svg");
  const e = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const a in attributes) e.setAttribute(a, attributes[a]);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.append(e);
  return e;
}

// ---- operators, as the source has them ----
/// By node: what it runs, first what heads it. Traces of version 1 know its place only.
const inside = nodes.map((n) => n.operators || (n.at ? [{ name: n.name, at: n.at }] : []));
const namesOf = (i) => [nodes[i].name, ...inside[i].map((o) => o.name)].join("\n");
/// Without the folder.
const placeOf = (o) => (o.at || "").split("/").pop();
const aboutOf = (o) => [o.kind, placeOf(o)].filter((x) => x).join(", ");
const operatorText = (o) => o.name + (aboutOf(o) ? ` (${aboutOf(o)})` : "");

/// Those that a reader meets here.
const WORDS = [
  "operator",
  "source",
  "segment",
  "boundary",
  "domain",
  "worker",
  "width",
  "tuple",
  "batch",
  "controller",
  "policy",
  "configuration",
  "interval",
  "sample",
  "decision",
  "candidate",
  "trial",
  "settled",
];
let explain; // gives an element that has a word its meaning

// ---- what is set at a time ----
const decisions = events.filter((e) => e.line == "decision");
const always = new Set(nodes.flatMap((n, i) => (n.queued && !n.changeable ? [i] : [])));
const states = []; // {time, threads, queued: Set, widths: Map, changed: Set}
{
  let now;
  const reset = (time, c) => {
    now = {
      time,
      threads: c.threads,
      queued: new Set(c.queued),
      widths: new Map(c.widths || []),
      changed: new Set(),
    };
    states.push(now);
  };
  reset(0, H.start);
  for (const e of events) {
    if (e.line == "resume" && e.start) reset(e.time, e.start);
    if (e.line != "switch" && e.line != "threads") continue;
    const same = e.time - now.time < 1e-3 && states.length > 1;
    const next = {
      time: e.time,
      threads: now.threads,
      queued: now.queued,
      widths: now.widths,
      changed: new Set(same ? now.changed : []),
    };
    if (e.line == "threads") next.threads = e.to;
    if (e.queue) {
      next.queued = new Set(now.queued);
      for (const n of e.queue) {
        next.queued.add(n);
        next.changed.add(n);
      }
      for (const n of e.unqueue) {
        next.queued.delete(n);
        next.changed.add(n);
      }
    }
    if (e.widths) {
      next.widths = new Map(now.widths);
      for (const [n, w] of e.widths) {
        next.widths.set(n, w);
        next.changed.add(n);
      }
    }
    if (same) states.pop();
    states.push((now = next));
  }
}
/// The last element whose time is not after t, or -1.
function lastBefore(list, t, time = (x) => x.time) {
  let low = 0,
    high = list.length;
  while (low < high) {
    const m = (low + high) >> 1;
    time(list[m]) <= t ? (low = m + 1) : (high = m);
  }
  return low - 1;
}
const stateAt = (t) => states[Math.max(0, lastBefore(states, t))];
/// The sample whose window is going on, or else the last one.
const sampleAt = (t) => Math.min(S.time.length - 1, lastBefore(S.time, t, (x) => x - 1e-9) + 1);

// ---- words of docs/glossary.md ----
{
  const text = $("glossary").textContent,
    glossary = new Map();
  for (const [, word, body] of text.matchAll(/^\* \*\*(.+?)\*\*(.*(?:\n  .*)*)/gm))
    glossary.set(word, body.replace(/^[:\s]+/, "").replace(/[`*]/g, "").replace(/\s+/g, " "));
  const list = $("words").querySelector("dl");
  for (const word of WORDS) {
    element("dt", { id: "word-" + word }, list, word);
    element("dd", {}, list, glossary.get(word));
  }
  explain = (at) => {
    at.title = glossary.get(at.dataset.word);
    at.onclick = () => {
      $("words").open = true;
      $("word-" + at.dataset.word).scrollIntoView({ behavior: "smooth", block: "center" });
    };
  };
  document.querySelectorAll("[data-word]").forEach(explain);
}

// ---- head ----
{
  const name = H.composite || H.program,
    last = events.filter((e) => e.line == "settled").pop(),
    first = events.find((e) => e.line == "settled");
  const final = events.find((e) => e.line == "final");
  document.title = name + " - Sluice trace";
  $("title").textContent = name;
  const constants = Object.entries(H.policy.constants)
    .map(([n, v]) => n + " = " + v)
    .join(", ");
  $("facts").textContent = [
    H.policy.name == "off" ? "no policy" : "policy " + H.policy.name,
    H.host,
    H.host.includes("hardware thread") ? "" : count(H.machine.cpus, "hardware thread"),
    [
      count(nodes.filter((n) => n.source).length, "source"),
      count(nodes.filter((n) => !n.source).length, "segment"),
      count(nodes.filter((n) => n.changeable).length, "boundary", "boundaries") +
        " that may be queues",
    ].join(", "),
    H.started ? new Date(H.started * 1000).toISOString().replace("T", " ").slice(0, 16) : "",
  ]
    .filter((x) => x)
    .join(" · ");
  $("facts").title = constants;
  $("summary").textContent = T.summary;
  if (T.missing.length) {
    $("missing").hidden = false;
    $("missing").textContent = "Not all is here: " + T.missing.join("; ");
  }
  const tile = (value, what, word) => {
    const d = element("div", {}, $("tiles"));
    element("b", {}, d, value);
    const label = element("span", {}, d);
    if (!word) return (label.textContent = what);
    explain(element("abbr", { "data-word": word }, label, what));
  };
  if (first) tile(seconds(first.seconds), "until it settled", "settled");
  const changes = events.filter((e) => e.line == "load-change").length;
  if (last && changes)
    tile(seconds(last.seconds), "until it settled again, after " + last.since, "settled");
  if (last) tile(units(last.throughput) + " rows/s", "when settled", "tuple");
  const s = states[states.length - 1];
  tile(s.threads, "workers at the end", "worker");
  tile(s.queued.size, "queues at the end", "boundary");
  tile(decisions.length, "decisions", "decision");
  tile(changes, "load changes", "decision");
  if (final) tile(units(final.rows), "rows in " + seconds(final.time));
  if (final && final.exitCode) tile(final.exitCode, "exit code");
}

// ---- charts ----
let view = [0, end],
  at = 0;
const svg = $("charts"),
  left = 62,
  right = 14;
let width = 0,
  cursor;
const x = (t) => left + ((t - view[0]) / (view[1] - view[0])) * (width - left - right);
const timeAtX = (px) => view[0] + ((px - left) / (width - left - right)) * (view[1] - view[0]);
function nice(most, count) {
  const raw = most / count,
    p = 10 ** Math.floor(Math.log10(raw)),
    m = raw / p;
  return (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * p;
}
/// Values hold from one time to the next: [[from, to, value]].
const windows = S.time.map((t, i) => [Math.max(0, t - S.length[i]), t, S.throughput[i]]);
const steps = (value) =>
  states.map((s, i) => [s.time, i + 1 < states.length ? states[i + 1].time : end, value(s)]);
const charts = [
  { name: "throughput, rows/s", color: "--rate", height: 170, data: windows, area: true },
  { name: "workers", color: "--threads", height: 84, data: steps((s) => s.threads), whole: true },
  { name: "queues", color: "--queues", height: 84, data: steps((s) => s.queued.size), whole: true },
];
function drawCharts() {
  width = svg.clientWidth || 1200;
  svg.replaceChildren();
  let y = 38;
  const total = charts.reduce((h, c) => h + c.height + 22, 50);
  svg.setAttribute("height", total);
  svg.setAttribute("viewBox", `0 0 ${width} ${total}`);
  const clip = element("clipPath", { id: "clip" }, element("defs", {}, svg));
  element("rect", { x: left, y: 0, width: width - left - right, height: total }, clip);
  const inside = element("g", { "clip-path": "url(#clip)" }, svg);
  shadeTimes(inside, total - 30);
  const step = nice(view[1] - view[0], Math.min(10, width / 75));
  for (let t = Math.ceil(view[0] / step) * step; t <= view[1] + step / 1e6; t += step) {
    element("line", { x1: x(t), x2: x(t), y1: 24, y2: total - 24, stroke: "var(--grid)" }, inside);
    element(
      "text",
      { x: x(t), y: total - 8, "text-anchor": "middle" },
      svg,
      +t.toPrecision(10) + " s",
    );
  }
  for (const c of charts) {
    drawChart(c, inside, y);
    y += c.height + 22;
  }
  markDecisions(inside, total);
  cursor = element(
    "line",
    { y1: 4, y2: total - 24, stroke: "var(--ink)", "stroke-width": 1.5 },
    inside,
  );
  moveCursor();
}
function drawChart(c, inside, top) {
  const most = Math.max(c.whole || !c.data.length ? 1 : 1e-9, ...c.data.map((d) => d[2])),
    bottom = top + c.height;
  const tick = c.whole ? Math.max(1, nice(most, 3)) : nice(most, 4),
    high = Math.ceil(most / tick - 1e-9) * tick;
  const yOf = (v) => bottom - (v / high) * (c.height - 6);
  for (let v = 0; v <= high * 1.0001; v += tick) {
    element(
      "line",
      { x1: left, x2: width - right, y1: yOf(v), y2: yOf(v), stroke: "var(--grid)" },
      inside,
    );
    element("text", { x: left - 7, y: yOf(v) + 4, "text-anchor": "end" }, svg, units(v));
  }
  element("text", { x: left + 4, y: top - 4, class: "name" }, svg, c.name);
  // More points than pixels: of each pixel the least and the most.
  let path = "",
    firstX = 0,
    lastX = -1e9,
    low = 0,
    up = 0;
  for (const [from, to, v] of c.data) {
    if (to < view[0] - (view[1] - view[0]) || from > view[1] + (view[1] - view[0])) continue;
    const a = x(from),
      b = x(to),
      yv = yOf(v);
    if (b - lastX < 0.5 && path) {
      if (yv < low || yv > up) path += `V${yv.toFixed(1)}`;
      low = Math.min(low, yv);
      up = Math.max(up, yv);
      continue;
    }
    if (!path) firstX = a;
    path += path
      ? `L${a.toFixed(1)},${yv.toFixed(1)}H${b.toFixed(1)}`
      : `M${a.toFixed(1)},${yv.toFixed(1)}H${b.toFixed(1)}`;
    lastX = b;
    low = up = yv;
  }
  if (c.area && path)
    element(
      "path",
      { d: `${path}V${bottom}H${firstX.toFixed(1)}Z`, fill: `var(${c.color})`, opacity: 0.16 },
      inside,
    );
  element(
    "path",
    {
      d: path,
      fill: "none",
      stroke: `var(${c.color})`,
      "stroke-width": c.area ? 1.4 : 2,
      "stroke-linejoin": "round",
    },
    inside,
  );
}
/// While adaptation is off; while it is settled.
function shadeTimes(inside, bottom) {
  let off = null,
    settled = null;
  const shade = (from, to, fill, opacity) =>
    element(
      "rect",
      {
        x: x(from),
        y: 24,
        width: Math.max(0, x(to) - x(from)),
        height: bottom - 18,
        fill,
        opacity,
      },
      inside,
    );
  for (const e of [...events, { line: "end", time: end }]) {
    if (e.line == "pause") off = e.time;
    else if (off !== null && (e.line == "resume" || e.line == "end")) {
      shade(off, e.time, "var(--soft)", 0.18);
      off = null;
    }
    if (e.line == "settled" && settled === null) settled = e.time;
    else if (
      settled !== null &&
      (e.line == "load-change" ||
        e.line == "pause" ||
        e.line == "end" ||
        (e.line == "decision" && ["try", "accept", "undo"].includes(e.kind)))
    ) {
      shade(settled, e.time, "var(--settled)", 0.07);
      settled = null;
    }
  }
}
function markDecisions(inside, total) {
  for (const e of decisions)
    if (changes(e) || !["wait", "settled"].includes(e.kind))
      element(
        "rect",
        { x: x(e.time) - 1, y: 4, width: 2.4, height: 10, fill: `var(${kinds[e.kind]})` },
        inside,
      );
  const ends = []; // of labels, by row
  for (const e of events) {
    if (e.line != "settled" && e.line != "load-change") continue;
    const color = `var(${kinds[e.line]})`;
    element(
      "line",
      {
        x1: x(e.time),
        x2: x(e.time),
        y1: 4,
        y2: total - 24,
        stroke: color,
        "stroke-dasharray": "4 3",
      },
      inside,
    );
    const text =
      e.line == "settled" ? `settled ${seconds(e.seconds)} after ${e.since}` : "load change";
    const long = text.length * 6.6,
      far = x(e.time) + long > width - right,
      from = x(e.time) + (far ? -5 - long : 5);
    let row = 0;
    while (ends[row] > from) ++row;
    ends[row] = from + long + 6;
    element(
      "text",
      {
        x: x(e.time) + (far ? -5 : 5),
        y: 50 + 14 * row,
        "text-anchor": far ? "end" : "start",
        style:
          `fill:${color};font-weight:600;` +
          "paint-order:stroke;stroke:var(--card);stroke-width:4px",
      },
      inside,
      text,
    );
  }
}
function moveCursor() {
  if (cursor) {
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
  }
}
svg.addEventListener("pointerdown", (e) => {
  svg.setPointerCapture(e.pointerId);
  setTime(timeAtX(e.offsetX));
});
svg.addEventListener("pointermove", (e) => {
  if (e.buttons) setTime(timeAtX(e.offsetX));
});
svg.addEventListener(
  "wheel",
  (e) => {
    e.preventDefault();
    const t = timeAtX(e.offsetX),
      f = e.deltaY > 0 ? 1.25 : 0.8;
    setView(Math.max(0, t - (t - view[0]) * f), Math.min(end, t + (view[1] - t) * f));
  },
  { passive: false },
);
function setView(from, to) {
  if (to - from > end / 1e5) view = [from, to];
  [$("slider").min, $("slider").max] = view;
  $("slider").value = at;
  $("whole").classList.toggle("on", view[0] == 0 && view[1] == end);
  $("settling").classList.toggle("on", view[0] == 0 && view[1] == settlingEnd);
  drawCharts();
}
let settlingEnd;
$("whole").onclick = () => setView(0, end);
{
  const times = events.filter((e) => e.line == "settled" && e.time > 0).map((e) => e.time),
    last = times[times.length - 1];
  if (times.length) settlingEnd = Math.min(end, 1.25 * (last < end / 4 ? last : times[0]));
  else $("settling").hidden = true;
  $("settling").onclick = () => setView(0, settlingEnd);
}

// ---- decisions ----
const changes = (d) => d.queue !== undefined || d.widths !== undefined || d.threads !== undefined;
function list(what, indices, label = (n) => nodes[n].name) {
  if (!indices || !indices.length) return "";
  return (
    what +
    " " +
    indices.slice(0, 6).map(label).join(", ") +
    (indices.length > 6 ? ` and ${indices.length - 6} more` : "")
  );
}
const describe = (d) =>
  [
    d.threads !== undefined ? "workers " + d.threads : "",
    list("queue", d.queue),
    list("call", d.unqueue),
    list("width", d.widths, (w) => nodes[w[0]].name + " x " + w[1]),
  ]
    .filter((x) => x)
    .join("; ");
let rowOf = new Map(),
  shown = [];
function fillRows() {
  const all = $("all").checked;
  const notes = {
    pause: "adaptation is switched off",
    resume: "adaptation is switched on",
    lost: "lines are missing here",
    final: "the program ended",
  };
  $("rows").replaceChildren();
  rowOf = new Map();
  shown = [];
  let settled = false; // the first of many is worth a line
  for (const e of events) {
    const quiet =
      e.line == "decision" && !changes(e) && (e.kind == "wait" || (e.kind == "settled" && settled));
    if (e.line == "decision" && e.kind != "wait") settled = e.kind == "settled";
    if (e.line == "decision" ? quiet && !all : !notes[e.line]) continue;
    const row = element("tr", {}, $("rows"));
    element("td", {}, row, seconds(e.time));
    const kind = element("td", {}, row);
    if (e.line == "decision") {
      element("span", { class: "kind " + e.kind }, kind, e.kind);
      element("td", {}, row, describe(e));
      element("td", {}, row, e.reason);
      element(
        "td",
        {},
        row,
        Object.entries(e.numbers)
          .map(([n, v]) => n + " " + units(v))
          .join(", "),
      );
    } else {
      element("span", { class: "kind" }, kind, e.line);
      element("td", {}, row);
      element(
        "td",
        { colspan: 2 },
        row,
        e.reason || notes[e.line] + (e.exitCode ? " with exit code " + e.exitCode : ""),
      );
    }
    row.onclick = () => setTime(afterwards(e));
    rowOf.set(e, row);
    shown.push(e);
  }
  if (!shown.length)
    element("td", { colspan: 5 }, element("tr", {}, $("rows")), "No policy decided anything.");
}
/// When what was decided has been carried out: the first change until the next decision.
function afterwards(d) {
  if (d.line != "decision" || !changes(d)) return d.time;
  let last = d.time;
  for (let i = events.indexOf(d) + 1; i < events.length && events[i].line != "decision"; ++i)
    if (events[i].line == "switch" || events[i].line == "threads") last = events[i].time;
  return last;
}
$("all").onchange = () => {
  fillRows();
  markRow();
};
let marked;
function markRow() {
  if (marked) marked.classList.remove("on");
  const i = lastBefore(shown, at);
  marked = i < 0 ? undefined : rowOf.get(shown[i]);
  if (!marked) return;
  marked.classList.add("on");
  const box = $("scroll"),
    y = marked.offsetTop;
  if (y < box.scrollTop + 30 || y > box.scrollTop + box.clientHeight - 40)
    box.scrollTop = y - box.clientHeight / 2;
}

// ---- the time that is shown ----
function setTime(t) {
  at = Math.min(end, Math.max(0, t));
  if (at < view[0] || at > view[1]) setView(0, end);
  $("slider").value = at;
  const s = stateAt(at),
    i = sampleAt(at);
  $("now").textContent =
    `${seconds(at)}: ${i >= 0 ? units(S.throughput[i]) + " rows/s" : "no sample"}, ` +
    `${count(s.threads, "worker")}, ${count(s.queued.size, "queue")}`;
  moveCursor();
  markRow();
  drawGraph();
}
$("slider").max = end;
$("slider").oninput = (e) => setTime(+e.target.value);
function jump(forward) {
  const times = shown.map(afterwards);
  const t = forward ? times.find((t) => t > at + 1e-9) : times.filter((t) => t < at - 1e-9).pop();
  if (t !== undefined) setTime(t);
}
$("next").onclick = () => jump(true);
$("back").onclick = () => jump(false);
let timer;
$("play").onclick = () => {
  if (timer) {
    clearInterval(timer);
    timer = undefined;
    $("play").textContent = "play";
    return;
  }
  if (at >= view[1]) setTime(view[0]);
  $("play").textContent = "stop";
  timer = setInterval(() => {
    setTime(at + (view[1] - view[0]) / 400);
    if (at >= view[1] || at >= end) $("play").click();
  }, 40);
};
addEventListener("keydown", (e) => {
  if (e.target.tagName == "INPUT" && e.target.type != "range") return;
  if (e.key == "n") jump(true);
  else if (e.key == "p") jump(false);
  else if (e.key == " ") {
    e.preventDefault();
    $("play").click();
  }
});
