//===- Thread.cpp - a thread that may be inside the graph -----------------===//
#include "runtime/exec/state/Thread.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"

namespace sluice {

Thread::Thread(Program &p, bool isSource)
    : program(p), isSource(isSource),
      counters(p.desc.inPortCount, p.options.timesSegments(), p.options.sampling),
      acknowledges(p.options.pe >= 0 && p.options.links.acknowledges),
      stamps(acknowledges || p.options.timesLatency()) {
  ctx.scratch = &scratch;
  ctx.heap = p.heap;
  ctx.program = &p;
  ctx.thread = this;
  ports = p.outPorts.data();
  for (const BatchPool &pool : p.pools)
    spares.push_back({.most = pool.mostSpares()});
  links.resize(p.desc.inPortCount);
  if (p.options.timesLatency())
    latency = std::make_unique<LatencyCounts>();
  Inside::enter(*this, p.instances.outside());
}

Thread::~Thread() {
  arenaFree(&scratch);
  if (ownHeap)
    heapDestroy(ownHeap);
}

void Inside::enter(Thread &t, const Replica &replica) {
  Program &p = t.program;
  t.ctx.ports = t.ports + replica.out;
  t.ctx.natives = p.nativePointers.data() + replica.native;
  t.ctx.state = p.state.data() + replica.state;
  t.ctx.channel = replica.channel;
  t.ctx.maxChannels = replica.maxChannels;
  t.ctx.replica = &replica;
}

} // namespace sluice
