//===- Reach.cpp - what tuples of an operator may reach ------------------===//
#include "runtime/exec/table/Reach.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/queue/Team.h"

namespace sluice {

//===--- which sources, and what they reach -----------------------------------===//

std::vector<bool> reachable(const ProgramDesc &desc, uint32_t start, Reach how) {
  std::vector<bool> seen(desc.operatorCount);
  std::vector<uint32_t> work{start};
  seen[start] = true;
  while (!work.empty()) {
    const OperatorDesc &op = desc.operators[work.back()];
    work.pop_back();
    for (uint32_t o = op.firstOut; o < op.firstOut + op.outputs; ++o)
      for (uint32_t c = how == Reach::Segment ? batchedConsumers(desc.outPorts[o]) : 0;
           c < desc.outPorts[o].consumerCount; ++c) {
        const InPortDesc &in = desc.inPorts[desc.outPorts[o].consumers[c]];
        if (how == Reach::Turn && in.delays)
          continue;
        uint32_t next = in.op;
        if (!seen[next])
          work.push_back(next);
        seen[next] = true;
      }
  }
  return seen;
}

std::vector<bool> segmentOf(const ProgramDesc &desc, uint32_t op) {
  return reachable(desc, op, Reach::Segment);
}

bool knowsConsumers(const ProgramDesc &desc) {
  uint64_t edges = 0, producers = 0;
  for (uint32_t i = 0; i < desc.outPortCount; ++i)
    edges += desc.outPorts[i].consumerCount;
  for (uint32_t i = 0; i < desc.inPortCount; ++i)
    producers += desc.inPorts[i].producers;
  return edges >= producers;
}

} // namespace sluice
