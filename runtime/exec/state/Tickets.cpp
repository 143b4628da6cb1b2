//===- Tickets.cpp - tickets and shards of a domain ----------------------===//
#include "runtime/exec/state/Tickets.h"
#include "value/Place.h"
#include "value/Table.h"

namespace sluice {

KeyShards::KeyShards(InPort &in, const KeyedDesc &desc)
    : in(in), desc(desc), shards(in.domain.reorder->shards->count()),
      tickets(in.domain.reorder->size()) {
  alone.outs.resize(in.domain.outPorts.size());
  alone.made.resize(in.domain.outPorts.size());
}

/// Their heaps free all but buffers that are too large for a heap: those are freed here.
KeyShards::~KeyShards() {
  for (KeyShard &shard : shards)
    for (uint32_t i = 0; i < desc.stateCount; ++i)
      disown(&shard.heap, desc.state[i].type, shard.state + desc.state[i].offset);
}

} // namespace sluice
