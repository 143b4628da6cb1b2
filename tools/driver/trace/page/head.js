// ---- words of docs/glossary.md ----
/// Those that a reader meets here.
const WORDS = [
  "operator",
  "source",
  "node",
  "boundary",
  "domain",
  "worker",
  "width",
  "tuple",
  "batch",
  "controller",
  "policy",
  "configuration",
  "interval",
  "sample",
  "decision",
  "candidate",
  "trial",
  "settled",
];
let explain; // gives an element that has a word its meaning
{
  const text = $("glossary").textContent,
    glossary = new Map();
  for (const [, word, body] of text.matchAll(/^\* \*\*(.+?)\*\*(.*(?:\n  .*)*)/gm))
    glossary.set(word, body.replace(/^[:\s]+/, "").replace(/[`*]/g, "").replace(/\s+/g, " "));
  const list = $("words").querySelector("dl");
  for (const word of WORDS) {
    element("dt", { id: "word-" + word }, list, word);
    element("dd", {}, list, glossary.get(word));
  }
  explain = (at) => {
    at.title = glossary.get(at.dataset.word);
    at.onclick = () => {
      $("words").open = true;
      $("word-" + at.dataset.word).scrollIntoView({ behavior: "smooth", block: "center" });
    };
  };
  document.querySelectorAll("[data-word]").forEach(explain);
}

// ---- head ----
{
  const name = H.composite || H.program,
    last = events.filter((e) => e.line == "settled").pop(),
    first = events.find((e) => e.line == "settled");
  const final = events.find((e) => e.line == "final");
  document.title = name + " - Sluice trace";
  $("title").textContent = name;
  const constants = Object.entries(H.policy.constants)
    .map(([n, v]) => n + " = " + v)
    .join(", ");
  $("facts").textContent = [
    H.policy.name == "off" ? "no policy" : "policy " + H.policy.name,
    H.host,
    H.host.includes("hardware thread") ? "" : count(H.machine.cpus, "hardware thread"),
    [
      count(nodes.filter((n) => n.source).length, "source"),
      count(nodes.filter((n) => !n.source).length, "node"),
      count(nodes.filter((n) => n.changeable).length, "boundary", "boundaries") +
        " that may be queues",
    ].join(", "),
    H.started ? new Date(H.started * 1000).toISOString().replace("T", " ").slice(0, 16) : "",
  ]
    .filter((x) => x)
    .join(" · ");
  $("facts").title = constants;
  $("summary").textContent = T.summary;
  if (T.missing.length) {
    $("missing").hidden = false;
    $("missing").textContent = "Not all is here: " + T.missing.join("; ");
  }
  const tile = (value, what, word) => {
    const d = element("div", {}, $("tiles"));
    element("b", {}, d, value);
    const label = element("span", {}, d);
    if (!word) return (label.textContent = what);
    explain(element("abbr", { "data-word": word }, label, what));
  };
  if (first) tile(seconds(first.seconds), "until it settled", "settled");
  const changes = events.filter((e) => e.line == "load-change").length;
  if (last && changes)
    tile(seconds(last.seconds), "until it settled again, after " + last.since, "settled");
  if (last) tile(units(last.throughput) + " rows/s", "when settled", "tuple");
  const s = states[states.length - 1];
  tile(s.threads, "workers at the end", "worker");
  tile(s.queued.size, "queues at the end", "boundary");
  tile(decisions.length, "decisions", "decision");
  tile(changes, "load changes", "decision");
  if (final) tile(units(final.rows), "rows in " + seconds(final.time));
  const run = S.length.reduce((s, v) => s + v, 0);
  const others = S.others.reduce((s, v, i) => s + v * S.length[i], 0) / run;
  if (run && others >= 0.005)
    tile(others.toFixed(2), `of ${H.machine.cpus} processors were used by other programs`);
  if (final && final.exitCode) tile(final.exitCode, "exit code");
}
