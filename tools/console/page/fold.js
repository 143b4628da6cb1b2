// Operators as boxes: parts of one operator, the channels of a region, composites and PEs are one
// box while folded.
const MOST_BOXES = 60;

/// The PE that runs each operator; -1: one process runs all, or its PE is not known yet. The end of
/// a link at which tuples arrive is part of its beginning.
function pesOf(run) {
  const pe = run.ops.map(() => -1);
  if (run.processes.size < 2) return pe;
  for (const [number, process] of run.processes)
    process.header.flow?.operators.forEach((op, i) => {
      if (!op.elsewhere && i < pe.length) pe[i] = number;
    });
  for (const s of run.streams)
    if (s.boundary == "link") pe[s.to] = pe[s.from];
  return pe;
}

/// The box that an operator is in: its key, which says what unfolds it, and its PE.
function boxOf(op, pe, many, view) {
  if (view.shut.has(pe)) return {key: "p:" + pe, pe};
  const path = op.group ?? op.name, steps = path.split(".");
  for (let n = 1; many && n < steps.length; n++) {
    const composite = "c:" + steps.slice(0, n).join(".");
    if (!view.open.has(composite)) return {key: composite, pe};
  }
  if (op.group && !view.open.has("r:" + op.group)) return {key: "r:" + op.group, pe};
  return {key: "o:" + op.name, pe};
}

/// The boxes and the edges between them. Only what does not change while nothing is folded.
function fold(run, view) {
  const pes = pesOf(run), index = new Map(), boxes = [], many = run.ops.length > MOST_BOXES;
  const of = run.ops.map((op, i) => {
    const {key, pe} = boxOf(op, pes[i], many, view), whole = key + "@" + pe;
    if (!index.has(whole)) {
      index.set(whole, boxes.length);
      boxes.push(
          {key, pe, kind: key[0], name: key[0] == "p" ? "PE " + pe : key.slice(2), ops: []});
    }
    boxes[index.get(whole)].ops.push(i);
    return index.get(whole);
  });
  for (const box of boxes) {
    const ops = box.ops.map(i => run.ops[i]);
    box.op = ops.find(op => !op.part || op.part == "output") ?? ops[0];
    box.source = ops.some(op => op.source && !op.daemon && op.part != "receive");
    box.what = "cp".includes(box.kind) ? count(new Set(ops.map(op => op.name)).size, "operator") :
                                 (box.op.kind ?? "").replace(/^.*::/, "");
    box.main = box.ops.filter(i => run.ops[i].part != "ticker");
    box.cells = [];
    box.channels = box.kind == "r" ? [...Map.groupBy(box.ops, i => run.ops[i].name).values()] : [];
    box.label = box.kind == "p" ? box.name : box.name.split(".").at(-1);
  }
  const seen = new Map(), edges = [], into = run.ops.map(() => []);
  run.streams.forEach((s, i) => {
    into[s.to].push(i);
    const a = of[s.from], b = of[s.to];
    if (a == b || run.ops[s.from].daemon) return;
    const key = a * 1e6 + b;
    if (!seen.has(key)) {
      seen.set(key, edges.length);
      edges.push({a, b, streams: []});
    }
    edges[seen.get(key)].streams.push(i);
  });
  // What only ticks for others has no box of its own: its stream would say nothing.
  return {boxes, edges, of, into};
}

/// Shares of a processor at which the colour of a box changes.
const STEPS = [0.05, 0.2, 0.45, 0.75];
/// What each box does at a moment. Loops without functions: there may be thousands.
function loadBoxes(run, folded, m) {
  const waits = waitsOf(run, folded, m), o = m.ops;
  for (const box of folded.boxes) {
    let cpu = 0, most = -1, slept = -1, wait = 0, out = -1, allOut = 0;
    for (const i of box.ops) {
      cpu += Math.max(0, o.cpu[i]);
      most = Math.max(most, o.cpu[i]);
      slept = Math.max(slept, o.waited[i]);
      wait = Math.max(wait, waits[i]);
      out = Math.max(out, o.out[i]);
    }
    let rate = -1, all = 0;
    for (const i of box.main) {
      const v = run.ops[i].source ? o.out[i] : o.in[i];
      rate = Math.max(rate, v);
      all += Math.max(0, v);
      allOut += Math.max(0, o.out[i]);
    }
    const isRegion = box.kind == "r";
    box.cpu = "cp".includes(box.kind) ? most : cpu;
    box.step = 0;
    while (box.cpu >= STEPS[box.step]) box.step++;
    box.rate = isRegion ? all : rate;
    box.out = isRegion ? allOut : out;
    box.slept = slept;
    box.wait = wait;
    if (isRegion)
      box.cells = box.channels.map(ops => ops.reduce((s, i) => s + Math.max(0, o.cpu[i]), 0));
    box.cause = "";
  }
  const box = folded.boxes[folded.of[m.limit?.operator]];
  if (box && m.limit.kind != "input") box.cause = causeWord(m.limit);
}

/// What each box and edge does at a moment.
function load(run, folded, m, now) {
  loadBoxes(run, folded, m);
  const o = m.ops;
  for (const e of folded.edges) {
    e.queue = false;
    e.fill = 0;
    e.rate = -1;
    e.always = false;
    e.fresh = null;
    e.blocked = 0;
    for (const i of e.streams) {
      const s = run.streams[i], p = m.ports.get(s.port), change = run.changes.get(s.port);
      const isOnly = folded.into[s.to].length == 1;
      const rate = isOnly && o.in[s.to] >= 0 ? o.in[s.to] : o.out[s.from];
      if (rate >= 0) e.rate = Math.max(e.rate, 0) + rate;
      e.always ||= s.boundary == "queue" || s.boundary == "link";
      if (s.boundary == "link") e.queue = true;
      if (!p) continue;
      e.queue ||= p.queue;
      if (p.queue) {
        e.fill = Math.max(e.fill, p.room ? p.depth / p.room : 0);
        e.blocked = Math.max(e.blocked, p.blocked);
      }
      if (change && change.t <= now && now - change.t < 10) e.fresh = change;
    }
  }
}
const causeWord = limit => ({
                             stuck: "stuck here",
                             device: "sleeps as part of its work",
                             peer: "waits for another PE",
                             processors: "largest share"
                           })[limit.kind] ??
    "limits the program";

/// The share of time that each operator waited for space: at its own streams, or in what it calls.
function waitsOf(run, folded, m) {
  const waits = new Float32Array(run.ops.length), work = [];
  for (const s of run.streams) {
    const p = m.ports.get(s.port);
    if (p?.queue && p.blocked > waits[s.from]) {
      waits[s.from] = p.blocked;
      if (p.blocked > 0.02) work.push(s.from);
    }
  }
  while (work.length) {
    const i = work.pop();
    for (const n of folded.into[i]) {
      const s = run.streams[n];
      if (m.ports.get(s.port)?.queue || waits[s.from] >= waits[i]) continue;
      waits[s.from] = waits[i];
      work.push(s.from);
    }
  }
  return waits;
}
