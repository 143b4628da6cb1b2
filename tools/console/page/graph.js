// The graph on a canvas: boxes, streams, what the pointer and the keys do.
const canvas = document.getElementById("graph"), ctx = canvas.getContext("2d");
const colours = () => {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries([
    "bg", "card", "ink", "soft", "line", "queue", "call", "cause", "wait", "c0", "c1", "c2", "c3",
    "c4", "on4"
  ].map(n => [n, style.getPropertyValue("--" + n).trim()]));
};

const view = {
  folded: null,
  place: null,
  open: new Set(),  // composites and regions that are unfolded
  shut: new Set(),  // PEs that are folded
  k: 1,
  ox: 0,
  oy: 0,
  chosen: -1,
  over: null,
  zoomed: false,
  found: ""
};

function layOut(run) {
  view.folded = fold(run, view);
  view.place = plan(view.folded, canvas.clientWidth, canvas.clientHeight);
  if (!view.zoomed) fit();
}
function fit() {
  const p = view.place, w = canvas.clientWidth, h = canvas.clientHeight;
  view.k = Math.max(0.02, Math.min(1.25, (w - 40) / p.wide, (h - 70) / p.tall));
  view.ox = (w - p.wide * view.k) / 2;
  view.oy = (h - 16 - p.tall * view.k) / 2 - p.top * view.k;
  view.zoomed = false;
}

function drawGraph(run, m, now) {
  const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight,
        c = colours();
  if (canvas.width != Math.round(w * ratio) || canvas.height != Math.round(h * ratio)) {
    canvas.width = w * ratio;
    canvas.height = h * ratio;
    layOut(run);
  }
  load(run, view.folded, m, now);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, w, h);
  ctx.translate(view.ox, view.oy);
  ctx.scale(view.k, view.k);
  const small = view.k < 0.42;
  for (const f of view.place.frames)
    if (!view.shut.has(f.pe)) drawFrame(f, c, small);
  if (small) drawSmall(c);
  else {
    for (const e of view.folded.edges) drawEdge(e, c);
    view.folded.boxes.forEach((box, i) => drawBox(box, i, c));
  }
}

/// The frame of a PE.
function drawFrame(f, c, small) {
  ctx.lineWidth = small ? 0.8 / view.k : 1.2;
  ctx.strokeStyle = c.soft;
  ctx.strokeRect(f.x, f.y, f.w, f.h);
  const size = small ? 13 / view.k : 13;
  text(frameName(f.pe), f.x + 8, f.y + 4 + size, `bold ${size}px system-ui`, c.soft);
}
const frameName = pe => pe < 0 ? "elsewhere" : "PE " + pe;

