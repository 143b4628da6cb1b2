//===- OpenMetrics.cpp - the counters for Prometheus ----------------------===//
#include "runtime/exec/watch/OpenMetrics.h"
#include "runtime/exec/counters/LatencyCounts.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>
#include <charconv>
#include <numeric>

namespace sluice::watch {

namespace {
/// A label and its value.
struct Label {
  const char *name;
  std::string value;
};
using Labels = std::vector<Label>;

class Text {
public:
  explicit Text(int32_t pe) : pe(pe) {}
  /// Begins a family. `type`: counter, gauge, histogram or info.
  void family(const char *name, const char *type, const char *help, const char *unit = nullptr);
  /// `ending` stands behind the family's name.
  void sample(const char *ending, const Labels &labels, double value);
  std::string text;

private:
  void label(const char *name, const std::string &value, bool &isFirst);
  std::string current;
  int32_t pe;
};
} // namespace

void Text::family(const char *name, const char *type, const char *help, const char *unit) {
  current = name;
  text += "# TYPE " + current + " " + type + "\n";
  if (unit)
    text += "# UNIT " + current + " " + unit + "\n";
  text += "# HELP " + current + " " + help + "\n";
}

void Text::label(const char *name, const std::string &value, bool &isFirst) {
  text += (isFirst ? "{" : ",") + std::string(name) + "=\"";
  for (char c : value)
    if (c == '\n')
      text += "\\n";
    else
      text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  text += '"';
  isFirst = false;
}

void Text::sample(const char *ending, const Labels &labels, double value) {
  text += current + ending;
  bool isFirst = true;
  for (const Label &l : labels)
    label(l.name, l.value, isFirst);
  if (pe >= 0)
    label("pe", std::to_string(pe), isFirst);
  char number[64];
  auto end = std::to_chars(number, number + sizeof number, value).ptr;
  text += (isFirst ? " " : "} ") + std::string(number, end) + "\n";
}

namespace {
/// Writes the families of a program.
struct Families {
  const ProgramDesc &desc;
  const Look &look;
  const PolicyCounts &policy;
  Text out;

