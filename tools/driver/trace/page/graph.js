// ---- the graph: a node is a circle whose area is its load, or a box if there is room ----
const canvas = $("canvas"),
  ctx = canvas.getContext("2d");
const edges = nodes.flatMap((n, i) => n.to.map((t) => [i, t]));
/// Narrow graphs go in bands, there and back like a snake; of wide ones a layer is a block of
/// several columns.
function layOut(width, height) {
  const layers = T.layers,
    most = Math.max(...layers.map((l) => l.length));
  const arrange = (rows, bands) => {
    const columns = layers.map((l) => Math.ceil(l.length / rows)),
      gap = Math.max(0.45, Math.max(...columns) * 0.22),
      all = columns.reduce((s, c) => s + c + gap, 0),
      per = all / bands;
    const result = [];
    let band = [],
      used = 0,
      wide = 0;
    layers.forEach((l, i) => {
      if (band.length && used + columns[i] > per + 1e-9) {
        result.push(band);
        band = [];
        used = 0;
      }
      band.push([l, used, columns[i]]);
      used += columns[i] + gap;
      wide = Math.max(wide, used - gap);
    });
    result.push(band);
    const high = result.reduce(
      (s, b) => s + Math.max(...b.map(([l]) => Math.min(rows, l.length))) + 0.25,
      -0.25,
    );
    return { rows, bands: result, wide, high };
  };
  let best;
  for (let rows = most; rows > 0; rows = Math.min(rows - 1, Math.round(rows / 1.1)))
    for (let bands = 1; bands <= (rows == most ? Math.min(40, layers.length) : 1); ++bands) {
      const a = arrange(rows, bands);
      // Boxes are wide; more room is of no use.
      a.score = Math.min(width / a.wide, ((nodes.length > 300 ? 1 : 2.2) * height) / a.high, 150);
      if (!best || a.score > best.score * 1.001) best = a;
    }
  const cw = Math.min(width / best.wide, 190),
    ch = Math.min(height / best.high, cw, 84),
    position = new Array(nodes.length);
  let y = (height - best.high * ch) / 2;
  best.bands.forEach((band, k) => {
    const tall = Math.max(...band.map(([l]) => Math.min(best.rows, l.length)));
    const shift = (width - best.wide * cw) / 2;
    for (const [l, from, columns] of band) {
      const rows = Math.ceil(l.length / columns);
      l.forEach((n, i) => {
        const px = shift + (from + Math.floor(i / rows) + 0.5) * cw,
          py =
            y +
            ((tall - Math.min(rows, l.length - Math.floor(i / rows) * rows)) / 2) * ch +
            ((i % rows) + 0.5) * ch;
        position[n] = [k % 2 ? width - px : px, py];
      });
    }
    y += (tall + 0.25) * ch;
  });
  const around = waysAround(position, width);
  return { position, around, cw, ch, tall: Math.ceil(best.high * ch) + 20 };
}

/// By edge: the side (-1 left, 1 right) on which it goes around what stands in the same column
/// between its ends; missing: it need not. Straight on, C to D and C to E would be C to D to E.
function waysAround(position, width) {
  const around = new Map();
  if (edges.length > 600) return around;
  edges.forEach(([a, b], i) => {
    const [ax, ay] = position[a],
      [bx, by] = position[b];
    const between = ([x, y]) =>
      Math.abs(x - ax) < 3 && y > Math.min(ay, by) + 1 && y < Math.max(ay, by) - 1;
    if (Math.abs(bx - ax) < 3 && position.some(between)) around.set(i, ax > width / 2 ? 1 : -1);
  });
  return around;
}

let plan,
  zoom = { k: 1, x: 0, y: 0 },
  hover = -1,
  found = new Set(),
  color = {};
function sizeGraph() {
  const ratio = devicePixelRatio || 1,
    w = canvas.clientWidth || 1200;
  plan = layOut(w - 30, 456);
  const h = Math.min(456, plan.tall) + 24;
  if (h < 480) plan = layOut(w - 30, h - 24);
  canvas.style.height = h + "px";
  canvas.width = w * ratio;
  canvas.height = h * ratio;
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "soft", "source", "call", "queue", "fixed", "halo", "card", "line"])
    color[name] = style.getPropertyValue("--" + name).trim();
  drawGraph();
}
const busyOf = (row, n) =>
  row
    ? (10 ** ((T.load.alphabet.indexOf(row[n]) / (T.load.alphabet.length - 1)) * 3) - 1) / 999
    : 0;