/// Where an edge goes: straight on, or down to the next row.
function curve(e) {
  const p = view.place, ax = p.x[e.a] + BOX_W, ay = p.y[e.a] + BOX_H / 2, bx = p.x[e.b],
        by = p.y[e.b] + BOX_H / 2;
  const bend = bx > ax ? (bx - ax) * 0.45 : 60;
  return {ax, ay, bx: bx - 7, by, bend, mx: (ax + bx) / 2, my: (ay + by) / 2};
}
/// All of a graph that has no room for names: what looks the same is drawn at once.
function drawSmall(c) {
  const {folded, place: p} = view, {boxes, edges} = folded, px = 1 / view.k;
  ctx.globalAlpha = edges.length > 800 ? 0.3 : 1;
  for (const [kind, wide] of [["call", 0.8], ["queue", 1.2], ["always", 1.8]]) {
    ctx.beginPath();
    for (const e of edges) {
      if ((e.always ? "always" : e.queue ? "queue" : "call") != kind) continue;
      ctx.moveTo(p.x[e.a] + BOX_W, p.y[e.a] + BOX_H / 2);
      ctx.lineTo(p.x[e.b], p.y[e.b] + BOX_H / 2);
    }
    ctx.lineWidth = wide * px;
    ctx.strokeStyle = kind == "call" ? c.call : c.queue;
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = c.soft;
  ctx.lineWidth = 0.8 * px;
  for (let step = 0; step < 5; step++) {
    ctx.beginPath();
    boxes.forEach((box, i) => box.step == step && ctx.rect(p.x[i], p.y[i], BOX_W, BOX_H));
    ctx.fillStyle = c["c" + step];
    ctx.fill();
    ctx.stroke();
  }
  boxes.forEach((box, i) => {
    const x = p.x[i], y = p.y[i];
    if (box.wait > 0.1) hatch(x, y, c);
    if (!box.cause && i != view.chosen && !isFound(box)) return;
    ctx.strokeStyle = box.cause ? c.cause : c.ink;
    ctx.lineWidth = Math.max(2 * px, 6);
    ctx.strokeRect(x - 4, y - 4, BOX_W + 8, BOX_H + 8);
    if (box.cause) text("\u25b2", x + BOX_W / 2, y - 12, "bold 40px system-ui", c.cause, "center");
  });
}

function drawEdge(e, c) {
  const {ax, ay, bx, by, bend, mx, my} = curve(e), colour = e.queue ? c.queue : c.call;
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.bezierCurveTo(ax + bend, ay, bx - bend, by, bx, by);
  ctx.setLineDash(e.queue ? [7, 4] : []);
  ctx.lineWidth = e.always ? 3.6 : e.queue ? 2.4 : 1.6;
  ctx.strokeStyle = colour;
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(bx + 7, by);
  ctx.lineTo(bx - 2, by - 5);
  ctx.lineTo(bx - 2, by + 5);
  ctx.fillStyle = colour;
  ctx.fill();
  text(
      e.rate < 0                   ? "" :
          (e.queue || e.rate >= 0) ? rateText(e.rate) :
                                     "",
      mx, my - 12, "11px system-ui", c.soft, "center");
  if (!e.queue) {
    if (e.fresh) frame(mx - 24, my - 9, 48, 18, c);
    return;
  }
  for (let i = 0; i < 5; i++) {
    ctx.fillStyle = i < Math.round(e.fill * 5) ? (e.fill > 0.9 ? c.cause : c.queue) : c.card;
    ctx.fillRect(mx - 22 + i * 9, my - 5, 8, 10);
    ctx.strokeStyle = c.queue;
    ctx.lineWidth = 1;
    ctx.strokeRect(mx - 22 + i * 9, my - 5, 8, 10);
  }
  if (e.fresh) frame(mx - 27, my - 10, 54, 20, c);
}
function frame(x, y, w, h, c) {
  ctx.strokeStyle = c.ink;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 2]);
  ctx.strokeRect(x, y, w, h);
  ctx.setLineDash([]);
}
function text(what, x, y, font, colour, align = "left") {
  ctx.font = font;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.fillText(what, x, y);
}
function cut(name, width, font) {
  ctx.font = font;
  if (ctx.measureText(name).width <= width) return name;
  while (name.length > 2 && ctx.measureText(name + "\u2026").width > width)
    name = name.slice(0, -1);
  return name + "\u2026";
}

