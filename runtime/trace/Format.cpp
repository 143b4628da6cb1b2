//===- Format.cpp - the lines of a trace ----------------------------------===//
#include "runtime/base/text/Json.h"
#include "runtime/trace/Lines.h"
#include <algorithm>
#include <utility>

namespace sluice::trace {

static Json begin(std::string_view kind) {
  Json json(Json::Style::Line);
  json.openElement('{');
  json.text("line", kind);
  return json;
}

template <class T> static Json begin(double time) {
  Json json = begin(T::kName);
  json.number("time", time);
  return json;
}

/// The line, with its line end.
static std::string finish(Json json) {
  json.close();
  return std::move(json).finish();
}

static void numbers(Json &json, std::string_view name,
                    const std::vector<std::pair<std::string, double>> &pairs) {
  json.open(name, '{');
  for (auto &[key, value] : pairs)
    json.number(key, value);
  json.close();
}

//===--- configurations and changes ----------------------------------------------===//

static void nodes(Json &json, std::string_view name, const Queues &queues, bool queued) {
  json.open(name, '[');
  for (auto [node, state] : queues)
    if (state == queued)
      json.element(node);
  json.close();
}

static void changes(Json &json, const Queues &queues, const Widths &widths) {
  if (!queues.empty()) {
    nodes(json, "queue", queues, true);
    nodes(json, "unqueue", queues, false);
  }
  if (widths.empty())
    return;
  json.open("widths", '[');
  for (auto [node, width] : widths) {
    json.openElement('[');
    json.element(node);
    json.element(width);
    json.close();
  }
  json.close();
}

static void configuration(Json &json, std::string_view name, const elastic::Configuration &c) {
  json.open(name, '{');
  json.number("threads", c.threads);
  Queues queues;
  Widths widths;
  for (uint32_t i = 0; i < c.queued.size(); ++i)
    if (c.queued[i])
      queues.emplace_back(i, true);
  for (uint32_t i = 0; i < c.width.size(); ++i)
    if (c.width[i] != 1)
      widths.emplace_back(i, c.width[i]);
  nodes(json, "queued", queues, true);
  changes(json, {}, widths);
  json.close();
}

//===--- the header ----------------------------------------------------------------===//

static void operators(Json &json, const std::vector<Operator> &operators) {
  json.open("operators", '[');
  for (const Operator &op : operators) {
    json.openElement('{');
    json.text("name", op.name);
    for (auto [name, text] : {std::pair{"kind", &op.kind}, {"at", &op.position}})
      if (!text->empty())
        json.text(name, *text);
    json.close();
  }
  json.close();
}

static void node(Json &json, const elastic::Node &node, const std::vector<Operator> &inside) {
  json.openElement('{');
  json.text("name", node.name);
  json.number("domain", node.domain);
  for (auto [name, flag] :
       {std::pair{"source", node.source}, {"changeable", node.changeable}, {"queued", node.queued}})
    if (flag)
      json.flag(name, true);
  if (node.maxWidth != 1)
    json.number("maxWidth", node.maxWidth);
  json.open("to", '[');
  for (uint32_t to : node.to)
    json.element(to);
  json.close();
  if (!inside.empty())
    operators(json, inside);
  json.close();
}

static void graph(Json &json, const Header &header) {
  json.open("graph", '{');
  json.number("domains", header.graph.domains);
  json.open("nodes", '[');
  for (size_t i = 0; i < header.graph.nodes.size(); ++i)
    node(json, header.graph.nodes[i],
         i < header.operators.size() ? header.operators[i] : std::vector<Operator>());
  json.close();
  json.close();
}

static void machine(Json &json, const elastic::Machine &m) {
  json.open("machine", '{');
  json.number("cpus", m.cpus);
  json.number("maxThreads", m.maxThreads);
  json.number("handOffNanos", m.handOffNanos);
  json.number("rowNanos", m.rowNanos);
  json.number("byteNanos", m.byteNanos);
  json.number("wakeNanos", m.wakeNanos);
  if (m.inFlight)
    json.number("inFlight", m.inFlight);
  json.close();
}

/// Of an operator, members that say what is usual are left out.
static void flowOperator(Json &json, const FlowOperator &op, uint32_t number) {
  json.openElement('{');
  json.text("name", op.what.name);
  for (auto [name, text] : {std::pair{"kind", &op.what.kind},
                            {"at", &op.what.position},
                            {"part", &op.part},
                            {"group", &op.group}})
    if (!text->empty())
      json.text(name, *text);
  if (op.segment != number)
    json.number("segment", op.segment);
  for (auto [name, flag] :
       {std::pair{"source", op.isSource}, {"daemon", op.isDaemon}, {"elsewhere", !op.isHere}})
    if (flag)
      json.flag(name, true);
  json.close();
}

static void flow(Json &json, const Flow &flow) {
  json.open("flow", '{');
  json.open("operators", '[');
  for (uint32_t i = 0; i < flow.operators.size(); ++i)
    flowOperator(json, flow.operators[i], i);
  json.close();
  json.open("streams", '[');
  for (const FlowStream &stream : flow.streams) {
    json.openElement('{');
    json.number("from", stream.from);
    json.number("to", stream.to);
    json.number("port", stream.in);
    json.text("boundary", stream.boundary);
    if (!stream.why.empty())
      json.text("why", stream.why);
    json.close();
  }
  json.close();
  json.close();
}

std::string format(const Header &header) {
  Json json = begin(Header::kName);
  json.number("version", kVersion);
  json.text("program", header.program);
  json.text("composite", header.composite);
  json.text("source", header.source);
  json.text("host", header.host);
  if (header.started)
    json.number("started", header.started);
  graph(json, header);
  machine(json, header.machine);
  json.open("policy", '{');
  json.text("name", header.policy);
  numbers(json, "constants", header.constants);
  json.close();
  json.open("options", '[');
  for (const std::string &option : header.options)
    json.element(option);
  json.close();
  configuration(json, "start", header.start);
  if (header.pe >= 0)
    json.number("pe", header.pe);
  if (header.process)
    json.number("process", header.process);
  if (!header.flow.operators.empty())
    flow(json, header.flow);
  return finish(std::move(json));
}

//===--- all others -------------------------------------------------------------------===//

std::string format(const SampleLine &line) {
  const elastic::Sample &s = line.sample;
  Json json = begin<SampleLine>(s.time);
  json.number("length", s.length);
  if (!line.used)
    json.flag("used", false);
  json.number("busy", s.busy);
  json.number("idle", s.idle);
  json.number("parked", s.parked);
  json.number("cpu", s.cpu);
  json.number("others", s.others);
  json.number("latency", s.latency);
  json.open("nodes", '{');
  for (auto [name, member] : kNodeMembers) {
    if (std::all_of(s.nodes.begin(), s.nodes.end(), [&](auto &n) { return n.*member == 0; }))
      continue;
    json.open(name, '[');
    for (const elastic::NodeSample &n : s.nodes)
      json.element(n.*member);
    json.close();
  }
  json.close();
  return finish(std::move(json));
}

std::string format(const Decision &line) {
  const elastic::Decision &d = line.decision;
  Json json = begin<Decision>(line.time);
  json.text("kind", elastic::toString(d.kind));
  json.text("reason", d.reason);
  numbers(json, "numbers", d.numbers);
  changes(json, d.queues, d.widths);
  if (d.threads)
    json.number("threads", *d.threads);
  json.number("warmUp", d.warmUp);
  json.number("window", d.interval);
  return finish(std::move(json));
}

std::string format(const Switch &line) {
  Json json = begin<Switch>(line.time);
  changes(json, line.queues, line.widths);
  return finish(std::move(json));
}

std::string format(const Threads &line) {
  Json json = begin<Threads>(line.time);
  json.number("from", line.from);
  json.number("to", line.to);
  return finish(std::move(json));
}

std::string format(const LoadChange &line) {
  Json json = begin<LoadChange>(line.time);
  json.text("reason", line.reason);
  return finish(std::move(json));
}

std::string format(const Settled &line) {
  Json json = begin<Settled>(line.time);
  json.text("since", line.since);
  json.number("seconds", line.seconds);
  json.number("throughput", line.throughput);
  json.number("threads", line.threads);
  json.number("queues", line.queues);
  return finish(std::move(json));
}

std::string format(const Pause &line) { return finish(begin<Pause>(line.time)); }

std::string format(const Resume &line) {
  Json json = begin<Resume>(line.time);
  if (line.start)
    configuration(json, "start", *line.start);
  return finish(std::move(json));
}

std::string format(const Lost &line) {
  Json json = begin<Lost>(line.time);
  json.number("lines", line.lines);
  json.text("reason", line.reason);
  return finish(std::move(json));
}

std::string format(const Final &line) {
  Json json = begin<Final>(line.time);
  json.number("exitCode", line.exitCode);
  json.number("rows", line.rows);
  json.number("cpu", line.cpu);
  json.number("samples", line.samples);
  json.number("decisions", line.decisions);
  json.number("lost", line.lost);
  json.number("controller", line.controller);
  return finish(std::move(json));
}

} // namespace sluice::trace