  Labels of(uint32_t op) const {
    return {{"operator", labelOf(desc.operators[op])}, {"kind", desc.operators[op].kind}};
  }
  Labels ofPort(uint32_t in) const {
    uint32_t op = desc.inPorts[in].op;
    return {{"operator", labelOf(desc.operators[op])},
            {"port", std::to_string(in - desc.operators[op].firstIn)}};
  }
  bool isHere(uint32_t op) const { return sluice::isHere(look.counted, op); }
  void program();
  void operators();
  void boundaries();
  void workers();
  void latency();
  void decisions();
  void links();
  void leftOut();
};
} // namespace

void Families::program() {
  out.family("sluice_program", "info", "The program that runs.");
  out.sample("_info", {{"program", desc.mainName}}, 1);
  out.family("sluice_uptime_seconds", "gauge", "Time since the program began to run.", "seconds");
  out.sample("", {}, look.line.time);
  out.family("sluice_cpu_seconds", "counter", "Processor time that the process used.", "seconds");
  out.sample("_total", {}, look.line.cpu);
  out.family("sluice_processors", "gauge", "Hardware threads that the process may use.");
  out.sample("", {}, look.line.cpus);
  out.family("sluice_memory_bytes", "gauge", "Memory that the process has.", "bytes");
  out.sample("", {}, look.line.memory);
  out.family("sluice_memory_limit_bytes", "gauge", "What state and tuples may take together.",
             "bytes");
  out.sample("", {}, look.line.memoryLimit);
}

void Families::operators() {
  out.family("sluice_operator_tuples", "counter", "Tuples over all ports of an operator.");
  for (uint32_t i = 0; i < desc.operatorCount; ++i)
    for (auto [direction, tuples] : {std::pair("in", look.line.operators[i].in),
                                     std::pair("out", look.line.operators[i].out)}) {
      const OperatorDesc &op = desc.operators[i];
      if (tuples < 0 || !(*direction == 'i' ? op.inputs : op.outputs))
        continue;
      Labels labels = of(i);
      labels.push_back({"direction", direction});
      out.sample("_total", labels, tuples);
    }
  out.family("sluice_operator_cpu_seconds", "counter",
             "Time inside an operator, without what it called and without waiting.", "seconds");
  for (uint32_t i = 0; i < desc.operatorCount; ++i)
    if (isHere(i))
      out.sample("_total", of(i), look.line.operators[i].cpu);
  out.family("sluice_operator_waited_seconds", "counter",
             "Time that threads slept in an operator as part of its work.", "seconds");
  for (uint32_t i = 0; i < desc.operatorCount; ++i)
    if (isHere(i))
      out.sample("_total", of(i), look.line.operators[i].waited);
}

void Families::boundaries() {
  auto each = [&](auto sample) {
    for (const trace::BoundaryFigures &b : look.line.boundaries)
      sample(b);
  };
  out.family("sluice_boundary_queued", "gauge", "1: the input port is a queue now; 0: a call.");
  each([&](auto &b) { out.sample("", ofPort(b.in), b.isQueue); });
  out.family("sluice_queue_batches", "gauge", "Batches in the queue of an input port.");
  each([&](auto &b) { out.sample("", ofPort(b.in), b.depth); });
  out.family("sluice_queue_capacity_batches", "gauge", "Batches that the queue takes.");
  each([&](auto &b) { out.sample("", ofPort(b.in), b.room); });
  out.family("sluice_queue_blocked_seconds", "counter",
             "Time that producers waited for space in the queue.", "seconds");
  each([&](auto &b) { out.sample("_total", ofPort(b.in), b.blocked); });
}

void Families::workers() {
  out.family("sluice_workers", "gauge", "Workers that may run, and those that are parked.");
  out.sample("", {{"state", "running"}}, look.line.workers);
  out.sample("", {{"state", "parked"}}, look.line.mostWorkers - look.line.workers);
  out.family("sluice_worker_busy_seconds", "counter", "Time that workers ran batches.", "seconds");
  out.sample("_total", {}, look.line.busy);
}

/// From 10 us to 10 s, as the slots are those of cycles.
void Families::latency() {
  const CounterSample &counted = look.counted;
  if (counted.latency.empty() || !counted.cycles)
    return;
  double perCycle = double(counted.nanos) * 1e-9 / double(counted.cycles);
  out.family("sluice_latency_seconds", "histogram",
             "Time of tuples from where a source forwards them to the end of their path.",
             "seconds");
  uint64_t below = 0;
  double sum = 0;
  uint32_t slot = 0;
  auto takeUntil = [&](double seconds) {
    for (; slot < counted.latency.size() && LatencyCounts::endOf(slot) * perCycle <= seconds;
         ++slot) {
      below += counted.latency[slot];
      sum += double(counted.latency[slot]) * LatencyCounts::endOf(slot) * perCycle;
    }
  };
  for (const char *bound : {"1e-05", "0.0001", "0.001", "0.01", "0.1", "1.0", "10.0"}) {
    takeUntil(strtod(bound, nullptr));
    out.sample("_bucket", {{"le", bound}}, double(below));
  }
  takeUntil(1e300);
  out.sample("_bucket", {{"le", "+Inf"}}, double(below));
  out.sample("_count", {}, double(below));
  out.sample("_sum", {}, sum);
}

void Families::decisions() {
  out.family("sluice_decisions", "counter", "Decisions of the policy.");
  for (size_t kind = 0; kind < policy.decisions.size(); ++kind)
    out.sample("_total", {{"decision", std::string(elastic::toString(elastic::Kind(kind)))}},
               double(policy.decisions[kind]));
  out.family("sluice_settled", "gauge", "1: the policy has nothing more to try.");
  out.sample("", {}, policy.isSettled);
  out.family("sluice_limits", "gauge", "What limits the program now.");
  if (const trace::Limit &limit = look.line.limit; !limit.kind.empty())
    out.sample("",
               {{"cause", limit.kind},
                {"operator", limit.op < 0 ? "" : labelOf(desc.operators[uint32_t(limit.op)])}},
               1);
}

void Families::links() {
  if (look.line.links.empty())
    return;
  auto each = [&](const char *ending, auto value) {
    for (const trace::LinkFigures &l : look.line.links)
      out.sample(ending,
                 {{"operator", labelOf(desc.operators[l.op])},
                  {"direction", l.sends ? "send" : "receive"},
                  {"peer", std::to_string(l.pe)}},
                 value(l));
  };
  out.family("sluice_link_tuples", "counter", "Tuples over a link to another PE.");
  each("_total", [](auto &l) { return l.tuples; });
  out.family("sluice_link_bytes", "counter", "Bytes of the frames.", "bytes");
  each("_total", [](auto &l) { return l.bytes; });
  out.family("sluice_link_waited_seconds", "counter", "Time that the sender waited for credits.",
             "seconds");
  each("_total", [](auto &l) { return l.waited; });
}

void Families::leftOut() {
  out.family("sluice_left_out", "counter", "What operators left out or lost, and what failed.");
  for (const trace::CountFigures &c : look.line.leftOut)
    out.sample("_total", {{"operator", labelOf(desc.operators[c.op])}, {"what", c.name}}, c.count);
  out.family("sluice_custom", "gauge", "Metrics that the program makes.");
  for (const trace::CountFigures &c : look.line.metrics)
    out.sample("", {{"operator", labelOf(desc.operators[c.op])}, {"metric", c.name}}, c.count);
}

std::string openMetrics(const ProgramDesc &desc, const Look &look, const PolicyCounts &policy) {
  Families families{desc, look, policy, Text(look.counted.pe)};
  families.program();
  families.operators();
  families.boundaries();
  families.workers();
  families.latency();
  families.decisions();
  families.links();
  families.leftOut();
  return std::move(families.out.text);
}

} // namespace sluice::watch
