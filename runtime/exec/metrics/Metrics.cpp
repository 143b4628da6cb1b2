//===- Metrics.cpp - the object of --metrics-json -------------------------===//
//
// docs/metrics.md says what the members mean.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/text/Json.h"
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/metrics/Stats.h"
#include <cmath>

namespace sluice {

namespace {
class Writer {
public:
  Writer(const ProgramDesc &desc, const CounterSample &sample, const Figures &figures)
      : desc(desc), sample(sample), figures(figures), seconds(double(sample.nanos) * 1e-9) {}
  std::string write(int exitCode);

private:
  /// Null if it is not finite.
  void number(const char *key, double value) {
    std::isfinite(value) ? json.rounded(key, value, 9) : json.null(key);
  }
  void count(const char *key, const Tuples &tuples) {
    tuples ? json.number(key, *tuples) : json.null(key);
  }
  void rate(const char *key, const Tuples &tuples) {
    tuples &&seconds > 0 ? number(key, double(*tuples) / seconds) : json.null(key);
  }
  void counter(Unit, const char *key, uint64_t value, bool known = true);
  void oneOperator(uint32_t index);
  void input(uint32_t id);
  void output(uint32_t id);
  void metric(const MetricSample &);
  void leftOut(const LeftOutSample &);
  void source(const SourceSample &);
  void worker(const WorkerSample &);
  void link(const LinkSample &);
  uint64_t positionOf(uint32_t op) const;

