//===- Stages.cpp - what one thread at a time runs ------------------------===//
#include "passes/print/Stages.h"

using namespace mlir;
using namespace sluice;

SmallVector<unsigned> sluice::domainOf(const Graph &graph, unsigned op) {
  auto isDirect = [&](const Connection &edge) {
    return graph[edge.consumer].boundary(edge.input) == stream::Boundary::Direct;
  };
  SmallVector<unsigned> found{op};
  auto add = [&](unsigned other) {
    if (!llvm::is_contained(found, other))
      found.push_back(other);
  };
  for (unsigned i = 0; i < found.size(); ++i) {
    for (const Connection &edge : graph.in(found[i]))
      if (isDirect(edge))
        add(edge.producer);
    for (const Connection &edge : graph.out(found[i]))
      if (isDirect(edge))
        add(edge.consumer);
  }
  return found;
}

/// How many output ports of the operators end a segment.
static unsigned batchedPorts(const Graph &graph, ArrayRef<unsigned> members) {
  unsigned ports = 0;
  for (unsigned op : members)
    for (unsigned port = 0; port < graph[op].getNumResults(); ++port)
      ports += llvm::any_of(graph.consumers(op, port), [&](const Connection &edge) {
        return graph[edge.consumer].edge(edge.operand) != stream::Edge::Call;
      });
  return ports;
}

std::string sluice::whyAlone(const Graph &graph, unsigned head) {
  SmallVector<unsigned> members = domainOf(graph, head);
  // The other members of a domain that is shared by key keep nothing.
  bool key = graph[head].sharing() == stream::Sharing::ByKey;
  // Key shards are joined port by port.
  bool severalLeave = batchedPorts(graph, members) > 1;
  for (unsigned op : members) {
    std::string name = graph[op].label() + ": ";
    if (graph[op].sharing() != stream::Sharing::Any && !(key && op == head))
      return name + graph[op].getSharing()->getWhy().str();
    if (key && !graph[op].getBounded())
      return name +
             "one tuple may become any number, or its failures are caught, behind state by key";
    for (unsigned port = 0; port < graph[op].getNumResults(); ++port) {
      stream::Order order = graph[op].order(port);
      if (order == stream::Order::All || (key && order != stream::Order::None && severalLeave))
        return name + "the order of what it submits can be seen at once";
      bool stays = false, leaves = false;
      for (const Connection &edge : graph.consumers(op, port)) {
        if (graph[edge.consumer].edge(edge.operand) == stream::Edge::Call)
          continue;
        (llvm::is_contained(members, edge.consumer) ? stays : leaves) = true;
      }
      if (key && stays)
        return name + "its stream goes on in batches, behind state by key";
      if (stays && leaves)
        return name + "its stream leads to where other workers are, and to where they are not";
    }
    auto leadsBack = [&](const Connection &edge) {
      return graph.reachable(edge.consumer).test(head);
    };
    if (llvm::any_of(graph.out(op), leadsBack))
      return name + "it is in a loop";
  }
  return "";
}
