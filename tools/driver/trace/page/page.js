"use strict";
// The trace: its state at any time, the list of decisions, and the time that is shown. The files
// behind this one use what stands here.
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
          .map(([n, v]) => numberText(n, v, nodes, units))
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
    `${count(s.threads, "worker")}, ${count(s.queued.size, "queue")}` +
    (i >= 0 ? `, ${S.cpu[i].toFixed(2)} processors, others ${S.others[i].toFixed(2)}` : "");
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
