//===- Show.cpp - sluice trace show ----------------------------------===//
//
// A line for each stretch of samples in which nothing was decided, with the decision
// that ends it. While a trace is followed in a terminal, the last line is drawn again
// with each sample.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/trace/Trace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>
#include <thread>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

static unsigned columnsFor(const DriverOptions &options) {
  if (options.columns)
    return options.columns;
  unsigned terminal = llvm::sys::Process::StandardOutColumns();
  return terminal >= 60 ? terminal : 120;
}

namespace {
constexpr unsigned kBar = 20, kWhat = 11 + 9 + 1 + kBar + 1 + 8 + 7 + 2; // where the text begins
constexpr unsigned kLeast = 30;                                          // columns of text

class Show {
public:
  Show(const trace::Header &header, const DriverOptions &options, bool live)
      : header(header), state(header), columns(columnsFor(options)), live(live),
        withNumbers(options.numbers) {}

  void head() {
    std::string title = header.composite.empty() ? header.program : header.composite;
    title += header.policy == "off" ? ", no policy" : ", policy " + header.policy;
    unsigned changeable = 0, sources = 0;
    for (const elastic::Node &node : header.graph.nodes) {
      changeable += node.changeable;
      sources += node.source;
    }
    std::string counts = inNumber(sources, "source") + ", " +
                         inNumber(header.graph.nodes.size() - sources, "node") + ", " +
                         inNumber(changeable, "boundary", "boundaries") +
                         (changeable == 1 ? " that may be a queue; " : " that may be queues; ") +
                         inNumber(header.machine.cpus, "hardware thread") + ", at most " +
                         inNumber(header.machine.maxThreads, "worker");
    out << wrap(title, columns, 4) << "\n" << wrap(counts, columns, 4) << "\n";
    nodes();
  }

  /// What runs together, unless there is much of it.
  void nodes() {
    constexpr size_t kMost = 10;
    size_t shown = 0;
    for (size_t node = 0; node < header.operators.size(); ++node) {
      const std::vector<trace::Operator> &inside = header.operators[node];
      if (inside.size() < 2 || ++shown > kMost)
        continue;
      std::string text = header.graph.nodes[node].name + " runs";
      for (const trace::Operator &op : inside)
        text += (&op == &inside.front() ? " " : ", ") + op.name;
      out << wrap(text, columns, 4) << "\n";
    }
    if (shown > kMost)
      out << inNumber(shown - kMost, "more node") << " of several operators\n";
  }

  void summary(const TraceHistory &history) {
    out << "\n" << wrap(summaryOf(history), columns, 0) << "\n";
  }

  /// Throughput, threads and queues of all samples.
  void overview(const TraceHistory &history) {
    std::vector<double> rows, threads, queues;
    TraceState at(header);
    double from = -1, to = 0;
    for (const TraceMoment &moment : history.moments) {
      at.apply(moment.line);
      if (!std::holds_alternative<trace::SampleLine>(moment.line))
        continue;
      rows.push_back(moment.throughput);
      threads.push_back(at.threads());
      queues.push_back(at.queues());
      from = from < 0 ? timeOf(moment.line) : from;
      to = timeOf(moment.line);
    }
    if (rows.empty())
      return;
    most = *llvm::max_element(rows);
    unsigned width = std::min<size_t>(columns - 34, rows.size());
    auto row = [&](StringRef name, const std::vector<double> &values, bool rate) {
      double max = *llvm::max_element(values);
      out << padRight(name, 12) << sparkline(values, width, max) << " at most "
          << (rate ? inUnits(max) + " rows/s" : std::to_string(int(max))) << "\n";
    };
    out << "\n";
    row("throughput", rows, true);
    row("threads", threads, false);
    row("queues", queues, false);
    std::string last = inSeconds(to);
    out << std::string(12, ' ')
        << padRight(inSeconds(from), width > last.size() ? width - last.size() : 0) << " " << last
        << "\n";
  }

  void columnsHead() {
    out << "\n"
        << padLeft("time", 10) << " " << padLeft("rows/s", 9) << " " << padRight("", kBar) << " "
        << padLeft("threads", 8) << padLeft("queues", 7) << "\n";
  }

  void take(const TraceMoment &moment) {
    std::visit([&](const auto &line) { add(line, moment); }, moment.line);
    state.apply(moment.line);
    out.flush();
  }

