// Lines come twice a second; the page is drawn after that, and when somebody does something.
const run = new Run(), token = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
let next = 0, hello = null, looksBack = null, drawn = 0, contact = true;

const shown = () => looksBack === null ? run.moments.at(-1) : run.momentAt(looksBack);
const headers = {
  Authorization: "Bearer " + token
};

async function fetchOnce() {
  try {
    const reply = await fetch(`/lines?from=${next}`, {headers, cache: "no-store"});
    if (!reply.ok) {
      say(await reply.text());
      return reply.status == 401 ? 0 : 3000;
    }
    const lines = (await reply.text()).split("\n").filter(l => l);
    hello = JSON.parse(lines[0]);
    contact = true;
    run.lost += hello.lost;
    next = hello.next;
    for (const port of run.refused.keys())
      if (hello.taps.includes(port)) ask("untap " + port);
    for (const line of lines.slice(1)) {
      try {
        run.append(JSON.parse(line));
      } catch { run.lost++; }
    }
  } catch {
    if (!hello?.ended) contact = false;
  }
  if (!document.hidden) draw();
  return hello?.ended ? 0 : 500;
}
/// One after the other: each asks for what comes behind the lines of the one before.
let fetched = Promise.resolve();
const fetchLines = () => fetched = fetched.then(fetchOnce, fetchOnce);
const ask = word => fetch("/do", {method: "POST", headers, body: word});
/// Begins to look at the tuples that come to an input port, or ends that.
async function tap(port, on) {
  run.refused.delete(port);
  const reply = await ask((on ? "tap " : "untap ") + port);
  if (!reply.ok) run.refused.set(port, (await reply.text()).trim());
  await fetchLines();
}
function say(what) {
  $("state").textContent = "no contact";
  $("say").textContent = what;
}
async function follow() {
  const wait = await fetchLines();
  if (wait) setTimeout(follow, wait);
}

function stateNow() {
  if (run.final && [...run.processes.values()].every(p => p.ended))
    return run.final.exitCode ? `failed: exit code ${run.final.exitCode}` : "ended";
  if (hello?.ended || !contact) return "lost contact";
  return run.moments.at(-1)?.limit?.kind == "stuck" ? "stuck" : `running ${clock(run.last)}`;
}

function draw() {
  const m = shown();
  if (run.header && !m && hello.ended)
    say("This trace has no figures: it is of an older version. `sluice trace plot` shows it.");
  if (!run.header || !m) return;
  const begun = performance.now();
  if (!view.folded || view.operators != run.ops.length || view.processes != run.processes.size) {
    view.operators = run.ops.length;
    view.processes = run.processes.size;
    layOut(run);
  }
  showHead(run, m, stateNow());
  showDecisions(run, lookAt);
  drawGraph(run, m, m.t);
  drawTime(run, looksBack === null ? null : m);
  showChosen(run, m);
  showDrawer(run, m);
  if (hello?.allows.includes("tap")) showTaps(run, m, new Set(hello.taps), tap);
  $("live").setAttribute("aria-pressed", looksBack === null);
  $("banner").hidden = looksBack === null;
  $("banner").textContent = `This is how it was at ${clock(m.t)}. Live goes back to now.`;
  const mayPause = hello?.allows.includes("pause") && run.header.policy.name != "off";
  $("pause").hidden = !mayPause || hello.ended || looksBack !== null;
  $("pause").textContent = run.paused ? "Resume adaptation" : "Pause adaptation";
  document.body.dataset.drawn = ++drawn;
  document.body.dataset.took = (performance.now() - begun).toFixed(1);
}
function lookAt(t) {
  looksBack = t === null || (t >= run.last && !hello?.ended) ? null : Math.max(run.first, t);
  draw();
}