function drawBox(box, i, c) {
  const x = view.place.x[i], y = view.place.y[i], {step} = box;
  const pile = box.kind == "r", ink = step == 4 ? c.on4 : c.ink;
  if (pile)
    for (const d of [8, 4]) {
      ctx.fillStyle = c.card;
      ctx.strokeStyle = c.soft;
      ctx.lineWidth = 1;
      ctx.fillRect(x + d, y - d, BOX_W, BOX_H);
      ctx.strokeRect(x + d, y - d, BOX_W, BOX_H);
    }
  ctx.fillStyle = c["c" + step];
  ctx.fillRect(x, y, BOX_W, BOX_H);
  if (box.wait > 0.1) hatch(x, y, c);
  ctx.strokeStyle = box.cause ? c.cause : c.soft;
  ctx.lineWidth = box.cause ? 3.5 : 1.2;
  ctx.strokeRect(x, y, BOX_W, BOX_H);
  if ("cp".includes(box.kind)) {
    ctx.lineWidth = 1;
    ctx.strokeRect(x + 3, y + 3, BOX_W - 6, BOX_H - 6);
  }
  if (i == view.chosen || isFound(box)) {
    ctx.strokeStyle = c.ink;
    ctx.lineWidth = 2;
    ctx.strokeRect(x - 4, y - 4, BOX_W + 8, BOX_H + 8);
  }
  const room = BOX_W - 16 - (pile ? 30 : 0), bold = "bold 13px system-ui";
  if (box.source) {
    ctx.fillStyle = ink;
    ctx.beginPath();
    ctx.arc(x + 12, y + 12.5, 4, 0, 7);
    ctx.fill();
  }
  text(
      cut(box.label, room - (box.source ? 12 : 0), bold), x + 8 + (box.source ? 13 : 0), y + 17,
      bold, ink);
  text(cut(box.what, BOX_W - 16, "11px system-ui"), x + 8, y + 31, "11px system-ui", ink);
  text(`${rateText(box.rate)}  ${percent(box.cpu)}`, x + 8, y + 44, "11px system-ui", ink);
  if (pile) {
    text(
        "\u00d7" + box.channels.length, x + BOX_W - 6, y + 16, "bold 12px system-ui", ink, "right");
    const shown = box.cells.slice(0, 12), most = Math.max(0.05, ...shown);
    ctx.fillStyle = ink;
    shown.forEach((v, n) => {
      const high = 1 + 15 * v / most;
      ctx.fillRect(x + BOX_W - 8 - shown.length * 5 + n * 5, y + BOX_H - 5 - high, 4, high);
    });
  }
  if (box.cause) {
    triangle(x, y - (pile ? 22 : 14), c.cause);
    text(box.cause, x + 14, y - (pile ? 13 : 5), "bold 12px system-ui", c.cause);
  }
  if (box.wait > 0.1)
    text(`waits ${percent(box.wait)}`, x, y + BOX_H + 14, "12px system-ui", c.wait);
}
function triangle(x, y, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x + 5, y);
  ctx.lineTo(x, y + 9);
  ctx.lineTo(x + 10, y + 9);
  ctx.fill();
}
function hatch(x, y, c) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, BOX_W, BOX_H);
  ctx.clip();
  ctx.strokeStyle = c.wait;
  ctx.globalAlpha = 0.3;
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  for (let d = -BOX_H; d < BOX_W; d += 9) {
    ctx.moveTo(x + d, y + BOX_H);
    ctx.lineTo(x + d + BOX_H, y);
  }
  ctx.stroke();
  ctx.restore();
}
const isFound = box => view.found && box.name.toLowerCase().includes(view.found);

/// The box at a point of the canvas, or the edge.
function hit(px, py) {
  const x = (px - view.ox) / view.k, y = (py - view.oy) / view.k, p = view.place;
  const box = view.folded.boxes.findIndex(
      (_, i) => x >= p.x[i] && x <= p.x[i] + BOX_W && y >= p.y[i] && y <= p.y[i] + BOX_H);
  if (box >= 0) return {box};
  const title = p.frames.find(
      f => x >= f.x && x <= f.x + f.w && y >= f.y && y <= f.y + TITLE && !view.shut.has(f.pe));
  if (title) return {pe: title.pe};
  let best = null, near = 14 / Math.min(1, view.k);
  view.folded.edges.forEach((e, i) => {
    const {ax, ay, bx, by, bend} = curve(e);
    for (let t = 0; t <= 1; t += 0.1) {
      const u = 1 - t,
            ex = u * u * u * ax + 3 * u * u * t * (ax + bend) + 3 * u * t * t * (bx - bend) +
          t * t * t * bx,
            ey = (u * u * u + 3 * u * u * t) * ay + (3 * u * t * t + t * t * t) * by;
      const d = Math.hypot(ex - x, ey - y);
      if (d < near) {
        near = d;
        best = {edge: i};
      }
    }
  });
  return best;
}
