//===- ExplainPipeline.cpp - what a thread for each stage brings ----------===//
//
// A stage is what one thread at a time runs: operators between boundaries. A stage cannot be faster
// than one tuple in its time, so the heaviest one bounds the throughput.
//
//===----------------------------------------------------------------------===//
#include "passes/analyze/Cost.h"
#include "passes/print/Explain.h"
#include "passes/print/Layers.h"
#include "passes/print/Stages.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace sluice;

namespace {
class Pipeline {
public:
  Pipeline(const Graph &graph, CostEstimate cost, const InPlaceHeads &inPlace,
           llvm::raw_ostream &out)
      : graph(graph), inPlace(inPlace), out(out) {
    for (stream::OperatorOp op : graph.operators())
      nanos.push_back((op.isSource() ? cost.ofSource(op) : cost.of(op)).inside());
  }

  void print() {
    out << "pipeline\n";
    start();
    path();
    heaviest();
  }

private:
  llvm::raw_ostream &line(StringRef what) { return explainLine(out, what); }
  void start();
  void path();
  void heaviest();
  std::string whyOneThread(ArrayRef<unsigned> stage) const;
  std::string names(ArrayRef<unsigned> ops) const {
    auto label = [&](unsigned op) { return graph[op].label(); };
    return llvm::join(llvm::map_range(ops, label), ", ");
  }

  const Graph &graph;
  const InPlaceHeads &inPlace;
  SmallVector<double> nanos; // by operator: that a thread is inside for one tuple
  llvm::raw_ostream &out;
};
} // namespace

/// With three digits or more and a unit.
static std::string duration(double nanos) {
  constexpr struct {
    double least;
    const char *unit;
  } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  for (auto [least, unit] : units)
    if (nanos >= 0.9995 * least)
      return llvm::formatv("{0:f2} {1}", nanos / least, unit);
  return llvm::formatv("{0:f0} ns", nanos);
}

void Pipeline::start() {
  SmallVector<unsigned> sources;
  for (unsigned op = 0; op < graph.size(); ++op)
    if (graph[op].isSource())
      sources.push_back(op);
  line("start") << names(sources) << "\n";
}

/// The longest path by time, and the depth by operators.
void Pipeline::path() {
  Adjacency to(graph.size());
  for (unsigned op = 0; op < graph.size(); ++op)
    for (const Connection &edge : graph.out(op))
      if (graph[edge.consumer].edge(edge.operand) != stream::Edge::Back)
        to[op].push_back(edge.consumer);
  Adjacency layers = groupByLayer(findLayers(to));
  SmallVector<double> until(nanos);
  SmallVector<int> before(graph.size(), -1);
  for (const std::vector<uint32_t> &layer : layers)
    for (unsigned op : layer)
      for (unsigned next : to[op])
        if (double through = until[op] + nanos[next]; through > until[next] || before[next] < 0)
          until[next] = through, before[next] = op;
  SmallVector<unsigned> longest;
  for (int op = llvm::max_element(until) - until.begin(); op >= 0; op = before[op])
    longest.insert(longest.begin(), op);
  line("depth") << layers.size() << (layers.size() == 1 ? " operator\n" : " operators\n");
  line("longest") << names(longest) << ": " << duration(until[longest.back()])
                  << " a tuple, by estimate\n";
}

/// Why a second thread for the stage is of no use, or nothing.
std::string Pipeline::whyOneThread(ArrayRef<unsigned> stage) const {
  for (unsigned op : stage)
    if (graph[op].isSource())
      return graph[op].label() + ": a source has one thread";
  return whyAlone(graph, headOf(graph, stage), inPlace);
}

void Pipeline::heaviest() {
  auto timeOf = [&](ArrayRef<unsigned> ops) {
    return std::accumulate(ops.begin(), ops.end(), 0.0,
                           [&](double sum, unsigned op) { return sum + nanos[op]; });
  };
  SmallVector<unsigned> most;
  llvm::BitVector seen(graph.size());
  unsigned stages = 0;
  for (unsigned op = 0; op < graph.size(); ++op) {
    if (seen[op])
      continue;
    SmallVector<unsigned> stage = domainOf(graph, op);
    llvm::sort(stage);
    for (unsigned member : stage)
      seen.set(member);
    ++stages;
    if (timeOf(stage) > timeOf(most))
      most = stage;
  }
  double all = timeOf(llvm::to_vector(llvm::seq(graph.size())));
  if (stages < 2 || most.empty()) {
    line("stages") << stages << ": there is no boundary between operators\n";
    return;
  }
  line("stages") << stages << ", the heaviest: " << names(most) << ": " << duration(timeOf(most))
                 << " a tuple, by estimate\n";
  line("gain") << llvm::formatv("at most {0:f2} with a thread for each stage: {1} / {2}\n",
                                all / timeOf(most), duration(all), duration(timeOf(most)));
  std::string alone = whyOneThread(most);
  line("") << (alone.empty()
                   ? "more with several workers in the heaviest stage (--width)\n"
                   : "a second thread for the heaviest stage does not help: " + alone + "\n");
}

void sluice::explainPipeline(const Graph &graph, CostEstimate cost, const InPlaceHeads &inPlace,
                             llvm::raw_ostream &out) {
  if (graph.size() > 1)
    Pipeline(graph, std::move(cost), inPlace, out).print();
}
