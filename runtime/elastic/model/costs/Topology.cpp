//===- Topology.cpp - the graph in the order of calls ----------------------===//
#include "runtime/elastic/model/costs/Topology.h"
#include <algorithm>

namespace sluice::elastic {

namespace {
/// A depth-first search without recursion, as a pipeline may be thousands of nodes long.
struct DepthFirst {
  const Graph &graph;
  std::vector<char> state;        // by node: 0 not seen, 1 on the current path, 2 finished
  std::vector<uint32_t> finished; // callees before their callers
  std::vector<std::vector<uint32_t>>
      forward; // by node: successors, without edges that close a cycle

  explicit DepthFirst(const Graph &graph)
      : graph(graph), state(graph.nodes.size()), forward(graph.nodes.size()) {
    for (uint32_t v = 0; v < graph.nodes.size(); ++v)
      if (graph.nodes[v].source)
        visit(v);
    for (uint32_t v = 0; v < graph.nodes.size(); ++v)
      visit(v);
  }
  void visit(uint32_t root) {
    if (state[root])
      return;
    std::vector<std::pair<uint32_t, size_t>> path{{root, 0}};
    state[root] = 1;
    while (!path.empty()) {
      auto &[v, next] = path.back();
      if (next == graph.nodes[v].to.size()) {
        state[v] = 2;
        finished.push_back(v);
        path.pop_back();
        continue;
      }
      uint32_t w = graph.nodes[v].to[next++];
      if (state[w] == 1)
        continue;
      forward[v].push_back(w);
      if (!state[w]) {
        state[w] = 1;
        path.emplace_back(w, 0);
      }
    }
  }
};
} // namespace

Topology::Topology(const Graph &graph) : graph(graph), from(graph.nodes.size()) {
  DepthFirst search(graph);
  order.assign(search.finished.rbegin(), search.finished.rend());
  to = std::move(search.forward);
  for (uint32_t v = 0; v < graph.nodes.size(); ++v) {
    std::sort(to[v].begin(), to[v].end());
    to[v].erase(std::unique(to[v].begin(), to[v].end()), to[v].end());
    for (uint32_t w : to[v])
      from[w].push_back(v);
    if (graph.nodes[v].source)
      sources.push_back(v);
  }
}

bool hasQueues(const Graph &graph, const Configuration &configuration) {
  return cutsOf(graph, configuration) > 0;
}

uint32_t cutsOf(const Graph &graph, const Configuration &configuration) {
  uint32_t cuts = 0;
  for (size_t v = 0; v < graph.nodes.size(); ++v)
    cuts += configuration.queued[v] && graph.nodes[v].changeable;
  return cuts;
}

} // namespace sluice::elastic
