//===- History.cpp - a trace in memory, and in words -----------------===//
#include "runtime/base/text/Words.h"
#include "tools/driver/Output.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

//===--- reading ---------------------------------------------------------------------------===//

double driver::timeOf(const trace::Line &line) {
  return std::visit(
      [](const auto &l) {
        if constexpr (requires { l.sample.time; })
          return l.sample.time;
        else if constexpr (requires { l.time; })
          return l.time;
        else
          return 0.0;
      },
      line);
}

TraceMoment driver::toMoment(trace::Line line, const elastic::Graph &graph) {
  TraceMoment moment{std::move(line), 0};
  if (auto *sample = std::get_if<trace::SampleLine>(&moment.line)) {
    moment.throughput = sample->sample.throughput(graph);
    if (!std::isfinite(moment.throughput))
      moment.throughput = 0;
    sample->sample.nodes = std::vector<elastic::NodeSample>(); // frees them
  } else if (auto *figures = std::get_if<trace::Figures>(&moment.line)) {
    trace::Limit limit = std::move(figures->limit);
    *figures = {.time = figures->time, .limit = std::move(limit)};
  }
  return moment;
}

llvm::Expected<TraceHistory>
driver::readHistory(const std::string &path, llvm::function_ref<void(const trace::Line &)> visit) {
  auto reader = TraceReader::open(path);
  if (!reader)
    return reader.takeError();
  TraceHistory history;
  history.header = (*reader)->header();
  llvm::Error error = forEachLine(**reader, [&](TraceRecord &record) {
    if (visit)
      visit(record.line);
    history.moments.push_back(toMoment(std::move(record.line), history.header.graph));
    return llvm::Error::success();
  });
  if (error)
    return std::move(error);
  history.missing = (*reader)->missing();
  return std::move(history);
}

void TraceState::apply(const trace::Line &line) {
  if (auto *change = std::get_if<trace::Switch>(&line)) {
    for (auto [node, queued] : change->queues)
      now.queued[node] = queued;
    for (auto [node, width] : change->widths)
      now.width[node] = width;
  } else if (auto *threads = std::get_if<trace::Threads>(&line))
    now.threads = threads->to;
  else if (auto *resume = std::get_if<trace::Resume>(&line); resume && resume->start)
    now = *resume->start;
}

uint32_t TraceState::queues() const { return uint32_t(llvm::count(now.queued, 1)); }

//===--- words --------------------------------------------------------------------------------===//

std::string driver::inUnits(double value) {
  const char *unit = "";
  for (const char *next : {" k", " M", " G", " T"}) {
    if (!(std::fabs(value) >= 999.5))
      break;
    value /= 1000;
    unit = next;
  }
  char text[32];
  snprintf(text, sizeof text, "%.3g", value);
  return std::string(text) + unit;
}

std::string driver::inSeconds(double value) {
  char text[32];
  snprintf(text, sizeof text, value < 100 ? "%.2f s" : "%.1f s", value);
  return text;
}

std::string driver::inNumber(uint64_t count, const char *what, const char *many) {
  return many && count != 1 ? std::to_string(count) + " " + many : counted(count, what);
}

static const char *const kLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::string driver::sparkline(llvm::ArrayRef<double> values, unsigned width, double most) {
  std::string result;
  for (unsigned i = 0; i < width && !values.empty(); ++i) {
    size_t begin = values.size() * i / width,
           end = std::max(begin + 1, values.size() * (i + 1) / width);
    double sum = 0;
    for (double value : values.slice(begin, end - begin))
      sum += value;
    double share = most > 0 ? sum / double(end - begin) / most : 0;
    result += kLevels[std::clamp(int(share * 8), 0, 7)];
  }
  return result;
}

std::string driver::bar(double share, unsigned width) {
  static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto filled = unsigned(std::clamp(share, 0.0, 1.0) * width * 8 + 0.5);
  std::string result;
  for (unsigned i = 0; i < filled / 8; ++i)
    result += "█";
  result += eighths[filled % 8];
  return padRight(result, width);
}

static void listNames(std::string &text, StringRef what, const std::vector<std::string> &names) {
  if (names.empty())
    return;
  constexpr size_t kMost = 4;
  (text += text.empty() ? "" : "; ") += what;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
    (text += i ? ", " : " ") += names[i];
  if (names.size() > kMost)
    text += " and " + std::to_string(names.size() - kMost) + " more";
}

std::string driver::describeChange(const trace::Header &header,
                                   const elastic::Configuration &before,
                                   const elastic::Decision &d) {
  std::string text;
  if (d.threads)
    text = "threads " + std::to_string(before.threads) + " -> " + std::to_string(*d.threads);
  std::vector<std::string> queues, calls, widths;
  for (auto [node, queued] : d.queues)
    (queued ? queues : calls).push_back(header.graph.nodes[node].name);
  for (auto [node, width] : d.widths)
    widths.push_back(header.graph.nodes[node].name + " x " + std::to_string(width));
  listNames(text, "queue", queues);
  listNames(text, "call", calls);
  listNames(text, "width", widths);
  return text;
}

unsigned driver::columnsOf(StringRef utf8) {
  int columns = llvm::sys::unicode::columnWidthUTF8(utf8);
  return columns < 0 ? unsigned(utf8.size()) : unsigned(columns);
}

std::string driver::padLeft(StringRef text, unsigned width) {
  unsigned columns = columnsOf(text);
  return std::string(columns < width ? width - columns : 0, ' ') + text.str();
}

std::string driver::padRight(StringRef text, unsigned width) {
  unsigned columns = columnsOf(text);
  return text.str() + std::string(columns < width ? width - columns : 0, ' ');
}

std::string driver::wrap(StringRef text, unsigned width, unsigned indent, unsigned begin) {
  std::string result;
  unsigned column = begin;
  while (!text.empty()) {
    auto [word, rest] = text.split(' ');
    unsigned columns = columnsOf(word);
    if (!result.empty() && column + 1 + columns > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += columns;
    text = rest;
  }
  return result;
}

//===--- failures and files
//---------------------------------------------------------------------===//

int driver::traceFailure(llvm::Error error) {
  llvm::errs() << "sluice: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

void driver::warnOfMissing(const std::string &path, const std::vector<std::string> &missing) {
  for (const std::string &what : missing)
    llvm::errs() << "sluice: warning: " << path << ": " << what << "\n";
}

int driver::writeConverted(const DriverOptions &options,
                           llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string path = options.written();
  auto whole = [&](llvm::raw_ostream &os) {
    print(os);
    return llvm::Error::success();
  };
  if (int code = writeOutput(path, whole))
    return code;
  if (!path.empty() && path != "-")
    llvm::errs() << "sluice: " << path << " is written\n";
  return 0;
}
