//===- Diff.cpp - sluice trace diff ----------------------------------===//
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

namespace {
/// What is compared of one run.
struct Run {
  std::string path;
  TraceHistory history;
  std::vector<double> rows; // by sample
  size_t decided = 0;
  std::vector<const trace::Decision *> decisions;         // but those that wait
  const trace::Settled *first = nullptr, *last = nullptr; // settled
  const trace::Final *final = nullptr;
  elastic::Configuration end;
  double mean = 0, time = 0;
  uint32_t mostThreads = 0, mostQueues = 0, loadChanges = 0, changesSettled = 0;
};
} // namespace

static llvm::Expected<Run> readRun(const std::string &path) {
  auto history = readHistory(path, nullptr);
  if (!history)
    return history.takeError();
  Run run;
  run.path = path;
  run.history = std::move(*history);
  TraceState state(run.history.header);
  run.mostThreads = state.threads();
  run.mostQueues = state.queues();
  double length = 0;
  bool settled = false;
  for (const TraceMoment &moment : run.history.moments) {
    state.apply(moment.line);
    run.mostThreads = std::max(run.mostThreads, state.threads());
    run.mostQueues = std::max(run.mostQueues, state.queues());
    run.time = std::max(run.time, timeOf(moment.line));
    if (auto *sample = std::get_if<trace::SampleLine>(&moment.line)) {
      run.rows.push_back(moment.throughput);
      run.mean += moment.throughput * sample->sample.length;
      length += sample->sample.length;
    } else if (auto *decision = std::get_if<trace::Decision>(&moment.line)) {
      ++run.decided;
      if (decision->decision.changes() || decision->decision.kind != elastic::Kind::Wait)
        run.decisions.push_back(decision);
      run.changesSettled += settled && decision->decision.changes();
    } else if (auto *line = std::get_if<trace::Settled>(&moment.line)) {
      run.first = run.first ? run.first : line;
      run.last = line;
      settled = true;
    } else if (std::holds_alternative<trace::LoadChange>(moment.line)) {
      ++run.loadChanges;
      settled = false;
    } else if (auto *final = std::get_if<trace::Final>(&moment.line))
      run.final = final;
  }
  run.mean = length > 0 ? run.mean / length : 0;
  run.end = state.configuration();
  return std::move(run);
}

static unsigned queuesOf(const elastic::Configuration &c) {
  return unsigned(llvm::count(c.queued, 1));
}

//===--- side by side
//---------------------------------------------------------------------------===//

namespace {
class Table {
public:
  Table(const Run &a, const Run &b) : a(a), b(b) {}
  void row(StringRef name, llvm::function_ref<std::string(const Run &)> text) {
    out << padRight(name, 26) << padRight(text(a), 24) << padRight(text(b), 24) << "\n";
  }
  /// With how much the second one is more or less.
  void row(StringRef name, llvm::function_ref<std::optional<double>(const Run &)> value,
           llvm::function_ref<std::string(double)> text) {
    auto x = value(a), y = value(b);
    out << padRight(name, 26) << padRight(x ? text(*x) : "-", 24)
        << padRight(y ? text(*y) : "-", 24);
    if (x && y && *x > 0) {
      char ratio[32];
      snprintf(ratio, sizeof ratio, "%+.1f %%", (*y / *x - 1) * 100);
      out << (*x == *y ? "the same" : ratio);
    }
    out << "\n";
  }

private:
  const Run &a, &b;
  llvm::raw_ostream &out = llvm::outs();
};
} // namespace

static void printFigures(const Run &a, const Run &b) {
  Table table(a, b);
  auto plain = [](double value) { return inUnits(value); };
  auto count = [](double value) { return std::to_string(int64_t(value)); };
  auto rate = [](double value) { return inUnits(value) + " rows/s"; };
  using Figure = std::optional<double>;
  table.row("", [&](const Run &r) {
    return (&r == &a ? "A: " : "B: ") + llvm::sys::path::filename(r.path).str();
  });
  table.row("program", [](const Run &r) { return r.history.header.composite; });
  table.row("policy", [](const Run &r) { return r.history.header.policy; });
  table.row("length", [](const Run &r) -> Figure { return r.time; }, inSeconds);
  table.row(
      "settled first after",
      [](const Run &r) -> Figure { return r.first ? Figure(r.first->seconds) : Figure(); },
      inSeconds);
  table.row("  last, after", [](const Run &r) {
    return r.last ? inSeconds(r.last->seconds) + " (" + r.last->since + ")" : "-";
  });
  table.row("throughput, mean", [](const Run &r) -> Figure { return r.mean; }, rate);
  table.row(
      "throughput, when settled",
      [](const Run &r) -> Figure { return r.last ? Figure(r.last->throughput) : Figure(); }, rate);
  table.row("threads at the end", [](const Run &r) -> Figure { return r.end.threads; }, count);
  table.row("  at most", [](const Run &r) -> Figure { return r.mostThreads; }, count);
  table.row("queues at the end", [](const Run &r) -> Figure { return queuesOf(r.end); }, count);
  table.row("  at most", [](const Run &r) -> Figure { return r.mostQueues; }, count);
  table.row("decisions", [](const Run &r) -> Figure { return r.decided; }, count);
  table.row(
      "  changes while settled", [](const Run &r) -> Figure { return r.changesSettled; }, count);
  table.row("load changes", [](const Run &r) -> Figure { return r.loadChanges; }, count);
  table.row(
      "processor time",
      [](const Run &r) -> Figure { return r.final ? Figure(r.final->cpu) : Figure(); }, inSeconds);
  table.row(
      "rows", [](const Run &r) -> Figure { return r.final ? Figure(r.final->rows) : Figure(); },
      plain);
}

