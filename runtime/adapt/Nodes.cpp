//===- Nodes.cpp - a running program as policies see it -------------------===//
#include "runtime/adapt/Nodes.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>

namespace sluice::adapt {

static constexpr uint32_t kNone = ~0u;

/// The name of an input port: as --queues has it, and which part of the operator it is of.
static std::string nameOf(const OperatorDesc &op, uint32_t port) {
  return labelOf(op, op.inputs > 1 ? ":" + std::to_string(port) : "");
}

Nodes::Nodes(const ProgramDesc &desc, const Domains &domains, uint32_t workers,
             const std::vector<bool> &here) {
  addNodes(desc, domains, workers, here);
  std::vector<uint32_t> nodeOfIn(desc.inPortCount, kNone), calledAt(desc.inPortCount, kNone);
  for (uint32_t node = 0; node < ports.size(); ++node)
    if (ports[node])
      nodeOfIn[ports[node]->id] = node;
  for (uint32_t node = 0; node < ports.size(); ++node)
    follow(desc, nodeOfIn, node, calledAt);
}

void Nodes::addNodes(const ProgramDesc &desc, const Domains &domains, uint32_t workers,
                     const std::vector<bool> &here) {
  graph.domains = uint32_t(domains.list.size());
  auto add = [&](uint32_t op, InPort *port) -> elastic::Node & {
    ports.push_back(port);
    operators.push_back({op});
    elastic::Node &node = graph.nodes.emplace_back();
    node.domain = domains.ofOperator[op]->number;
    return node;
  };
  for (uint32_t i = 0; i < desc.operatorCount; ++i) {
    const OperatorDesc &op = desc.operators[i];
    if (!here.empty() && !here[i])
      continue;
    if (isSource(op) && !op.daemon) {
      elastic::Node &node = add(i, nullptr);
      node.name = labelOf(op);
      node.source = true;
    }
    for (uint32_t in = 0; in < op.inputs; ++in)
      if (InPort *port = domains.inPorts[op.firstIn + in].get()) {
        elastic::Node &node = add(i, port);
        node.name = nameOf(op, in);
        node.changeable = port->switchable;
        node.maxWidth = std::min(port->maxWidth(), workers);
        node.queued = port->port.mode.load(std::memory_order_relaxed) == queue::Mode::Queued;
      }
  }
}

/// Finds where the outputs of a node lead, through all that it calls.
void Nodes::follow(const ProgramDesc &desc, const std::vector<uint32_t> &nodeOfIn, uint32_t node,
                   std::vector<uint32_t> &calledAt) {
  std::vector<uint32_t> &inside = operators[node];
  std::vector<uint32_t> &to = graph.nodes[node].to;
  for (size_t k = 0; k < inside.size(); ++k) {
    const OperatorDesc &op = desc.operators[inside[k]];
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out)
      for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i) {
        uint32_t in = desc.outPorts[out].consumers[i];
        if (nodeOfIn[in] != kNone) {
          to.push_back(nodeOfIn[in]);
          continue;
        }
        if (i < batchedConsumers(desc.outPorts[out])) {
          if (calledAt[in] == kNone) {
            calledAt[in] = uint32_t(called.size());
            called.push_back({in, {}});
          }
          if (std::vector<uint32_t> &by = called[calledAt[in]].by; by.empty() || by.back() != node)
            by.push_back(node);
        }
        if (std::find(inside.begin(), inside.end(), desc.inPorts[in].op) == inside.end())
          inside.push_back(desc.inPorts[in].op);
      }
  }
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

} // namespace sluice::adapt
