// Words and tables: the head, decisions, the selected operator, threads, all operators.
const $ = id => document.getElementById(id);
const made = (name, content, attributes = {}) => {
  const e = document.createElement(name);
  if (content !== undefined) e.textContent = content;
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  return e;
};

function showHead(run, m, state) {
  const h = run.header;
  $("name").textContent = document.title = h.composite;
  document.title += " - Sluice";
  $("state").textContent = state;
  const policy = h.policy.name == "off" ? "no policy" : `policy ${h.policy.name}`;
  const settled = run.settled === null ?
      (h.policy.name == "off" ? "" : ", searching") :
      `, settled ${clock(Math.max(0, run.last - run.settled))} ago`;
  $("facts").textContent =
      `${run.processes.size > 1 ? run.processes.size + " processes" : "one process"} \u00b7 ${
          count(m.cpus, "processor")} \u00b7 ${policy}${run.paused ? ", paused" : settled}`;
  $("say").textContent = `${rateText(m.rate)} from sources. ${
      m.limit?.text ? m.limit.text + "." : "What limits it is not known yet."}`;
  const lost = m.leftOut.reduce((s, c) => s + c.count, 0);
  const tiles = [
    ["from sources", rateText(m.rate)],
    ["half / 99 % latency", `${seconds(m.latency[0])} / ${seconds(m.latency[1])}`],
    [`of ${m.mostWorkers} workers, ${percent(m.busy / Math.max(1, m.workers))} busy`, m.workers],
    [`of ${m.ports.size} boundaries queued`, m.queues],
    [`of ${m.cpus} processors, others ${m.others.toFixed(2)}`, m.cpu.toFixed(2)],
    ["of memory", bytes(m.memory)]
  ];
  if (lost) tiles.push(["left out or failed", lost]);
  if (run.lost) tiles.push(["lines missing", run.lost]);
  $("tiles").replaceChildren(...tiles.map(([what, value]) => {
    const d = made("div");
    d.append(made("dt", what), made("dd", value));
    return d;
  }));
}

let drawnEvents = "";
function showDecisions(run, jump) {
  const state = run.events.length + "/" + run.lost;
  if (state == drawnEvents) return;
  drawnEvents = state;
  $("decisions").replaceChildren(...run.events.slice(-100).reverse().map(e => {
    const li = made("li"), button = made("button");
    button.append(
        made("b", `${SIGNS[e.kind] ?? ""} ${e.kind}`),
        `${clock(e.t)}${e.pe === undefined ? "" : ` PE ${e.pe}`} ${e.change ?? ""}`);
    if (e.reason) button.append(made("br"), made("small", e.reason));
    const nodes = run.processes.get(e.pe ?? -1)?.header.graph.nodes ?? [];
    const numbers = Object.entries(e.numbers ?? {})
                        .slice(0, 4)
                        .map(([k, v]) => numberText(
                                 k, v, nodes, n => typeof n == "number" ? units(n) : n))
                        .join(", ");
    if (numbers) button.append(made("br"), made("small", numbers));
    button.onclick = () => jump(e.t);
    li.append(button);
    return li;
  }));
  if (!run.events.length)
    $("decisions")
        .append(made(
            "li", run.header?.policy.name == "off" ? "Nothing adapts this program." : "None yet."));
}

/// Lines about a box: [name, value].
function factsOf(run, m, box) {
  const o = m.ops, first = box.op,
        many = {c: "composite, ", p: "process, "}[box.kind],
        facts = [["kind", many ? many + box.what : first.kind ?? ""]];
  if (box.pe >= 0 && box.kind != "p") facts.push(["process", `PE ${box.pe}`]);
  if (first.at && !"cp".includes(box.kind)) facts.push(["place", first.at]);
  facts.push(
      ["in", rateText(Math.max(-1, ...box.ops.map(i => o.in[i])))], ["out", rateText(box.out)],
      ["cpu", `${percent(box.cpu)} of a processor`]);
  if (box.slept > 0.005)
    facts.push(["sleeps", `${percent(box.slept)} of the time, as part of its work`]);
  if (box.wait > 0.02) facts.push(["waits", `${percent(box.wait)} of the time for space`]);
  if (box.cells.length) facts.push(["channels", box.cells.map(percent).join(", ")]);
  for (const s of run.streams) {
    const p = m.ports.get(s.port);
    if (box.ops.includes(s.to) && p && facts.length < 24)
      facts.push(["port", portText(run, s, p, m.t)]);
  }
  for (const c of [...m.leftOut, ...m.metrics])
    if (box.ops.includes(c.operator)) facts.push([c.name, String(c.count)]);
  for (const l of m.links)
    if (box.ops.includes(l.operator))
      facts.push([
        "link",
        `${l.sends ? "to" : "from"} PE ${l.pe}, ${units(l.tuples)} tuples, ${bytes(l.bytes)}`
      ]);
  for (const th of m.threads)
    if (box.ops.includes(th.operator)) facts.push(["thread", `${th.thread}: ${stateText(th)}`]);
  return facts;
}
/// Why a boundary is what it is: what `sluice explain` says.
const because = s => s.why ? ` (${s.why})` : "";
function portText(run, s, p, now) {
  const change = run.changes.get(s.port),
        boundary = {
          queue: "always a queue",
          switchable: "may be a queue or a call",
          exclusive: "a call, one thread at a time",
          direct: "a call"
        }[s.boundary] ??
      s.boundary;
  return `from ${run.ops[s.from].name}: ${
             p.queue ?
                 `a queue, ${p.depth} of ${p.room} batches, producers wait ${percent(p.blocked)}` :
                 "a call now"}; ${boundary}${because(s)}` +
      (p.width > 1 ? `; ${p.width} workers at once` : "") +
      (change && change.t <= now ?
           `; became a ${change.queue ? "queue" : "call"} at ${clock(change.t)}${
               change.why ? " (" + change.why + ")" : ""}` :
           "");
}
const stateText = th => ({runs: "runs", idle: "idle"})[th.state] ?? `${{
                          space: "waits for space",
                          work: "sleeps as part of its work",
                          waits: "waits for data or time"
                        }[th.state]} since ${seconds(th.for)}`;