  const ProgramDesc &desc;
  const CounterSample &sample;
  const Figures &figures;
  double seconds;
  Json json{Json::Style::Indented};
};
} // namespace

/// Among the operators that are written: those of this process.
uint64_t Writer::positionOf(uint32_t op) const {
  uint64_t position = 0;
  for (uint32_t i = 0; i < op; ++i)
    position += isHere(sample, i);
  return position;
}

/// A counter of Counters.def; null if it is not `known`.
void Writer::counter(Unit unit, const char *key, uint64_t value, bool known) {
  if (!key)
    return;
  if (!known)
    return json.null(key);
  switch (unit) {
  case Unit::Count:
    return json.number(key, value);
  case Unit::Nanos:
    return number(key, double(value) * 1e-9);
  case Unit::Cycles:
    return json.number(key, uint64_t(std::max<int64_t>(int64_t(value), 0)));
  case Unit::Waits:
    return number(key, secondsOf(sample, int64_t(value)));
  }
}

const char *nameOf(BoundaryKind kind) {
  switch (kind) {
  case BoundaryKind::Direct:
    return "direct";
  case BoundaryKind::Switchable:
    return "switchable";
  case BoundaryKind::Queue:
    return "queue";
  case BoundaryKind::Exclusive:
    return "exclusive";
  }
  return "";
}

void Writer::input(uint32_t id) {
  const InPortSample &port = sample.in[id];
  const PortFigures &of = figures.in[id];
  json.openElement('{', true);
  count("tuples", of.tuples);
  json.flag("derived", of.fused && of.tuples);
  json.text("boundary", of.fused ? "fused" : nameOf(desc.inPorts[id].boundary));
  if (!of.fused) {
#define SLUICE_IN_PORT(from, field, how, unit, key, ...) counter(Unit::unit, key, port.field);
#define SLUICE_IN_PORT_DERIVED(function, key, ...) json.number(key, port.function());
#include "runtime/exec/counters/Counters.def"
  }
  json.close();
}

void Writer::output(uint32_t id) {
  const PortFigures &of = figures.out[id];
  json.openElement('{', true);
  count("tuples", of.tuples);
  json.flag("derived", of.fused && of.tuples);
#define SLUICE_OUT_PORT(field, unit, key, ...)                                                     \
  counter(Unit::unit, key, sample.out[id].field, !of.fused);
#include "runtime/exec/counters/Counters.def"
  json.close();
}

void Writer::metric(const MetricSample &m) {
  static const char *const kinds[] = {"Gauge", "Counter", "Time"};
  json.openElement('{', true);
  json.text("name", m.name);
  json.text("description", m.description);
  json.text("kind", kinds[uint32_t(m.kind)]);
  json.number("value", m.value);
  json.close();
}

void Writer::leftOut(const LeftOutSample &s) {
  json.openElement('{', true);
  json.text("name", infoOf(s.what).name);
  json.text("unit", infoOf(s.what).unit);
  json.number("count", s.count);
  json.close();
}

void Writer::oneOperator(uint32_t index) {
  const OperatorDesc &op = desc.operators[index];
  const OperatorFigures &of = figures.operators[index];
  json.openElement('{');
  json.text("name", op.name);
  json.text("kind", op.kind);
  op.part ? json.text("part", op.part) : json.null("part");
  json.number("segmentOf", positionOf(of.head));
  count("tuplesIn", of.in);
  count("tuplesOut", of.out);
  rate("tuplesPerSecond", op.inputs ? of.in : of.out);
  number("cycles", std::round(of.cycles));
  json.flag("cyclesEstimated", of.estimated);
  of.cyclesPerTuple ? number("cyclesPerTuple", *of.cyclesPerTuple) : json.null("cyclesPerTuple");
  figures.cycles > 0 ? number("timeShare", of.cycles / figures.cycles) : json.null("timeShare");
  json.open("inputs", '[');
  for (uint32_t i = op.firstIn; i < op.firstIn + op.inputs; ++i)
    input(i);
  json.close();
  json.open("outputs", '[');
  for (uint32_t i = op.firstOut; i < op.firstOut + op.outputs; ++i)
    output(i);
  json.close();
  json.open("metrics", '[');
  for (const MetricSample &m : sample.metrics)
    if (m.op == index)
      metric(m);
  json.close();
  json.open("leftOut", '[');
  for (const LeftOutSample &s : sample.leftOut)
    if (s.op == index)
      leftOut(s);
  json.close();
  json.close();
}

void Writer::source(const SourceSample &s) {
  json.openElement('{', true);
  json.text("operator", desc.operators[s.op].name);
#define SLUICE_SOURCE(from, field, unit, key, ...) counter(Unit::unit, key, s.field);
#include "runtime/exec/counters/Counters.def"
  json.close();
}

void Writer::worker(const WorkerSample &w) {
  json.openElement('{', true);
#define SLUICE_WORKER(from, field, unit, key, ...) counter(Unit::unit, key, w.field);
#include "runtime/exec/counters/Counters.def"
  json.close();
}

void Writer::link(const LinkSample &l) {
  json.openElement('{', true);
  json.text("stream", desc.operators[l.op].name);
  json.text("direction", l.sends ? "send" : "receive");
  json.number("pe", l.peer);
  // A receiver waits for no credits.
#define SLUICE_LINK(field, unit, key, ...)                                                         \
  counter(Unit::unit, key, l.field, l.sends || Unit::unit == Unit::Count);
#include "runtime/exec/counters/Counters.def"
  json.close();
}

std::string Writer::write(int exitCode) {
  double cyclesPerSecond = seconds > 0 ? double(sample.cycles) / seconds : 0;
  json.openElement('{');
  json.number("version", 1);
  json.text("program", desc.mainName);
  sample.pe >= 0 ? json.number("pe", sample.pe) : json.null("pe");
  json.number("exitCode", exitCode);
  number("wallSeconds", seconds);
  number("cyclesPerSecond", cyclesPerSecond);
  count("sourceTuples", figures.fromSources);
  rate("sourceTuplesPerSecond", figures.fromSources);
  json.open("operators", '[');
  for (uint32_t i = 0; i < desc.operatorCount; ++i)
    if (isHere(sample, i))
      oneOperator(i);
  json.close();
  json.open("sources", '[');
  for (const SourceSample &s : sample.sources)
    source(s);
  json.close();
  json.open("workers", '[');
  for (const WorkerSample &w : sample.workers)
    worker(w);
  json.close();
  json.open("links", '[');
  for (const LinkSample &l : sample.links)
    link(l);
  json.close();
  json.open("latency", '{', true);
  json.number("tuples", timedTuples(sample));
  for (auto [name, share] :
       {std::pair("p50Seconds", 0.5), {"p90Seconds", 0.9}, {"p99Seconds", 0.99}})
    timedTuples(sample) ? number(name, latencyWithin(sample, share)) : json.null(name);
  json.close();
  json.close();
  return std::move(json).finish();
}

std::string metricsJson(const ProgramDesc &desc, const CounterSample &sample,
                        const Figures &figures, int exitCode) {
  return Writer(desc, sample, figures).write(exitCode);
}

} // namespace sluice
