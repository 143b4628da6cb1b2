//===- Plot.cpp - sluice trace plot ----------------------------------===//
//
// The page is in page/; here is its data: the lines of the trace as they are but for
// samples, of which it needs sums and, by node, a digit for the load.
//
//===----------------------------------------------------------------------===//
#include "passes/print/Layers.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

namespace sluice::driver {
extern const char *const kTracePage; // of CMake: page/
}

namespace {
/// Digits of loads, logarithmic: a thousandth of a thread is the 6th, a thread the last.
constexpr StringRef kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
constexpr size_t kMostLoads = 6'000'000; // digits in a page

char digitOf(double share) {
  double level =
      std::log10(1 + std::clamp(share, 0.0, 1.0) * 999) / 3 * double(kAlphabet.size() - 1);
  return kAlphabet[std::isfinite(level) ? size_t(level + 0.5) : 0];
}

struct PageData {
  std::string header, events, summary;
  Adjacency layers;                                          // of the graph's nodes
  std::vector<double> time, length, throughput, cpu, others; // the last two in processors
  std::vector<std::string> loads;                            // by sample
  std::vector<std::string> missing;

  void add(const TraceRecord &record, const elastic::Graph &graph) {
    auto *line = std::get_if<trace::SampleLine>(&record.line);
    if (std::holds_alternative<trace::Figures>(record.line))
      return;
    if (!line) {
      events += (events.empty() ? "\n" : ",\n") + record.text;
      return;
    }
    const elastic::Sample &s = line->sample;
    double rows = s.throughput(graph);
    time.push_back(s.time);
    length.push_back(s.length);
    throughput.push_back(std::isfinite(rows) ? rows : 0);
    auto processors = [&](double seconds) {
      return s.length > 0 && std::isfinite(seconds) ? std::max(0.0, seconds / s.length) : 0;
    };
    cpu.push_back(processors(s.cpu));
    others.push_back(processors(s.others));
    std::string load;
    for (const elastic::NodeSample &node : s.nodes)
      load += digitOf(s.length > 0 ? node.inside() / s.length : 0);
    loads.push_back(std::move(load));
  }
};
} // namespace

static void printArray(llvm::raw_ostream &os, StringRef name, const std::vector<double> &values) {
  os << "\"" << name << "\":[";
  for (size_t i = 0; i < values.size(); ++i)
    os << (i ? "," : "") << llvm::format("%.7g", values[i]);
  os << "]";
}

static std::string printed(const std::vector<uint32_t> &nodes) {
  auto text = [](uint32_t node) { return std::to_string(node); };
  return "[" + llvm::join(llvm::map_range(nodes, text), ",") + "]";
}

/// The same layers as in the drawings of `sluice graph`.
static Adjacency layersOf(const elastic::Graph &graph) {
  Adjacency to;
  for (const elastic::Node &node : graph.nodes)
    to.emplace_back(node.to.begin(), node.to.end());
  Adjacency layers = groupByLayer(findLayers(to));
  untangle(layers, to);
  return layers;
}

/// Text for a page: within JSON, `<` stands in strings only.
static std::string escaped(StringRef json) {
  std::string result;
  for (char c : json)
    c == '<' ? result += "\\u003c" : result += c;
  return result;
}

static void printData(llvm::raw_ostream &os, const PageData &data) {
  os << "{\"header\":" << escaped(data.header)
     << ",\n\"summary\":" << escaped(llvm::formatv("{0}", llvm::json::Value(data.summary)).str())
     << ",\n\"layers\":[" << llvm::join(llvm::map_range(data.layers, printed), ",")
     << "],\n\"samples\":{";
  printArray(os, "time", data.time);
  os << ",";
  printArray(os, "length", data.length);
  os << ",";
  printArray(os, "throughput", data.throughput);
  os << ",";
  printArray(os, "cpu", data.cpu);
  os << ",";
  printArray(os, "others", data.others);
  size_t nodes = data.loads.empty() ? 0 : data.loads[0].size();
  size_t every = std::max<size_t>(1, (nodes * data.loads.size() + kMostLoads - 1) / kMostLoads);
  os << "},\n\"load\":{\"alphabet\":\"" << kAlphabet << "\",\"every\":" << every << ",\"rows\":[";
  for (size_t i = 0; i < data.loads.size(); i += every)
    os << (i ? "," : "") << "\"" << data.loads[i] << "\"";
  os << "]},\n\"missing\":[";
  for (size_t i = 0; i < data.missing.size(); ++i)
    os << (i ? "," : "") << escaped(llvm::formatv("{0}", llvm::json::Value(data.missing[i])).str());
  os << "],\n\"events\":[" << escaped(data.events) << "]}";
}

int driver::tracePlotCommand(const DriverOptions &options) {
  auto reader = TraceReader::open(options.input);
  if (!reader)
    return traceFailure(reader.takeError());
  PageData data;
  data.header = (*reader)->headerText();
  TraceHistory history;
  history.header = (*reader)->header();
  data.layers = layersOf(history.header.graph);
  llvm::Error error = forEachLine(**reader, [&](TraceRecord &record) {
    data.add(record, history.header.graph);
    history.moments.push_back(toMoment(std::move(record.line), history.header.graph));
    return llvm::Error::success();
  });
  if (error)
    return traceFailure(std::move(error));
  data.summary = summaryOf(history);
  data.missing = (*reader)->missing();
  warnOfMissing(options.input, data.missing);
  return writeConverted(options, [&](llvm::raw_ostream &os) {
    auto [before, after] = StringRef(kTracePage).split("%data%");
    os << before;
    printData(os, data);
    os << after;
  });
}