function edgeText(run, m, e) {
  const s = run.streams[e.streams[0]], {boxes} = view.folded, p = m.ports.get(s.port);
  const head = `${boxes[e.a].label} to ${boxes[e.b].label}: ${rateText(e.rate)}` +
      (e.streams.length > 1 ? `, ${e.streams.length} streams` : "");
  if (s.boundary == "fused")
    return head + `\nA call for each tuple${because(s)}: both are compiled as one.`;
  if (s.boundary == "link") return head + "\nA link to another process.";
  if (!p) return head + `\nA call for each batch${because(s)}.`;
  return head + "\n" + portText(run, s, p, m.t).replace(/^from .*?: /, "");
}

/// What a process does as a whole.
function peText(run, m, pe) {
  const now = run.processes.get(pe)?.now, l = now?.line;
  if (!l) return frameName(pe);
  return `PE ${pe}: ${now.cpu.toFixed(2)} processors, ${bytes(l.memory)}, ${
      count(l.workers, "worker")} of ${l.mostWorkers}${
      l.limit?.text ? "\n" + l.limit.text : ""}\nA double click makes it one box.`;
}

function showChosen(run, m) {
  const box = view.folded.boxes[view.chosen];
  $("chosen").textContent = box ? box.name : "Nothing is selected";
  $("details").replaceChildren(
      ...(box ? factsOf(run, m, box) : [
        ["choose", "Click an operator, or move with the arrow keys."]
      ]).flatMap(([what, value]) => [made("dt", what), made("dd", value)]));
}

//===--- the drawer ---
const drawer = {
  what: "",
  sort: 1,
  up: false
};
function rowsOf(run, m) {
  if (drawer.what == "threads")
    return {
      head: ["thread", "where", "state"],
      rows: m.threads.map(th => [th.thread, run.ops[th.operator]?.name ?? "", stateText(th)])
    };
  const rows = run.ops.map(
      (op, i) =>
          [op.name + (op.part ? ` (${op.part})` : ""), (op.kind ?? "").replace(/^.*::/, ""),
           m.ops.in[i], m.ops.out[i], m.ops.cpu[i], m.ops.waited[i]]);
  return {
    head: ["operator", "kind", "in/s", "out/s", "cpu", "sleeps"],
    rows,
    show: [String, String, rateText, rateText, percent, percent]
  };
}
function showDrawer(run, m) {
  $("drawer").hidden = !drawer.what;
  for (const [id, what] of [["showThreads", "threads"], ["showTable", "table"]])
    $(id).setAttribute("aria-expanded", drawer.what == what);
  if (!drawer.what) return;
  const {head, rows, show} = rowsOf(run, m), focus = document.activeElement?.dataset?.column;
  if (show)
    rows.sort(
        (a, b) => (a[drawer.sort] < b[drawer.sort]     ? 1 :
                       a[drawer.sort] > b[drawer.sort] ? -1 :
                                                         0) *
            (drawer.up ? -1 : 1));
  const table = made("table"), top = made("tr");
  head.forEach((name, i) => {
    const th = made("th", undefined, {scope: "col", class: show && i > 1 ? "n" : ""});
    if (show) {
      const b = made("button", name, {"data-column": i});
      b.onclick = () => {
        drawer.up = drawer.sort == i && !drawer.up;
        drawer.sort = i;
        showDrawer(run, m);
      };
      th.append(b);
      th.setAttribute(
          "aria-sort", drawer.sort == i ? (drawer.up ? "ascending" : "descending") : "none");
    } else th.textContent = name;
    top.append(th);
  });
  table.append(top, ...rows.slice(0, 3000).map(row => {
    const tr = made("tr");
    tr.append(
        ...row.map((v, i) => made("td", show ? show[i](v) : v, show && i > 1 ? {class: "n"} : {})));
    return tr;
  }));
  $("drawer").replaceChildren(table);
  if (focus !== undefined) $("drawer").querySelector(`[data-column="${focus}"]`)?.focus();
}
