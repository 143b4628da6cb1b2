// The time line: four charts, marks of decisions, and the moment that is shown.
const svg = document.getElementById("time"), LEFT = 66;
const CHARTS = [
  {name: "tuples/s", y: 4, h: 48, colour: "queue", of: m => m.rate, show: v => units(v)},
  {name: "workers", y: 66, h: 18, colour: "ink", of: m => m.workers, show: v => v},
  {name: "queues", y: 92, h: 18, colour: "wait", of: m => m.queues, show: v => v},
  {name: "99 %", y: 118, h: 22, colour: "soft", of: m => Math.max(0, m.latency[1]), show: seconds},
];
const SIGNS = {
  try: "?",
  accept: "\u2713",
  undo: "\u21b6",
  "load-change": "!",
  settled: "\u25a0",
  pause: "\u2016",
  resume: "\u25b6",
  lost: "\u2026",
  ended: "\u25fc"
};

const element = (name, attributes, content) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (content !== undefined) e.textContent = content;
  return e;
};
const timeToX = (run, t) =>
    LEFT + (svg.clientWidth - LEFT - 10) * (t - run.first) / Math.max(1, run.last - run.first);
const xToTime = (run, x) => run.first +
    (x - LEFT) / Math.max(1, svg.clientWidth - LEFT - 10) * Math.max(1, run.last - run.first);

/// At most a point for each two pixels.
function pathOf(run, chart, most) {
  const step = Math.max(1, Math.floor(run.moments.length / (svg.clientWidth / 2)));
  let d = "";
  for (let i = 0; i < run.moments.length; i += step) {
    const m = run.moments[i], v = chart.of(m);
    d += (d ? "L" : "M") + timeToX(run, m.t).toFixed(1) + "," +
        (chart.y + chart.h * (1 - v / most)).toFixed(1);
  }
  return d;
}

function drawTime(run, shown) {
  const parts = [];
  for (const chart of CHARTS) {
    const most = run.moments.reduce((v, m) => Math.max(v, chart.of(m)), 0) || 1;
    parts.push(element("path", {
      d: pathOf(run, chart, most),
      fill: "none",
      stroke: `var(--${chart.colour})`,
      "stroke-width": 1.6
    }));
    parts.push(element("text", {x: 2, y: chart.y + chart.h / 2 + 1}, chart.name));
    parts.push(
        element("text", {x: 2, y: chart.y + chart.h / 2 + 13}, "\u2264 " + chart.show(most)));
  }
  for (const e of run.events) {
    if (e.t < run.first || e.t > run.last) continue;
    const mark = element(
        "text", {x: timeToX(run, e.t) - 4, y: 63, class: "mark"}, SIGNS[e.kind] ?? "\u2022");
    mark.append(element("title", {}, `${clock(e.t)} ${e.kind} ${e.change ?? ""}`));
    parts.push(mark);
  }
  if (shown) {
    const x = timeToX(run, shown.t);
    parts.push(element(
        "line", {x1: x, x2: x, y1: 0, y2: 146, stroke: "var(--ink)", "stroke-dasharray": "3 2"}));
  }
  svg.replaceChildren(...parts);
}