function loadRow() {
  const i = sampleAt(at);
  return i < 0 || !T.load.rows.length
    ? undefined
    : T.load.rows[Math.min(T.load.rows.length - 1, Math.floor(i / T.load.every))];
}
function drawGraph() {
  if (!plan) return;
  const ratio = devicePixelRatio || 1,
    s = stateAt(at),
    row = loadRow(),
    fresh = at - s.time < Math.max(end / 200, 1) ? s.changed : new Set();
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, canvas.width, canvas.height);
  ctx.translate(15 + zoom.x, 12 + zoom.y);
  ctx.scale(zoom.k, zoom.k);
  const boxes = plan.cw * zoom.k > 62 && plan.ch * zoom.k > 21;
  drawEdges(s, boxes);
  nodes.forEach((n, i) => (boxes ? drawBox : drawDot)(i, s, row, fresh.has(i)));
}
function drawEdges(s, boxes) {
  const pos = plan.position,
    thin = edges.length > 600,
    half = boxes ? plan.cw * 0.42 : 0;
  for (const queued of [false, true]) {
    const heads = []; // where edges end, and from where they come
    ctx.beginPath();
    edges.forEach(([a, b], i) => {
      if (s.queued.has(b) != queued) return;
      const [ax, ay] = pos[a],
        [bx, by] = pos[b],
        d = Math.abs(by - ay) < 1 || Math.abs(bx - ax) > 3 ? Math.sign(bx - ax) || 1 : 0;
      const sx = ax + half * d,
        ex = bx - half * d,
        m = (ex - sx) * 0.45;
      const side = plan.around.get(i);
      if (side) return heads.push(drawAround(ax, ay, bx, by, side, boxes));
      ctx.moveTo(sx, ay);
      if (d && Math.abs(bx - ax) >= plan.cw * 0.5)
        ctx.bezierCurveTo(sx + m, ay, ex - m, by, ex, by);
      else ctx.lineTo(ex, by);
      if (!thin) heads.push(headOf(sx, ay, ex, by, d, boxes));
    });
    ctx.strokeStyle = queued ? color.queue : color.soft;
    ctx.globalAlpha = thin ? 0.13 : queued ? 0.9 : 0.6;
    ctx.lineWidth = (thin ? 0.6 : queued ? 1.8 : 1.1) / Math.max(1, zoom.k * 0.6);
    ctx.setLineDash(queued && !thin ? [4, 3] : []);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.fillStyle = ctx.strokeStyle;
    heads.forEach((h) => drawHead(...h));
  }
  ctx.globalAlpha = 1;
  if (hover < 0) return;
  ctx.beginPath();
  for (const [a, b] of edges)
    if (a == hover || b == hover) {
      ctx.moveTo(...pos[a]);
      ctx.lineTo(...pos[b]);
    }
  ctx.strokeStyle = color.ink;
  ctx.lineWidth = 1.2 / Math.max(1, zoom.k * 0.6);
  ctx.stroke();
}
/// An edge from one side of a node to the same side of another one in its column, and its head.
function drawAround(ax, ay, bx, by, side, boxes) {
  const half = boxes ? plan.cw * 0.42 : Math.min(plan.cw, plan.ch) * 0.36,
    out = side * (plan.cw * 0.1 + 14);
  ctx.moveTo(ax + side * half, ay);
  ctx.bezierCurveTo(ax + side * half + out, ay, bx + side * half + out, by, bx + side * half, by);
  return [bx + side * half, by, side > 0 ? Math.PI : 0];
}
/// The point of an arrow head and its direction. `d`: 1, the edge comes from the left; -1, from the
/// right; 0, from above or below.
function headOf(sx, sy, ex, ey, d, boxes) {
  const curved = d && Math.abs(ex - sx) >= plan.cw * 0.3,
    angle = curved ? (d > 0 ? 0 : Math.PI) : Math.atan2(ey - sy, ex - sx);
  const radius = Math.min(plan.cw, plan.ch) * 0.36,
    back = !boxes ? radius : d ? 0 : Math.min(plan.ch * 0.36, 20);
  return [ex - Math.cos(angle) * back, ey - Math.sin(angle) * back, angle];
}
function drawHead(px, py, angle) {
  const size = 7 / Math.max(1, zoom.k * 0.6);
  ctx.beginPath();
  ctx.moveTo(px, py);
  for (const side of [2.7, -2.7])
    ctx.lineTo(px + Math.cos(angle + side) * size, py + Math.sin(angle + side) * size);
  ctx.fill();
}
const fillOf = (i, s) =>
  nodes[i].source
    ? color.source
    : always.has(i)
      ? color.fixed
      : s.queued.has(i)
        ? color.queue
        : color.call;