  void finish() {
    row("");
    out.flush();
  }

private:
  void add(const trace::SampleLine &line, const TraceMoment &moment) {
    most = std::max(most, moment.throughput);
    if (!samples++)
      from = line.sample.time - line.sample.length;
    to = line.sample.time;
    sum += moment.throughput;
    if (live) {
      out << "\r";
      drawStretch();
      out << "\x1b[K";
    }
  }
  void add(const trace::Decision &line, const TraceMoment &) {
    const elastic::Decision &d = line.decision;
    std::string change = describeChange(header, state.configuration(), d);
    expectChange = d.changes();
    if (!d.changes() && (d.kind == elastic::Kind::Wait || d.kind == elastic::Kind::Settled))
      return; // `settled` has a line of its own
    std::string text = std::string(elastic::toString(d.kind)) +
                       (change.empty() ? "" : ": " + change) +
                       (d.reason.empty() ? "" : " (" + d.reason + ")");
    for (size_t i = 0; withNumbers && i < d.numbers.size(); ++i)
      text += (i ? ", " : "; ") + d.numbers[i].first + " " + inUnits(d.numbers[i].second);
    row(text, d.kind);
  }
  void add(const trace::Settled &line, const TraceMoment &) {
    row("settled " + inSeconds(line.seconds) + " after " + line.since + ": " +
            inUnits(line.throughput) + " rows/s, " + inNumber(line.threads, "thread") + ", " +
            inNumber(line.queues, "queue"),
        elastic::Kind::Settled);
  }
  void add(const trace::LoadChange &, const TraceMoment &) {} // its decision has said so
  void add(const trace::Switch &line, const TraceMoment &) {
    elastic::Decision change;
    change.queues = line.queues;
    change.widths = line.widths;
    unexpected(change);
  }
  void add(const trace::Threads &line, const TraceMoment &) {
    elastic::Decision change;
    change.threads = line.to;
    unexpected(change);
  }
  void add(const trace::Pause &line, const TraceMoment &) {
    at(line.time, "adaptation is switched off");
  }
  void add(const trace::Resume &line, const TraceMoment &) {
    at(line.time, line.start ? "adaptation is switched on: the policy begins anew"
                             : "adaptation is switched on: the policy goes on");
  }
  void add(const trace::Lost &line, const TraceMoment &) {
    at(line.time, inNumber(line.lines, "line") + " lost: " + line.reason);
  }
  void add(const trace::Figures &line, const TraceMoment &) {
    const trace::Limit &now = line.limit;
    if (now.text.empty() || (now.kind == limit.kind && now.op == limit.op))
      return;
    limit = now;
    row(now.text);
  }
  void add(const trace::Final &line, const TraceMoment &) {
    at(line.time, "the program ended with exit code " + std::to_string(line.exitCode) + ": " +
                      inUnits(line.rows) + (line.rows == 1 ? " row, " : " rows, ") +
                      inSeconds(line.cpu) + " of processor time; " +
                      inNumber(line.samples, "sample") + ", " +
                      inNumber(line.decisions, "decision"));
  }
  void add(const trace::Header &, const TraceMoment &) {}

  /// What nobody decided, in this trace.
  void unexpected(const elastic::Decision &change) {
    if (!expectChange)
      row("set: " + describeChange(header, state.configuration(), change));
  }
  void at(double time, const std::string &what) {
    row("");
    from = to = time;
    row(what, std::nullopt, /*always=*/true);
  }

  void drawStretch() {
    double mean = samples ? sum / samples : 0;
    out << padLeft(inSeconds(to), 10) << " " << padLeft(samples ? inUnits(mean) : "", 9) << " "
        << bar(most > 0 ? mean / most : 0, kBar) << " "
        << padLeft(std::to_string(state.threads()), 8)
        << padLeft(std::to_string(state.queues()), 7);
  }

  /// Ends the stretch.
  void row(const std::string &what, std::optional<elastic::Kind> kind = {}, bool always = false) {
    if (!samples && what.empty() && !always)
      return;
    if (live)
      out << "\r";
    drawStretch();
    // Beside the figures, or below them where that leaves too little room.
    unsigned indent = columns >= kWhat + kLeast ? kWhat : 12;
    if (samples > 1 || !what.empty())
      out << (indent == kWhat ? "  " : "\n" + std::string(indent, ' '));
    std::string count = samples > 1 ? std::to_string(samples) + " samples from " + inSeconds(from) +
                                          (what.empty() ? "" : "; ")
                                    : "";
    static constexpr llvm::raw_ostream::Colors colors[] = {
        llvm::raw_ostream::WHITE, llvm::raw_ostream::YELLOW,  llvm::raw_ostream::GREEN,
        llvm::raw_ostream::RED,   llvm::raw_ostream::MAGENTA, llvm::raw_ostream::CYAN};
    bool coloured = kind && out.has_colors();
    if (coloured)
      out.changeColor(colors[size_t(*kind)]);
    out << wrap(count + what, columns, indent, indent);
    if (coloured)
      out.resetColor();
    if (live)
      out << "\x1b[K";
    out << "\n";
    samples = 0;
    sum = 0;
    from = to;
  }

  const trace::Header &header;
  TraceState state;
  llvm::raw_ostream &out = llvm::outs();
  unsigned columns;
  bool live, withNumbers, expectChange = false;
  double most = 0;
  trace::Limit limit; // that was shown last
  // The stretch that is going on.
  unsigned samples = 0;
  double from = 0, to = 0, sum = 0;
};
} // namespace

static int follow(const DriverOptions &options) {
  auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  // The program may still be compiled, or about to write the header.
  if (options.input != "-" && !llvm::sys::fs::exists(options.input)) {
    llvm::errs() << "sluice: waiting for " << options.input << "\n";
    while (!llvm::sys::fs::exists(options.input))
      wait();
  }
  auto reader = TraceReader::open(options.input, [&] { wait(); });
  if (!reader)
    return traceFailure(reader.takeError());
  const trace::Header &header = (*reader)->header();
  Show show(header, options, llvm::sys::Process::StandardOutIsDisplayed());
  show.head();
  show.columnsHead();
  llvm::outs().flush();
  while (!(*reader)->ended()) {
    auto record = (*reader)->next();
    if (!record)
      return traceFailure(record.takeError());
    if (*record)
      show.take(toMoment(std::move((*record)->line), header.graph));
    else
      wait();
  }
  show.finish();
  return 0;
}

int driver::traceShowCommand(const DriverOptions &options) {
  if (options.follow)
    return follow(options);
  auto history = readHistory(options.input, nullptr);
  if (!history)
    return traceFailure(history.takeError());
  Show show(history->header, options, /*live=*/false);
  show.head();
  show.summary(*history);
  show.overview(*history);
  show.columnsHead();
  for (const TraceMoment &moment : history->moments)
    show.take(moment);
  show.finish();
  warnOfMissing(options.input, history->missing);
  return 0;
}
