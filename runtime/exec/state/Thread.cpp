//===- Thread.cpp - a thread that may be inside the graph -----------------===//
#include "runtime/exec/state/Thread.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"

namespace sluice {

Thread::Thread(Program &p, bool isSource)
    : program(p), isSource(isSource),
      acknowledges(p.options.pe >= 0 && p.options.links.acknowledges),
      stamps(acknowledges || p.options.timesLatency()),
      counters(p.desc.inPortCount, p.options.timesSegments(), p.options.sampling) {
  ctx.scratch = &scratch;
  ctx.heap = p.values.heap;
  ctx.program = &p;
  ctx.thread = this;
  ctx.saves = p.cut.makes;
  ctx.channels = kOwnChannel;
  at.ports = p.out.filled.data();
  for (const BatchPool &pool : p.out.pools)
    reserve.spares.push_back({.most = pool.mostSpares()});
  entered.links.resize(p.desc.inPortCount);
  counted.made.resize(p.desc.outPortCount + 1); // it is pointed into, also if there are no ports
  if (p.options.timesLatency())
    counted.latency = std::make_unique<LatencyCounts>();
  enterReplica(*this, p.table.instances.outside());
}

Thread::~Thread() {
  arenaFree(&scratch);
  if (reserve.heap)
    heapDestroy(reserve.heap);
}

void enterReplica(Thread &t, const Replica &replica) {
  Program &p = t.program;
  t.ctx.ports = t.at.ports + replica.out;
  t.ctx.made = &t.counted.made.data()->value + replica.out;
  t.ctx.natives = p.natives.pointers.data() + replica.native;
  t.ctx.state = p.values.state.data() + replica.state;
  t.ctx.channel = replica.channel;
  t.ctx.maxChannels = replica.maxChannels;
  t.ctx.replica = &replica;
}

} // namespace sluice
