// Layers from left to right, as passes/print/drawing has them, and places in pixels.
function layersOf(boxes, edges) {
  const to = boxes.map(() => []), from = boxes.map(() => []), waits = boxes.map(() => 0),
        layer = boxes.map(() => 0);
  for (const e of edges) {
    to[e.a].push(e.b);
    from[e.b].push(e.a);
    waits[e.b]++;
  }
  const ready = boxes.map((_, i) => i).filter(i => !waits[i]), done = boxes.map(() => false);
  for (let n = 0, next = 0, head = 0; n < boxes.length;) {
    if (head == ready.length) {
      while (done[next]) next++;
      ready.push(next);
    }  // a loop: it begins anywhere
    const i = ready[head++];
    if (done[i]) continue;
    done[i] = true;
    n++;
    for (const t of to[i])
      if (!done[t]) {
        layer[t] = Math.max(layer[t], layer[i] + 1);
        if (!--waits[t]) ready.push(t);
      }
  }
  const layers = [];
  layer.forEach((l, i) => (layers[l] ??= []).push(i));
  const all = layers.filter(l => l), place = [];
  const number = l => l.forEach((x, i) => place[x] = (i + 0.5) / l.length);
  all.forEach(number);
  const sort = (l, near) => {
    const key = new Map(l.map(
        x =>
            [x,
             near[x].length ? near[x].reduce((s, y) => s + place[y], 0) / near[x].length :
                              place[x]]));
    l.sort((p, q) => key.get(p) - key.get(q) || p - q);
    number(l);
  };
  for (let k = 0; k < 4; k++) {
    for (let i = 1; i < all.length; i++) sort(all[i], from);
    for (let i = all.length - 1; i-- > 0;) sort(all[i], to);
  }
  return {layers: all, to, from};
}

const BOX_W = 150, BOX_H = 50, GAP_X = 84, GAP_Y = 34;
/// Places of boxes: x and y, and of the frames of PEs, if there are several.
function plan(folded, width, height) {
  const {boxes, edges} = folded, whole = layersOf(boxes, edges);
  const pes = Map.groupBy(boxes.keys(), i => boxes[i].pe);
  if (pes.size < 2) {
    const rows = inRows(whole.layers, width, height);
    return {...whole, ...rows, frames: [], top: -(rows.band - GAP_Y) / 2};
  }
  const order = peOrder(folded, [...pes.keys()]);
  const parts = order.map(pe => {
    const ids = pes.get(pe), at = new Map(ids.map((id, i) => [id, i]));
    const inner = edges.filter(e => at.has(e.a) && at.has(e.b))
                      .map(e => ({a: at.get(e.a), b: at.get(e.b)}));
    return {pe, layers: layersOf(ids, inner).layers.map(l => l.map(i => ids[i]))};
  });
  let best = null;
  for (let columns = 1; columns <= Math.min(parts.length, 12); columns++) {
    const made = inFrames(parts, columns, width, height);
    if (!best || made.scale > best.scale) best = made;
  }
  return {...whole, ...best, layers: parts.flatMap(p => p.layers), top: 0};
}

/// PEs as tuples go through them.
function peOrder(folded, pes) {
  const at = new Map(pes.map((pe, i) => [pe, i])), {boxes, edges} = folded;
  const between = edges.map(e => ({a: at.get(boxes[e.a].pe), b: at.get(boxes[e.b].pe)}));
  return layersOf(pes, between.filter(e => e.a != e.b)).layers.flat().map(i => pes[i]);
}

const PAD = 20, TITLE = 26;  // of a frame
/// Frames side by side, so many in a row.
function inFrames(parts, columns, width, height) {
  const x = [], y = [], frames = [], rows = Math.ceil(parts.length / columns);
  let left = 0, top = 0, tall = 0, wide = 0;
  parts.forEach((part, i) => {
    if (i && i % columns == 0) {
      left = 0;
      top += tall + GAP_Y;
      tall = 0;
    }
    const p = inRows(part.layers, width / columns, height / rows);
    for (const n of part.layers.flat()) {
      x[n] = left + PAD + p.x[n];
      y[n] = top + TITLE + PAD + p.y[n] + (p.band - BOX_H - GAP_Y) / 2;
    }
    frames.push({pe: part.pe, x: left, y: top, w: p.wide + 2 * PAD, h: p.tall + TITLE + 2 * PAD});
    left += p.wide + 2 * PAD + GAP_X;
    wide = Math.max(wide, left - GAP_X);
    tall = Math.max(tall, p.tall + TITLE + 2 * PAD);
  });
  const all = top + tall;
  return {x, y, frames, wide, tall: all, scale: Math.min(width / wide, height / all)};
}

/// Layers side by side, in as many rows as make boxes large. y is 0 in the middle of the first one.
function inRows(layers, width, height) {
  const band = Math.max(1, ...layers.map(l => l.length)) * (BOX_H + GAP_Y);
  const perRow = bestRow(layers.length, band, width, height), x = [], y = [];
  layers.forEach((l, i) => l.forEach((n, j) => {
    x[n] = (i % perRow) * (BOX_W + GAP_X);
    y[n] = Math.floor(i / perRow) * (band + 30) + (j - (l.length - 1) / 2) * (BOX_H + GAP_Y);
  }));
  const columns = Math.min(perRow, layers.length), rows = Math.ceil(layers.length / perRow);
  return {
    x, y, band, wide: columns * (BOX_W + GAP_X) - GAP_X, tall: rows * (band + 30) - 30 - GAP_Y
  };
}
/// How many layers stand in a row so that boxes are as large as can be.
function bestRow(layers, tall, width, height) {
  let best = layers || 1, scale = 0;
  for (let perRow = 1; perRow <= layers; perRow++) {
    const k = Math.min(
        1.25, (width - 40) / (perRow * (BOX_W + GAP_X) - GAP_X),
        (height - 70) / (Math.ceil(layers / perRow) * (tall + 30)));
    if (k >= scale) {
      scale = k;
      best = perRow;
    }
  }
  return best;
}
