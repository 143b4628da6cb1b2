//===- Stages.cpp - what one thread at a time runs ------------------------===//
#include "passes/print/Stages.h"

using namespace mlir;
using namespace sluice;

static bool isDirect(const Graph &graph, const Connection &edge) {
  return graph[edge.consumer].boundary(edge.input) == stream::Boundary::Direct;
}

SmallVector<unsigned> sluice::domainOf(const Graph &graph, unsigned op) {
  SmallVector<unsigned> found{op};
  auto add = [&](unsigned other) {
    if (!llvm::is_contained(found, other))
      found.push_back(other);
  };
  for (unsigned i = 0; i < found.size(); ++i) {
    for (const Connection &edge : graph.in(found[i]))
      if (isDirect(graph, edge))
        add(edge.producer);
    for (const Connection &edge : graph.out(found[i]))
      if (isDirect(graph, edge))
        add(edge.consumer);
  }
  return found;
}

unsigned sluice::headOf(const Graph &graph, ArrayRef<unsigned> domain) {
  return *llvm::find_if(domain, [&](unsigned op) {
    return llvm::none_of(graph.in(op),
                         [&](const Connection &edge) { return isDirect(graph, edge); });
  });
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

namespace {
/// Looks for what keeps several workers out of the operators behind one boundary.
class Alone {
public:
  Alone(const Graph &graph, unsigned head)
      : graph(graph), head(head), key(graph[head].sharing() == stream::Sharing::ByKey),
        members(domainOf(graph, head)), severalLeave(batchedPorts(graph, members) > 1) {}
  std::string why() const {
    for (unsigned op : members)
      if (std::string reason = whyNot(op); !reason.empty())
        return graph[op].label() + ": " + reason;
    return "";
  }

private:
  std::string whyNot(unsigned op) const;
  std::string whyNotPort(unsigned op, unsigned port) const;

  const Graph &graph;
  unsigned head;
  bool key; // the other members of a domain that is shared by key keep nothing
  SmallVector<unsigned> members;
  bool severalLeave; // key shards are joined port by port
};
} // namespace

std::string Alone::whyNot(unsigned op) const {
  stream::Sharing sharing = graph[op].sharing();
  if (sharing == stream::Sharing::ByKey && op != head)
    return "its state is by key, but tuples come to " + graph[head].label() +
           " before it in the same stage";
  if (sharing == stream::Sharing::One)
    return graph[op].getSharing()->getWhy().str();
  if (key && !graph[op].getBounded())
    return "one tuple may become any number, or its failures are caught, behind state by key";
  for (unsigned port = 0; port < graph[op].getNumResults(); ++port)
    if (std::string reason = whyNotPort(op, port); !reason.empty())
      return reason;
  auto leadsBack = [&](const Connection &edge) {
    return graph.reachable(edge.consumer).test(head);
  };
  return llvm::any_of(graph.out(op), leadsBack) ? "it is in a loop" : "";
}

std::string Alone::whyNotPort(unsigned op, unsigned port) const {
  stream::Order order = graph[op].order(port);
  if (order == stream::Order::All || (key && order != stream::Order::None && severalLeave))
    return "the order of what it submits can be seen at once";
  bool stays = false, leaves = false;
  for (const Connection &edge : graph.consumers(op, port)) {
    if (graph[edge.consumer].edge(edge.operand) == stream::Edge::Call)
      continue;
    (llvm::is_contained(members, edge.consumer) ? stays : leaves) = true;
  }
  if (key && stays)
    return "its stream goes on in batches, behind state by key";
  return stays && leaves ? "its stream leads to where other workers are, and to where they are not"
                         : "";
}

std::string sluice::whyAlone(const Graph &graph, unsigned head, const InPlaceHeads &inPlace) {
  std::string why = Alone(graph, head).why();
  if (!why.empty() || graph[head].sharing() != stream::Sharing::ByKey ||
      !inPlace.contains(graph[head]))
    return why;
  return graph[head].label() +
         ": its state is by key, but it is so cheap that it hands its batches on in place";
}
