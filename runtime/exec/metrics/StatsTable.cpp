//===- StatsTable.cpp - the table of --stats ------------------------------===//
#include "runtime/base/text/Words.h"
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/metrics/Stats.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>
#include <cstdio>
#include <tuple>

namespace sluice {

//===--- numbers ------------------------------------------------------------------===//

static std::string format(const char *pattern, double value) {
  char text[64];
  snprintf(text, sizeof text, pattern, value);
  return text;
}

/// Three digits and a unit prefix.
static std::string scaled(double value) {
  const char *prefixes[] = {"", " k", " M", " G", " T"};
  unsigned i = 0;
  for (; value >= 999.5 && i < 4; ++i)
    value /= 1000;
  return format(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value) + prefixes[i];
}

static std::string text(const Tuples &tuples) { return tuples ? std::to_string(*tuples) : "-"; }

static std::string percent(double part, double whole) {
  return whole > 0 ? format("%.1f %%", 100 * part / whole) : "-";
}

//===--- the table ----------------------------------------------------------------===//

using Row = std::vector<std::string>;

static std::string aligned(const std::vector<Row> &rows) {
  std::vector<size_t> widths(rows[0].size());
  for (const Row &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string result;
  for (const Row &row : rows) {
    result += row[0] + std::string(widths[0] - row[0].size(), ' ');
    for (size_t i = 1; i < row.size(); ++i)
      result += std::string(2 + widths[i] - row[i].size(), ' ') + row[i];
    result += '\n';
  }
  return result;
}

static Row rowOf(const OperatorDesc &op, const OperatorFigures &of, bool fused,
                 const Figures &figures, double seconds) {
  std::string about = of.estimated ? "~" : "";
  const Tuples &tuples = op.inputs ? of.in : of.out;
  return {(fused ? "  " : "") + labelOf(op),
          op.inputs ? text(of.in) : "",
          op.outputs ? text(of.out) : "",
          tuples && seconds > 0 ? scaled(double(*tuples) / seconds) : "-",
          of.cyclesPerTuple ? about + scaled(*of.cyclesPerTuple) : "-",
          figures.cycles > 0 ? about + percent(of.cycles, figures.cycles) : "-",
          of.hasQueue ? std::to_string(of.highest) : "-"};
}

/// Operators of this process in the order of the graph, but those that are fused behind the head of
/// their segment.
static std::vector<uint32_t> bySegment(const CounterSample &sample, const Figures &figures) {
  std::vector<uint32_t> order;
  for (uint32_t op = 0; op < figures.operators.size(); ++op)
    if (isHere(sample, op))
      order.push_back(op);
  auto key = [&](uint32_t op) {
    uint32_t head = figures.operators[op].head;
    return std::tuple(head, op != head, op);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  return order;
}

static std::string workersLine(const CounterSample &sample) {
  WorkerSample sum;
  for (const WorkerSample &worker : sample.workers) {
    sum.busy += worker.busy - std::min(worker.blocked, worker.busy);
    sum.blocked += worker.blocked;
    sum.idle += worker.idle;
    sum.parked += worker.parked;
    sum.entries += worker.entries;
    sum.steals += worker.steals;
  }
  if (sample.workers.empty())
    return "workers: none\n";
  double all = double(sum.busy + sum.blocked + sum.idle + sum.parked);
  return "workers: " + std::to_string(sample.workers.size()) + ", busy " +
         percent(double(sum.busy), all) + ", blocked " + percent(double(sum.blocked), all) +
         ", idle " + percent(double(sum.idle), all) + ", parked " +
         percent(double(sum.parked), all) + ", " + std::to_string(sum.entries) +
         (sum.entries == 1 ? " entry, " : " entries, ") + std::to_string(sum.steals) + " stolen\n";
}

/// With three digits and a unit.
static std::string duration(double seconds) {
  return seconds < 1e-6   ? scaled(seconds * 1e9) + " ns"
         : seconds < 1e-3 ? scaled(seconds * 1e6) + " us"
         : seconds < 1    ? scaled(seconds * 1e3) + " ms"
                          : scaled(seconds) + " s";
}

static std::string latencyLine(const CounterSample &sample) {
  if (!timedTuples(sample))
    return "";
  return "latency: 50 % of the tuples within " + duration(latencyWithin(sample, 0.5)) +
         ", 99 % within " + duration(latencyWithin(sample, 0.99)) + "\n";
}

/// How long operators slept as part of their work, with what is fused to them; those that did.
static std::string waitsLine(const ProgramDesc &desc, const CounterSample &sample) {
  std::vector<double> waited(desc.operatorCount);
  for (const SourceSample &source : sample.sources)
    waited[source.op] += secondsOf(sample, source.ownWaited);
  for (uint32_t in = 0; in < sample.in.size(); ++in)
    waited[desc.inPorts[in].op] += secondsOf(sample, sample.in[in].waited);
  std::string line;
  for (uint32_t op = 0; op < waited.size(); ++op)
    if (waited[op] > 0)
      line += (line.empty() ? "waits: " : ", ") + std::string(desc.operators[op].name) + " " +
              duration(waited[op]);
  return line.empty() ? "" : line + "\n";
}

/// Operators that took tuples and sent none: a filter that lets nothing pass, or a window that was
/// never full.
static std::string silentLines(const ProgramDesc &desc, const CounterSample &sample,
                               const Figures &figures) {
  std::string lines;
  for (uint32_t op = 0; op < figures.operators.size(); ++op) {
    const OperatorFigures &of = figures.operators[op];
    if (isHere(sample, op) && desc.operators[op].outputs && of.in.value_or(0) && of.out == 0u)
      lines += "nothing came out of " + labelOf(desc.operators[op]) + ", " +
               std::to_string(*of.in) + " tuple" + plural(*of.in) + " went in\n";
  }
  return lines;
}

static std::string leftOutLines(const ProgramDesc &desc, const CounterSample &sample) {
  std::string lines;
  for (const LeftOutSample &s : sample.leftOut)
    lines += labelOf(desc.operators[s.op]) + ": " + leftOutText(s.what, s.count) + "\n";
  return lines;
}

/// With three digits and a unit.
static std::string size(uint64_t bytes) {
  std::string text = scaled(double(bytes));
  return text + (text.find(' ') == text.npos ? " B" : "B");
}

/// A line for each end of a link.
static std::string linkLines(const ProgramDesc &desc, const CounterSample &sample) {
  std::string lines;
  for (const LinkSample &link : sample.links)
    lines +=
        std::string("link: ") + desc.operators[link.op].name +
        (link.sends ? " to PE " : " from PE ") + std::to_string(link.peer) + ", " +
        std::to_string(link.frames) + " frame" + plural(link.frames) + ", " +
        std::to_string(link.tuples) + " tuple" + plural(link.tuples) + ", " + size(link.bytes) +
        (link.sends ? ", waited " + duration(double(link.waited) * 1e-9) + " for credits\n" : "\n");
  return lines;
}

/// A line for each operator that has made metrics.
static std::string metricLines(const ProgramDesc &desc, const CounterSample &sample) {
  std::string lines;
  for (size_t i = 0; i < sample.metrics.size(); ++i) {
    const MetricSample &m = sample.metrics[i];
    bool goesOn = i && sample.metrics[i - 1].op == m.op;
    lines +=
        goesOn ? ", " : (i ? "\n" : "") + ("metrics of " + labelOf(desc.operators[m.op])) + ": ";
    lines += m.name + " " + std::to_string(m.value);
  }
  return lines.empty() ? "" : lines + "\n";
}

std::string statsTable(const ProgramDesc &desc, const CounterSample &sample, const Figures &figures,
                       bool live) {
  double seconds = double(sample.nanos) * 1e-9;
  std::vector<Row> rows{
      {"operator", "tuples in", "tuples out", "tuples/s", "cycles/tuple", "time", "queue max"}};
  for (uint32_t i : bySegment(sample, figures)) {
    const OperatorFigures &of = figures.operators[i];
    rows.push_back(rowOf(desc.operators[i], of, of.head != i, figures, seconds));
  }
  bool rate = figures.fromSources && seconds > 0;
  std::string heading = sample.pe >= 0 ? "PE " + std::to_string(sample.pe) + "\n" : "";
  std::string ends = live ? ""
                          : waitsLine(desc, sample) + silentLines(desc, sample, figures) +
                                leftOutLines(desc, sample);
  return heading + aligned(rows) + "total: " + format("%.3f s", seconds) + ", " +
         text(figures.fromSources) + " tuple" + plural(figures.fromSources.value_or(0)) +
         " from sources, " + (rate ? scaled(double(*figures.fromSources) / seconds) : "-") +
         " tuples/s\n" + latencyLine(sample) + ends + linkLines(desc, sample) +
         metricLines(desc, sample) + workersLine(sample);
}

} // namespace sluice
