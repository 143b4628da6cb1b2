//===- Loops.cpp - which streams close cycles -------------------------===//
#include "passes/Passes.h"
#include "passes/analyze/Graph.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMFINDLOOPS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;

namespace {
/// Depth-first, with a stack of its own: graphs may be long chains.
class Walk {
public:
  explicit Walk(const Graph &graph) : graph(graph), state(graph.size(), New) {
    for (unsigned op = 0; op < graph.size(); ++op)
      kinds.emplace_back(graph[op].getInputs().size(), stream::Edge::Call);
  }

  void from(unsigned root) {
    if (state[root] != New)
      return;
    state[root] = Open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[op, next] = stack.back();
      if (next == graph.out(op).size()) {
        state[op] = Done;
        stack.pop_back();
      } else {
        follow(graph.out(op)[next++]);
      }
    }
  }

  SmallVector<SmallVector<stream::Edge>> kinds; // by operator, by operand

private:
  enum State : char { New, Open, Done };

  void follow(const Connection &edge) {
    if (state[edge.consumer] == Open) {
      kinds[edge.consumer][edge.operand] = stream::Edge::Back;
    } else if (state[edge.consumer] == New) {
      state[edge.consumer] = Open;
      stack.push_back({edge.consumer, 0});
    }
  }

  const Graph &graph;
  SmallVector<State> state;
  SmallVector<std::pair<unsigned, size_t>> stack;
};

struct FindLoops : sluice::impl::StreamFindLoopsBase<FindLoops> {
  void runOnOperation() override {
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      Walk walk(graph);
      for (unsigned i = 0; i < graph.size(); ++i)
        if (graph[i].isSource())
          walk.from(i);
      for (unsigned i = 0; i < graph.size(); ++i)
        walk.from(i); // what no source reaches
      for (unsigned i = 0; i < graph.size(); ++i) {
        graph[i].setEdges(walk.kinds[i]);
        backEdges += llvm::count(walk.kinds[i], stream::Edge::Back);
        for (const Connection &edge : graph.in(i))
          if (graph[i].edge(edge.operand) == stream::Edge::Back && graph.crossesRegion(edge)) {
            graph[i].emitError(
                "internal error: a feedback loop through the border of a parallel region");
            return signalPassFailure();
          }
      }
    }
  }
};
} // namespace
