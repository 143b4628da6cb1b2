// Tuples of streams, while somebody looks at them.
const MOST_TUPLES = 40;  // that are shown of a stream

/// What may be tapped: streams into the selected box, and those that are tapped, by input port.
function tappable(run, tapped) {
  const box = view.folded.boxes[view.chosen], found = new Map();
  for (const s of run.streams) {
    if (s.boundary == "link" || !(tapped.has(s.port) || box?.ops.includes(s.to))) continue;
    if (!found.has(s.port) && found.size > 12 && !tapped.has(s.port)) continue;
    const streams = found.get(s.port) ?? [];
    found.set(s.port, [...streams, s]);
  }
  return found;
}

/// What was seen of a port until a moment, the newest first.
function tuplesUntil(run, port, t) {
  const all = run.tuples.get(port) ?? [];
  return all.filter(x => x.t <= t).slice(-MOST_TUPLES).reverse();
}

let drawnTaps = "";
function showTaps(run, m, tapped, ask) {
  const found = tappable(run, tapped);
  $("tapping").hidden = !found.size;
  const state =
      [...found.keys()].map(p => p + (tapped.has(p) ? "+" : "-")).join() + run.refused.size;
  if (state != drawnTaps) {
    const focus = document.activeElement?.dataset?.port;
    drawnTaps = state;
    $("taps").replaceChildren(...[...found].map(([port, streams]) => {
      const name = run.ops[streams[0].from].name +
          (streams.length > 1 ? ` and ${streams.length - 1} more` : "") + " to " +
          run.ops[streams[0].to].name;
      const on = tapped.has(port), div = made("div");
      const button = made("button", on ? "Stop" : "Tap", {
        "data-port": port,
        "aria-label": `${on ? "Stop the tap of" : "Tap"} ${name}`,
        "aria-pressed": on
      });
      button.onclick = () => ask(port, !on);
      div.append(button, " " + name);
      if (run.refused.has(port)) div.append(made("br"), made("small", run.refused.get(port)));
      div.append(made("ol", undefined, {"data-tuples": port}));
      return div;
    }));
    if (focus !== undefined) $("taps").querySelector(`[data-port="${focus}"]`)?.focus();
  }
  for (const list of $("taps").querySelectorAll("ol"))
    list.replaceChildren(...tuplesUntil(run, +list.dataset.tuples, m.t).map(x => {
      const li = made("li");
      li.append(made("small", clock(x.t) + " "), made("code", x.text));
      return li;
    }));
}