//===--- what people do ---
function choose(i) {
  view.chosen = i;
  const box = view.folded?.boxes[i];
  if (box && shown())
    $("told").textContent = `${box.name}, ${box.what}, ${rateText(box.rate)}, ${
        percent(box.cpu)} of a processor${box.cause ? ", " + box.cause : ""}${
        box.wait > 0.1 ? ", waits " + percent(box.wait) :
                         ""}${"rcp".includes(box.kind) ? ", folded" : ""}${
            box.pe >= 0 && box.kind != "p" ? `, in PE ${box.pe}` : ""}`;
  draw();
}
/// Opens what is folded; closes what the box came out of.
function toggle(i) {
  const box = view.folded.boxes[i], op = box.op, path = (op.group ?? op.name).split(".");
  if (box.kind == "p") view.shut.delete(box.pe);
  else if (box.kind != "o") view.open.add(box.key);
  else if (op.group && view.open.has("r:" + op.group)) view.open.delete("r:" + op.group);
  else {
    const inner = [...path.keys()]
                      .reverse()
                      .map(n => "c:" + path.slice(0, n).join("."))
                      .find(k => view.open.has(k));
    if (!inner) return;
    view.open.delete(inner);
  }
  layOut(run);
  choose(view.folded.boxes.findIndex(b => b.ops.includes(box.ops[0])));
}
/// Makes one box of a PE.
function foldPe(pe) {
  if (pe < 0) return;
  view.shut.add(pe);
  layOut(run);
  choose(view.folded.boxes.findIndex(b => b.kind == "p" && b.pe == pe));
}
function step(key) {
  const p = view.place, i = view.chosen;
  if (!view.folded.boxes[i]) return choose(0);
  const layer = p.layers.find(l => l.includes(i)), at = layer.indexOf(i);
  const to = {
    ArrowRight: p.to[i][0],
    ArrowLeft: p.from[i][0],
    ArrowDown: layer[at + 1],
    ArrowUp: layer[at - 1]
  }[key];
  if (to !== undefined) choose(to);
}
canvas.onkeydown = e => {
  if (e.key.startsWith("Arrow")) {
    step(e.key);
    e.preventDefault();
  } else if (e.key == "Enter" && view.chosen >= 0) toggle(view.chosen);
  else if (e.key == "f") foldPe(view.folded?.boxes[view.chosen]?.pe ?? -1);
  else if (e.key == "0") {
    fit();
    draw();
  }
};
addEventListener("keydown", e => {
  if (e.target.tagName == "INPUT") {
    if (e.key == "Escape") canvas.focus();
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const neighbour = way => {
    const t = shown()?.t ?? 0, list = run.events;
    return way > 0 ? list.find(x => x.t > t + 0.01)?.t : list.findLast(x => x.t < t - 0.6)?.t;
  };
  const keys = {
    "/": () => {
      e.preventDefault();
      $("find").focus();
    },
    t: () => open("threads"),
    o: () => open("table"),
    l: () => lookAt(null),
    p: () => {
      const t = neighbour(-1);
      if (t !== undefined) lookAt(t);
    },
    n: () => lookAt(neighbour(1) ?? null)
  };
  if (e.key == " " && e.target == canvas) {
    e.preventDefault();
    lookAt(looksBack === null ? run.last - 0.01 : null);
  }
  keys[e.key]?.();
});
function open(what) {
  drawer.what = drawer.what == what ? "" : what;
  draw();
}
$("showThreads").onclick = () => open("threads");
$("showTable").onclick = () => open("table");
$("live").onclick = () => lookAt(null);
$("back").onclick = () => lookAt((shown()?.t ?? 0) - 60);
$("pause").onclick = async () => {
  await ask(run.paused ? "resume" : "pause");
  fetchLines();
};
$("find").oninput = e => {
  view.found = e.target.value.trim().toLowerCase();
  choose(view.found ? view.folded.boxes.findIndex(isFound) : -1);
};
let drag = null;
canvas.onpointerdown = e => {
  drag = {x: e.offsetX, y: e.offsetY, ox: view.ox, oy: view.oy, moved: false};
  canvas.setPointerCapture(e.pointerId);
};
canvas.onpointermove = e => {
  if (!view.folded || !shown()) return;
  if (drag && e.buttons) {
    drag.moved ||= Math.hypot(e.offsetX - drag.x, e.offsetY - drag.y) > 4;
    if (drag.moved) {
      view.ox = drag.ox + e.offsetX - drag.x;
      view.oy = drag.oy + e.offsetY - drag.y;
      view.zoomed = true;
      draw();
    }
    return;
  }
  const over = hit(e.offsetX, e.offsetY), tip = $("tip");
  tip.hidden = !over;
  if (!over) return;
  const box = view.folded.boxes[over.box];
  tip.textContent = box ?
      `${box.name}\n` + factsOf(run, shown(), box).map(f => f.join(": ")).join("\n") :
      over.edge === undefined ? peText(run, shown(), over.pe) :
                                edgeText(run, shown(), view.folded.edges[over.edge]);
  tip.style.left = Math.min(e.offsetX + 14, canvas.clientWidth - 345) + "px";
  tip.style.top = Math.min(e.offsetY + 14, canvas.clientHeight - 120) + "px";
};
canvas.onpointerup = e => {
  const at = drag && !drag.moved && view.folded && hit(e.offsetX, e.offsetY);
  drag = null;
  if (at && "box" in at) choose(at.box);
};
canvas.onpointerleave = () => {
  $("tip").hidden = true;
};
canvas.ondblclick = e => {
  const at = hit(e.offsetX, e.offsetY);
  if (at && "box" in at) toggle(at.box);
  else if (at && "pe" in at) foldPe(at.pe);
  else {
    fit();
    draw();
  }
};
canvas.onwheel = e => {
  e.preventDefault();
  const k = Math.max(0.02, Math.min(3, view.k * (e.deltaY < 0 ? 1.15 : 1 / 1.15))), f = k / view.k;
  view.ox = e.offsetX - (e.offsetX - view.ox) * f;
  view.oy = e.offsetY - (e.offsetY - view.oy) * f;
  view.k = k;
  view.zoomed = true;
  draw();
};
svg.onpointerdown = svg.onpointermove = e => {
  if (e.buttons && run.moments.length)
    lookAt(xToTime(run, e.clientX - svg.getBoundingClientRect().x));
};
addEventListener("resize", () => {
  if (view.folded) {
    layOut(run);
    draw();
  }
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) draw();
});
if (token) follow();
else say("The address lacks its end, #k= and a token: use the one that was printed.");
