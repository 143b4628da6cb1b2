//===- Pes.cpp - which PE runs which operators ----------------------------===//
#include "runtime/exec/table/Pes.h"
#include <algorithm>
#include <map>

namespace sluice {

/// At the sender's end of a link.
static bool isSender(const OperatorDesc &op) { return op.link >= 0 && op.inputs; }

Pes::Pes(const Instances &instances)
    : instances(instances), pes(instances.desc.operatorCount),
      receivers(instances.desc.operatorCount), senders(instances.desc.operatorCount) {
  if (!instances.desc.peCount)
    return;
  place();
  connect();
}

/// Numbers the PEs: those of the first entry of the table come first, by channel.
void Pes::place() {
  const ProgramDesc &desc = instances.desc;
  std::vector<uint32_t> first(desc.peCount);
  number = 0;
  for (uint32_t i = 0; i < desc.peCount; ++i) {
    first[i] = number;
    auto inRegion = [&](const Replica &r) { return r.region == desc.pes[i].region; };
    number += uint32_t(std::ranges::count_if(instances.replicas, inRegion));
  }
  for (uint32_t op = 0; op < desc.operatorCount; ++op) {
    if (isSender(desc.operators[op]))
      continue; // it may be in another region than the producers with which it runs
    uint32_t entry = desc.operators[op].pe;
    const Replica *replica = instances.ofOperator[op];
    while (replica->region != desc.pes[entry].region)
      replica = replica->outer;
    pes[op] = first[entry] + uint32_t(std::max(replica->channel, 0));
  }
}

/// Finds the ends of each link: they are in the same replica.
void Pes::connect() {
  const ProgramDesc &desc = instances.desc;
  std::map<std::pair<int32_t, const Replica *>, uint32_t> receiverOf;
  for (uint32_t op = 0; op < desc.operatorCount; ++op)
    if (desc.operators[op].link >= 0 && !isSender(desc.operators[op]))
      receiverOf[{desc.operators[op].link, instances.ofOperator[op]}] = op;
  for (uint32_t op = 0; op < desc.operatorCount; ++op)
    if (isSender(desc.operators[op]))
      receivers[op] = receiverOf[{desc.operators[op].link, instances.ofOperator[op]}];
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i) {
      uint32_t op = desc.inPorts[desc.outPorts[out].consumers[i]].op;
      if (isSender(desc.operators[op]))
        senders[receivers[op]].push_back(pes[desc.outPorts[out].op]);
    }
  for (std::vector<uint32_t> &each : senders) {
    std::ranges::sort(each);
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
}

bool Pes::runs(uint32_t pe, uint32_t op) const {
  if (isSender(instances.desc.operators[op]))
    return std::ranges::binary_search(senders[receivers[op]], pe);
  return pes[op] == pe;
}

std::vector<uint32_t> Pes::producersIn(uint32_t pe) const {
  const ProgramDesc &desc = instances.desc;
  std::vector<uint32_t> result(desc.inPortCount);
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
      result[desc.outPorts[out].consumers[i]] += pes[desc.outPorts[out].op] == pe;
  return result;
}

} // namespace sluice
