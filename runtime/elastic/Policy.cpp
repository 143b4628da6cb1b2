//===- Policy.cpp - what all policies share ------------------------------===//
#include "runtime/elastic/Policy.h"

namespace sluice::elastic {

Configuration initialConfiguration(const Graph &graph) {
  Configuration result;
  for (const Node &node : graph.nodes)
    result.queued.push_back(node.queued);
  result.width.assign(graph.nodes.size(), 1);
  return result;
}

void apply(const Decision &decision, Configuration &configuration) {
  for (auto [node, queued] : decision.queues)
    configuration.queued[node] = queued;
  for (auto [node, width] : decision.widths)
    configuration.width[node] = width;
  if (decision.threads)
    configuration.threads = *decision.threads;
}

double Sample::throughput(const Graph &graph) const {
  double rows = 0;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (graph.nodes[i].source)
      rows += nodes[i].rows;
  return length > 0 ? rows / length : 0;
}

std::string_view toString(Kind kind) {
  constexpr std::string_view names[] = {"wait", "try", "accept", "undo", "load-change", "settled"};
  return names[size_t(kind)];
}

} // namespace sluice::elastic