function drawDot(i, s, row, fresh) {
  const [px, py] = plan.position[i],
    cell = Math.min(plan.cw, plan.ch),
    r = cell * (0.2 + 0.28 * Math.sqrt(Math.min(1, busyOf(row, i))));
  ctx.fillStyle = fillOf(i, s);
  ctx.beginPath();
  nodes[i].source ? ctx.rect(px - r, py - r, 2 * r, 2 * r) : ctx.arc(px, py, r, 0, 7);
  ctx.fill();
  outline(i, fresh, () => {
    ctx.beginPath();
    ctx.arc(px, py, r + cell * 0.08, 0, 7);
  });
}
/// What fits, without its beginning (of names, which differ at the end) or its end.
function shortened(text, room, atEnd) {
  if (ctx.measureText(text).width <= room) return text;
  const cut = (t) => (atEnd ? "…" + t : t + "…");
  while (text && ctx.measureText(cut(text)).width > room)
    text = atEnd ? text.slice(1) : text.slice(0, -1);
  return cut(text);
}
function drawBox(i, s, row, fresh) {
  const [px, py] = plan.position[i],
    w = plan.cw * 0.84,
    h = Math.min(plan.ch * 0.72, 40),
    l = px - w / 2,
    t = py - h / 2,
    fill = fillOf(i, s),
    width = s.widths.get(i);
  ctx.beginPath();
  ctx.roundRect(l, t, w, h, 5);
  ctx.fillStyle = color.card;
  ctx.fill();
  ctx.globalAlpha = 0.2;
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.strokeStyle = fill;
  ctx.lineWidth = s.queued.has(i) || nodes[i].source ? 1.8 : 1;
  ctx.stroke();
  if (s.queued.has(i))
    for (let k = 0; k < 3; ++k) {
      ctx.fillStyle = fill;
      ctx.fillRect(l + 4 + 3.5 * k, t + 4, 2, h - 8);
    }
  ctx.fillStyle = fill;
  ctx.fillRect(l + 2, t + h - 4, (w - 4) * Math.min(1, busyOf(row, i)), 3);
  const size = Math.min(12, h * 0.5),
    inset = s.queued.has(i) ? 16 : 6,
    room = w - inset - 4;
  ctx.font = `${size}px system-ui, "DejaVu Sans", sans-serif`;
  ctx.fillStyle = color.ink;
  ctx.textBaseline = "middle";
  const fused = inside[i].slice(1).map((o) => o.name),
    second = fused.length && h > 24;
  const name = nodes[i].name + (width > 1 ? " ×" + width : "");
  ctx.fillText(shortened(name, room, true), l + inset, second ? py - h * 0.2 : py);
  if (second) {
    ctx.font = `${size * 0.85}px system-ui, "DejaVu Sans", sans-serif`;
    ctx.fillStyle = color.soft;
    ctx.fillText(shortened("+ " + fused.join(", "), room, false), l + inset, py + h * 0.17);
  }
  outline(i, fresh, () => {
    ctx.beginPath();
    ctx.roundRect(l - 3, t - 3, w + 6, h + 6, 7);
  });
}
function outline(i, fresh, path) {
  if (!fresh && i != hover && !found.has(i)) return;
  path();
  ctx.strokeStyle = fresh ? color.halo : color.ink;
  ctx.lineWidth = (nodes.length > 300 ? 1.3 : 2) / Math.max(1, zoom.k * 0.7);
  ctx.stroke();
}

