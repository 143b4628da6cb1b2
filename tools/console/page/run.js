// A run, as its lines come: what was measured at each moment, and what happened. No drawing.
const at = (array, i, otherwise = 0) => array?.[i] ?? otherwise;

class Run {
  constructor() {
    this.header = null;          // of the first process
    this.processes = new Map();  // PE -> { last: figures, rates }
    this.moments = [];           // { t, ops, ports, threads, limit, ... }, ascending
    this.events = [];            // decisions that change something, and what else happened
    this.changes = new Map();    // input port -> { t, queue }: when it became a queue or a call
    this.lost = 0;
    this.final = null;
    this.paused = false;
    this.settled = null;
    this.tuples = new Map();   // input port -> [{ t, text }], of taps
    this.refused = new Map();  // input port -> why there are none
  }
  append(line) {
    const take = this[{
      header: "takeHeader",
      figures: "takeFigures",
      decision: "takeDecision",
      settled: "takeSettled",
      pause: "takePause",
      resume: "takePause",
      "load-change": "takeOther",
      lost: "takeOther",
      final: "takeFinal",
      switch: "takeSwitch",
      tap: "takeTap"
    }[line.line]];
    if (take) take.call(this, line);
  }
  get ops() { return this.header?.flow?.operators ?? []; }
  get streams() { return this.header?.flow?.streams ?? []; }
  takeHeader(line) {
    const pe = line.pe ?? -1;
    this.header ??= line;
    this.processes.set(pe, {
      header: line,
      last: null,
      now: null,
      shift: (line.started ?? 0) - (this.header.started ?? 0),
      ended: false
    });
    this.final = null;
  }
  /// When it was, in the time of the first process: lines have that of their own.
  timeOf(line) { return line.time + (this.processes.get(line.pe ?? -1)?.shift ?? 0); }
  takeDecision(line) {
    if (line.kind == "wait" || line.kind == "settled") return;
    if (line.kind == "load-change") this.settled = null;
    this.events.push({
      t: this.timeOf(line),
      kind: line.kind,
      pe: line.pe,
      change: this.changeOf(line),
      reason: line.reason,
      numbers: line.numbers,
      line
    });
  }
  takeSettled(line) {
    this.settled = this.timeOf(line);
    this.events.push({
      t: this.timeOf(line),
      kind: "settled",
      pe: line.pe,
      reason: "nothing more to try",
      change: `${count(line.threads, "worker")}, ${count(line.queues, "queue")}, ${
          units(line.throughput)} tuples/s`
    });
  }
  takePause(line) {
    this.paused = line.line == "pause";
    this.events.push({
      t: this.timeOf(line),
      kind: line.line,
      pe: line.pe,
      change: this.paused ? "adaptation is switched off" : "adaptation is switched on",
      reason: ""
    });
  }
  takeOther(line) {
    if (line.line == "lost") this.lost += line.lines;
    if (line.line == "load-change") this.settled = null;
    else
      this.events.push({
        t: this.timeOf(line),
        kind: line.line,
        pe: line.pe,
        change: `${count(line.lines, "line")} missing`,
        reason: line.reason
      });
  }
  takeFinal(line) {
    const process = this.processes.get(line.pe ?? -1);
    if (process) process.ended = true;
    if (!this.final?.exitCode) this.final = line;
    this.events.push({
      t: this.timeOf(line),
      kind: "ended",
      pe: line.pe,
      change: `exit code ${line.exitCode}`,
      reason: ""
    });
  }
  takeTap(line) {
    if (line.refused) this.refused.set(line.port, line.refused);
    else this.refused.delete(line.port);
    const all = this.tuples.get(line.port) ?? [];
    for (const text of line.tuples) all.push({t: this.timeOf(line), text});
    this.tuples.set(line.port, all.slice(-2000));
  }
  /// What was carried out: more often than figures come.
  takeSwitch(line) {
    const nodes = this.processes.get(line.pe ?? -1)?.header.graph.nodes ?? [];
    const t = this.timeOf(line);
    for (const [list, queue] of [[line.queue, true], [line.unqueue, false]])
      for (const node of list ?? [])
        for (const port of this.portsOf(nodes[node]?.name ?? ""))
          this.changes.set(port, {t, queue, why: this.reasonAt(t)});
  }
  /// The input port of a node: of `Sink:1` the second one of Sink.
  portsOf(node) {
    const name = node.replace(/ \(part .*\)$/, "");
    const [, op, number] = name.match(/^(.*?)(?::(\d+))?$/);
    const to = this.streams.filter(s => this.ops[s.to].name == op).map(s => s.port);
    const ports = [...new Set(to)].sort((a, b) => a - b);
    return number === undefined ? ports.slice(0, 1) : ports.slice(+number, +number + 1);
  }
  /// Which boundaries become queues, and how many workers run.
  changeOf(line) {
    const nodes = this.processes.get(line.pe ?? -1)?.header.graph.nodes ?? [];
    const names = list => list.slice(0, 4).map(n => nodes[n]?.name ?? n).join(", ") +
        (list.length > 4 ? ` and ${list.length - 4} more` : "");
    const parts = [];
    if (line.queue?.length) parts.push("queue before " + names(line.queue));
    if (line.unqueue?.length) parts.push("call of " + names(line.unqueue));
    if (line.widths?.length)
      parts.push("width of " + names(line.widths.map(w => w[0])) + " is " + line.widths[0][1]);
    if (line.threads !== undefined) parts.push(count(line.threads, "worker"));
    return parts.join("; ");
  }
  takeFigures(line) {
    const process = this.processes.get(line.pe ?? -1);
    if (!process) return;
    const before = process.last, seconds = before ? line.time - before.time : line.time;
    if (seconds < 0.2) return; // too short to say anything of rates
    process.last = line;
    const rate = (now, then) => now < 0 || then < 0 ? -1 : Math.max(0, (now - then) / seconds);
    const n = this.ops.length, o = line.operators, b = before?.operators;
    const ops = this.newOps(0);
    for (let i = 0; i < n; i++) {
      ops.in[i] = rate(at(o.in, i, -1), before ? at(b.in, i, -1) : 0);
      ops.out[i] = rate(at(o.out, i, -1), before ? at(b.out, i, -1) : 0);
      ops.cpu[i] = rate(at(o.cpu, i), at(b?.cpu, i));
      ops.waited[i] = rate(at(o.waited, i), at(b?.waited, i));
    }
    const t = this.timeOf(line), ports = new Map(), p = line.boundaries, q = before?.boundaries;
    (p.port ?? []).forEach((port, i) => ports.set(port, {
      queue: !!at(p.queue, i),
      width: at(p.width, i, 1),
      depth: at(p.depth, i),
      room: at(p.room, i),
      blocked: Math.min(1, rate(at(p.blocked, i), at(q?.blocked, i)))
    }));
    for (const [port, now] of ports) {
      const was = process.now?.ports.get(port);
      const known = this.changes.get(port)?.queue == now.queue;
      if (was && was.queue != now.queue && !known)
        this.changes.set(port, {t, queue: now.queue, why: this.reasonAt(t)});
    }
    process.now = {
      ops,
      ports,
      line,
      cpu: before ? rate(line.cpu, before.cpu) : 0,
      busy: rate(line.busy, before?.busy ?? 0),
      others: line.others < 0 || !before ? 0 : rate(line.others, before.others)
    };
    this.addMoment(t, process);
  }
  /// Arrays by operator; those of rates begin with `rate`.
  newOps(rate) {
    const array = () => new Float32Array(this.ops.length);
    return {in: array().fill(rate), out: array().fill(rate), cpu: array(), waited: array()};
  }
  reasonAt(time) {
    const event = this.events.findLast(
        e => e.t <= time + 0.1 && e.line && (e.line.queue?.length || e.line.unqueue?.length));
    return event ? `${event.kind}: ${event.reason}` : "";
  }
  /// All processes together, as each was last.
  addMoment(t, process) {
    const all = [...this.processes.values()].filter(p => p.now && !p.ended), n = this.ops.length;
    const m = {
      t,
      ports: new Map(),
      threads: [],
      leftOut: [],
      metrics: [],
      links: [],
      cpu: 0,
      busy: 0,
      workers: 0,
      mostWorkers: 0,
      memory: 0,
      others: process.now.others,
      cpus: process.now.line.cpus,
      limit: process.now.line.limit,
      latency: process.now.line.latency
    };
    if (all.length == 1) m.ops = all[0].now.ops;
    else {
      m.ops = this.newOps(-1);
      for (let i = 0; i < n; i++)
        for (const p of all) {
          if (p.header.flow.operators[i]?.elsewhere) continue;
          const o = p.now.ops;
          for (const name of ["in", "out"])
            if (o[name][i] >= 0) m.ops[name][i] = Math.max(m.ops[name][i], 0) + o[name][i];
          m.ops.cpu[i] += o.cpu[i];
          m.ops.waited[i] += o.waited[i];
        }
    }
    for (const p of all) {
      const {now} = p, l = now.line;
      for (const [port, value] of now.ports) m.ports.set(port, value);
      const prefix = l.pe === undefined ? "" : `PE ${l.pe}: `;
      for (const th of l.threads)
        m.threads.push({
          ...th, thread: prefix + th.thread, for: th.since === undefined ? 0 : l.time - th.since
        });
      for (const name of ["leftOut", "metrics", "links"]) m[name].push(...(l[name] ?? []));
      for (const name of ["workers", "mostWorkers", "memory"]) m[name] += l[name];
      m.cpu += now.cpu;
      m.busy += now.busy;
      if (l.limit && !["input", ""].includes(l.limit.kind)) m.limit = l.limit;
      if (l.latency[1] > m.latency[1]) m.latency = l.latency;
    }
    m.rate = this.ops.reduce(
        (sum, op, i) =>
            sum + (op.source && !op.daemon && op.part != "receive" ? Math.max(0, m.ops.out[i]) : 0),
        0);
    m.queues = [...m.ports.values()].filter(p => p.queue).length;
    this.moments.push(m);
    if (this.moments.length > 7200) this.moments.splice(0, 2);  // a long run: the beginning goes
  }
  get first() { return this.moments[0]?.t ?? 0; }
  get last() { return this.moments.at(-1)?.t ?? 0; }
  /// The moment at a time, or the one before.
  momentAt(t) {
    let low = 0, high = this.moments.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      this.moments[mid].t <= t ? low = mid : high = mid - 1;
    }
    return this.moments[low];
  }
}
const count = (n, what) => `${n} ${what}${n == 1 ? "" : "s"}`;
const units = v => v < 0 ? "-" :
    v >= 1e9             ? +(v / 1e9).toPrecision(3) + " G" :
    v >= 1e6             ? +(v / 1e6).toPrecision(3) + " M" :
    v >= 1e3             ? +(v / 1e3).toPrecision(3) + " k" :
                           `${+ v.toPrecision(3)}`;
const rateText = v => v < 0 ? "-" : units(Math.round(v)) + "/s";
const percent = v => Math.round(v * 100) + " %";
const seconds = v => v < 0 ? "-" :
    v < 1e-3               ? +(v * 1e6).toPrecision(3) + " us" :
    v < 1                  ? +(v * 1e3).toPrecision(3) + " ms" :
                             +v.toPrecision(3) + " s";
const clock = t =>
    `${String(Math.floor(t / 60)).padStart(2, "0")}:${String(Math.floor(t % 60)).padStart(2, "0")}`;
const bytes = v => v >= 1e9 ? (v / 1e9).toPrecision(3) + " GB" : Math.round(v / 1e6) + " MB";
