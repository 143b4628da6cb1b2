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
const inWindows = (values) => S.time.map((t, i) => [Math.max(0, t - S.length[i]), t, values[i]]);
const steps = (value) =>
  states.map((s, i) => [s.time, i + 1 < states.length ? states[i + 1].time : end, value(s)]);
const charts = [
  {
    name: "throughput, rows/s",
    color: "--rate",
    height: 170,
    data: inWindows(S.throughput),
    area: true,
  },
  { name: "workers", color: "--threads", height: 84, data: steps((s) => s.threads), whole: true },
  { name: "queues", color: "--queues", height: 84, data: steps((s) => s.queued.size), whole: true },
  {
    name: `processors of ${H.machine.cpus}: this program, and other programs (dashed)`,
    color: "--rate",
    height: 84,
    data: inWindows(S.cpu),
    beside: inWindows(S.others),
    most: H.machine.cpus,
  },
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
  const values = [...c.data, ...(c.beside ?? [])].map((d) => d[2]),
    least = c.most ?? (c.whole || !c.data.length ? 1 : 1e-9),
    most = values.reduce((v, w) => Math.max(v, w), least),
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
  drawLine(c, c.data, inside, yOf, bottom);
  if (c.beside) drawLine({ color: "--soft", dash: "4 3" }, c.beside, inside, yOf, bottom);
}
function drawLine(c, data, inside, yOf, bottom) {
  // More points than pixels: of each pixel the least and the most.
  let path = "",
    firstX = 0,
    lastX = -1e9,
    low = 0,
    up = 0;
  for (const [from, to, v] of data) {
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
      ...(c.dash ? { "stroke-dasharray": c.dash } : {}),
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