static void printThroughput(const Run &a, const Run &b, unsigned columns) {
  double most = 0, time = std::max(a.time, b.time);
  for (const Run *run : {&a, &b})
    for (double value : run->rows)
      most = std::max(most, value);
  if (most <= 0 || time <= 0)
    return;
  llvm::outs() << "\nthroughput over time, to " << inSeconds(time) << " and " << inUnits(most)
               << " rows/s:\n";
  for (const Run *run : {&a, &b}) {
    auto width = std::max(1u, unsigned((columns - 4) * run->time / time));
    llvm::outs() << (run == &a ? "A " : "B ") << sparkline(run->rows, width, most) << "\n";
  }
}

//===--- configurations and decisions
//-----------------------------------------------------------------===//

static void printNames(StringRef what, const std::vector<std::string> &names, unsigned columns) {
  if (names.empty())
    return;
  std::string text = (what + ": ").str();
  constexpr size_t kMost = 20;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
    (text += i ? ", " : "") += names[i];
  if (names.size() > kMost)
    text += " and " + std::to_string(names.size() - kMost) + " more";
  llvm::outs() << wrap(text, columns, 2) << "\n";
}

static void printConfigurations(const Run &a, const Run &b, unsigned columns) {
  const elastic::Graph &graph = a.history.header.graph;
  llvm::outs() << "\n";
  if (graph != b.history.header.graph) {
    std::string text = "The graphs differ: " + std::to_string(graph.nodes.size()) + " and " +
                       std::to_string(b.history.header.graph.nodes.size()) +
                       " nodes. Queues and decisions are not compared.";
    llvm::outs() << wrap(text, columns, 0) << "\n";
    return;
  }
  if (a.end == b.end) {
    llvm::outs() << "The last configuration is the same.\n";
    return;
  }
  std::vector<std::string> onlyA, onlyB, both, widths;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::string &name = graph.nodes[i].name;
    if (a.end.queued[i] || b.end.queued[i])
      (a.end.queued[i] && b.end.queued[i] ? both : a.end.queued[i] ? onlyA : onlyB).push_back(name);
    if (a.end.width[i] != b.end.width[i])
      widths.push_back(name + " " + std::to_string(a.end.width[i]) + " and " +
                       std::to_string(b.end.width[i]));
  }
  printNames("queues at the end of both", both, columns);
  printNames("queues at the end of A only", onlyA, columns);
  printNames("queues at the end of B only", onlyB, columns);
  printNames("widths at the end of A and B", widths, columns);
}

static std::string describe(const Run &run, size_t i, const elastic::Configuration &before) {
  if (i >= run.decisions.size())
    return "-";
  const elastic::Decision &d = run.decisions[i]->decision;
  std::string change = describeChange(run.history.header, before, d);
  return padLeft(inSeconds(run.decisions[i]->time), 9) + "  " +
         std::string(elastic::toString(d.kind)) + (change.empty() ? "" : ": " + change) + " (" +
         d.reason + ")";
}

static void printDecisions(const Run &a, const Run &b, unsigned columns) {
  elastic::Configuration atA = a.history.header.start, atB = b.history.header.start;
  constexpr unsigned kMost = 10;
  size_t shown = 0, differ = 0, count = std::max(a.decisions.size(), b.decisions.size());
  for (size_t i = 0; i < count; ++i) {
    auto decision = [&](const Run &r) {
      return i < r.decisions.size() ? &r.decisions[i]->decision : nullptr;
    };
    auto *x = decision(a), *y = decision(b);
    // Reasons and numbers hold what was measured: they always differ.
    bool same = x && y && x->kind == y->kind && x->queues == y->queues && x->widths == y->widths &&
                x->threads == y->threads;
    if (!same && shown++ < kMost) {
      llvm::outs() << (differ ? "" : "\n") << "decision " << i + 1 << "\n  A "
                   << wrap(describe(a, i, atA), columns, 15, 4) << "\n  B "
                   << wrap(describe(b, i, atB), columns, 15, 4) << "\n";
    }
    differ += !same;
    if (x)
      elastic::apply(*x, atA);
    if (y)
      elastic::apply(*y, atB);
  }
  std::string text = std::to_string(differ) + " of " + inNumber(count, "decision") +
                     " differ in kind or change (those that only wait are left out)";
  if (differ > kMost)
    text += "; the first " + std::to_string(kMost) + " are shown";
  llvm::outs() << "\n" << wrap(text, columns, 0) << "\n";
}

int driver::traceDiffCommand(const DriverOptions &options) {
  auto a = readRun(options.input), b = readRun(options.second);
  if (!a || !b) {
    llvm::Error error = llvm::joinErrors(a ? llvm::Error::success() : a.takeError(),
                                         b ? llvm::Error::success() : b.takeError());
    return traceFailure(std::move(error));
  }
  unsigned terminal = llvm::sys::Process::StandardOutColumns();
  unsigned columns = options.columns ? options.columns : terminal >= 60 ? terminal : 120;
  printFigures(*a, *b);
  printThroughput(*a, *b, columns);
  printConfigurations(*a, *b, columns);
  if (a->history.header.graph == b->history.header.graph)
    printDecisions(*a, *b, columns);
  warnOfMissing(a->path, a->history.missing);
  warnOfMissing(b->path, b->history.missing);
  return 0;
}