// ---- looking closer ----
function nodeAt(px, py) {
  const gx = (px - 15 - zoom.x) / zoom.k,
    gy = (py - 12 - zoom.y) / zoom.k;
  let best = -1,
    least = 1;
  plan.position.forEach(([nx, ny], i) => {
    const d = Math.hypot((nx - gx) / plan.cw, (ny - gy) / plan.ch) * 1.7;
    if (d < least) {
      least = d;
      best = i;
    }
  });
  return best;
}
/// A share in percent, small ones with two digits.
const percent = (share) =>
  share < 0.1 ? +(share * 100).toPrecision(2) : Math.round(share * 100);
function say(i) {
  if (i < 0) return "\u00a0";
  const n = nodes[i],
    s = stateAt(at),
    busy = busyOf(loadRow(), i);
  return [
    n.name,
    inside[i].length == 1 ? aboutOf(inside[i][0]) : "",
    inside[i].length > 1 ? "runs " + inside[i].map(operatorText).join(" and ") : "",
    n.source
      ? "a source, has a thread of its own"
      : always.has(i)
        ? "always a queue"
        : s.queued.has(i)
          ? "a queue" + (n.changeable ? " now" : "")
          : n.changeable
            ? "a call now, may be a queue"
            : "a call",
    "domain " + n.domain,
    n.maxWidth > 1 ? `${s.widths.get(i) || 1} of at most ${n.maxWidth} workers at once` : "",
    `busy about ${percent(busy)} % of a thread`,
    n.to.length
      ? "leads to " +
        n.to
          .slice(0, 5)
          .map((t) => nodes[t].name)
          .join(", ") +
        (n.to.length > 5 ? " and " + (n.to.length - 5) + " more" : "")
      : "",
  ]
    .filter((x) => x)
    .join(" · ");
}
let drag;
canvas.addEventListener("pointerdown", (e) => {
  drag = [e.offsetX - zoom.x, e.offsetY - zoom.y];
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener("pointerleave", () => {
  hover = -1;
  $("node").textContent = say(-1);
  drawGraph();
});
canvas.addEventListener("pointerup", () => (drag = undefined));
canvas.addEventListener("pointermove", (e) => {
  if (drag) {
    zoom.x = e.offsetX - drag[0];
    zoom.y = e.offsetY - drag[1];
    drawGraph();
    return;
  }
  const i = nodeAt(e.offsetX, e.offsetY);
  if (i != hover) {
    hover = i;
    drawGraph();
  }
  $("node").textContent = say(i);
});
canvas.addEventListener(
  "wheel",
  (e) => {
    e.preventDefault();
    const f = e.deltaY > 0 ? 0.85 : 1.18,
      k = Math.min(40, Math.max(0.5, zoom.k * f)),
      r = k / zoom.k,
      px = e.offsetX - 15,
      py = e.offsetY - 12;
    zoom = { k, x: px - (px - zoom.x) * r, y: py - (py - zoom.y) * r };
    drawGraph();
  },
  { passive: false },
);
$("fit").onclick = () => {
  zoom = { k: 1, x: 0, y: 0 };
  drawGraph();
};
$("find").oninput = (e) => {
  const text = e.target.value.toLowerCase();
  found = new Set(
    text ? nodes.flatMap((n, i) => (namesOf(i).toLowerCase().includes(text) ? [i] : [])) : [],
  );
  $("node").textContent =
    found.size == 1 ? say([...found][0]) : text ? found.size + " nodes" : "\u00a0";
  drawGraph();
};
$("loadkey").textContent = "size of a circle, bar in a box: how busy";

// ---- as a list ----
{
  const list = $("nodes").querySelector("ul");
  nodes.forEach((n, i) => {
    const item = element("li", {}, list);
    element("b", {}, item, n.name);
    const about = inside[i].length ? aboutOf(inside[i][0]) : "";
    if (about) item.append(` (${about})`);
    if (inside[i].length < 2) return;
    const fused = element("ul", {}, item);
    for (const o of inside[i].slice(1)) element("li", {}, fused, operatorText(o));
  });
}

fillRows();
sizeGraph();
settlingEnd < end / 6 && !events.some((e) => e.line == "load-change" && e.time > settlingEnd)
  ? $("settling").click()
  : drawCharts();
const wanted = /t=([0-9.]+)/.exec(location.hash);
setTime(wanted ? +wanted[1] : states[states.length - 1].time);
addEventListener("resize", () => {
  sizeGraph();
  drawCharts();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", sizeGraph);
document.body.dataset.ready = "yes";
