//===- Metrics.cpp - the object of --metrics-json -------------------------===//
//
// docs/metrics.md says what the members mean.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/metrics/Stats.h"
#include <cmath>
#include <cstdio>

namespace sluice {

namespace {
/// Writes JSON, two blanks a level; members of a `flat` object share a line.
class Json {
public:
  void open(const char *key, char bracket, bool flat = false) {
    begin(key);
    out += bracket;
    levels.push_back({bracket == '{' ? '}' : ']', flat, true});
  }
  void close() {
    Level level = levels.back();
    levels.pop_back();
    if (!level.empty && !level.flat)
      newline();
    out += level.bracket;
  }
  void text(const char *key, const char *value) {
    begin(key);
    quote(value);
  }
  void number(const char *key, double value) {
    if (!std::isfinite(value))
      return null(key);
    char digits[64];
    snprintf(digits, sizeof digits, "%.9g", value);
    raw(key, digits);
  }
  void integer(const char *key, uint64_t value) { raw(key, std::to_string(value)); }
  void signedInteger(const char *key, int64_t value) { raw(key, std::to_string(value)); }
  void integer(const char *key, const Tuples &value) { value ? integer(key, *value) : null(key); }
  void boolean(const char *key, bool value) { raw(key, value ? "true" : "false"); }
  void null(const char *key) { raw(key, "null"); }
  std::string out;

private:
  struct Level {
    char bracket;
    bool flat, empty;
  };
  void newline() { out += '\n' + std::string(2 * levels.size(), ' '); }
  void raw(const char *key, const std::string &value) {
    begin(key);
    out += value;
  }
  void begin(const char *key) {
    if (levels.empty())
      return;
    Level &level = levels.back();
    if (!level.empty)
      out += level.flat ? ", " : ",";
    if (!level.flat)
      newline();
    level.empty = false;
    if (key) {
      quote(key);
      out += ": ";
    }
  }
  void quote(const char *value) {
    out += '"';
    for (; *value; ++value) {
      auto c = static_cast<unsigned char>(*value);
      char escaped[8];
      snprintf(escaped, sizeof escaped,
               c == '"' || c == '\\' ? "\\%c"
               : c < ' '             ? "\\u%04x"
                                     : "%c",
               c);
      out += escaped;
    }
    out += '"';
  }
  std::vector<Level> levels;
};

class Writer {
public:
  Writer(const ProgramDesc &desc, const CounterSample &sample, const Figures &figures)
      : desc(desc), sample(sample), figures(figures), seconds(double(sample.nanos) * 1e-9) {}
  std::string write(int exitCode);

private:
  void rate(const char *key, const Tuples &tuples) {
    tuples &&seconds > 0 ? json.number(key, double(*tuples) / seconds) : json.null(key);
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
  Json json;
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
    return json.integer(key, value);
  case Unit::Nanos:
    return json.number(key, double(value) * 1e-9);
  case Unit::Cycles:
    return json.integer(key, uint64_t(std::max<int64_t>(int64_t(value), 0)));
  case Unit::Waits:
    return json.number(key, secondsOf(sample, int64_t(value)));
  }
}

static const char *nameOf(BoundaryKind kind) {
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
  json.open(nullptr, '{', true);
  json.integer("tuples", of.tuples);
  json.boolean("derived", of.fused && of.tuples);
  json.text("boundary", of.fused ? "fused" : nameOf(desc.inPorts[id].boundary));
  if (!of.fused) {
#define SLUICE_IN_PORT(from, field, how, unit, key, ...) counter(Unit::unit, key, port.field);
#define SLUICE_IN_PORT_DERIVED(function, key, ...) json.integer(key, port.function());
#include "runtime/exec/metrics/Counters.def"
  }
  json.close();
}

void Writer::output(uint32_t id) {
  const PortFigures &of = figures.out[id];
  json.open(nullptr, '{', true);
  json.integer("tuples", of.tuples);
  json.boolean("derived", of.fused && of.tuples);
#define SLUICE_OUT_PORT(field, unit, key, ...)                                                     \
  counter(Unit::unit, key, sample.out[id].field, !of.fused);
#include "runtime/exec/metrics/Counters.def"
  json.close();
}

void Writer::metric(const MetricSample &m) {
  static const char *const kinds[] = {"Gauge", "Counter", "Time"};
  json.open(nullptr, '{', true);
  json.text("name", m.name.c_str());
  json.text("description", m.description.c_str());
  json.text("kind", kinds[uint32_t(m.kind)]);
  json.signedInteger("value", m.value);
  json.close();
}

void Writer::leftOut(const LeftOutSample &s) {
  json.open(nullptr, '{', true);
  json.text("name", infoOf(s.what).name);
  json.text("unit", infoOf(s.what).unit);
  json.integer("count", s.count);
  json.close();
}

void Writer::oneOperator(uint32_t index) {
  const OperatorDesc &op = desc.operators[index];
  const OperatorFigures &of = figures.operators[index];
  json.open(nullptr, '{');
  json.text("name", op.name);
  json.text("kind", op.kind);
  op.part ? json.text("part", op.part) : json.null("part");
  json.integer("segmentOf", positionOf(of.head));
  json.integer("tuplesIn", of.in);
  json.integer("tuplesOut", of.out);
  rate("tuplesPerSecond", op.inputs ? of.in : of.out);
  json.number("cycles", std::round(of.cycles));
  json.boolean("cyclesEstimated", of.estimated);
  of.cyclesPerTuple ? json.number("cyclesPerTuple", *of.cyclesPerTuple)
                    : json.null("cyclesPerTuple");
  figures.cycles > 0 ? json.number("timeShare", of.cycles / figures.cycles)
                     : json.null("timeShare");
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
  json.open(nullptr, '{', true);
  json.text("operator", desc.operators[s.op].name);
#define SLUICE_SOURCE(from, field, unit, key, ...) counter(Unit::unit, key, s.field);
#include "runtime/exec/metrics/Counters.def"
  json.close();
}

void Writer::worker(const WorkerSample &w) {
  json.open(nullptr, '{', true);
#define SLUICE_WORKER(from, field, unit, key, ...) counter(Unit::unit, key, w.field);
#include "runtime/exec/metrics/Counters.def"
  json.close();
}

void Writer::link(const LinkSample &l) {
  json.open(nullptr, '{', true);
  json.text("stream", desc.operators[l.op].name);
  json.text("direction", l.sends ? "send" : "receive");
  json.integer("pe", uint64_t(l.peer));
  // A receiver waits for no credits.
#define SLUICE_LINK(field, unit, key, ...)                                                         \
  counter(Unit::unit, key, l.field, l.sends || Unit::unit == Unit::Count);
#include "runtime/exec/metrics/Counters.def"
  json.close();
}

std::string Writer::write(int exitCode) {
  double cyclesPerSecond = seconds > 0 ? double(sample.cycles) / seconds : 0;
  json.open(nullptr, '{');
  json.integer("version", 1);
  json.text("program", desc.mainName);
  sample.pe >= 0 ? json.integer("pe", uint64_t(sample.pe)) : json.null("pe");
  json.integer("exitCode", uint64_t(exitCode));
  json.number("wallSeconds", seconds);
  json.number("cyclesPerSecond", cyclesPerSecond);
  json.integer("sourceTuples", figures.fromSources);
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
  json.integer("tuples", timedTuples(sample));
  for (auto [name, share] :
       {std::pair("p50Seconds", 0.5), {"p90Seconds", 0.9}, {"p99Seconds", 0.99}})
    timedTuples(sample) ? json.number(name, latencyWithin(sample, share)) : json.null(name);
  json.close();
  json.close();
  return std::move(json.out) + "\n";
}

std::string metricsJson(const ProgramDesc &desc, const CounterSample &sample,
                        const Figures &figures, int exitCode) {
  return Writer(desc, sample, figures).write(exitCode);
}

} // namespace sluice
