//===- Waiting.cpp - what waits behind an operator ------------------------===//
#include "runtime/exec/state/InPort.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Facts.h"
#include "sluice/queues.h"
#include <algorithm>

using namespace sluice;

extern "C" uint64_t sl_waiting(Ctx *ctx, const OperatorDesc *op, uint32_t output) {
  const Program &p = *ctx->program;
  const OutPortDesc &out = p.desc.outPorts[op->firstOut + output];
  uint64_t most = 0;
  for (uint32_t i = 0; i < out.consumerCount; ++i) {
    uint32_t id = out.consumers[i];
    if (const InPort *in = p.domains.inPorts[id].get())
      most = std::max(most, depthOf(*in) * uint64_t(rowsTo(p.desc.inPorts[id])));
  }
  const Batch *pending = ctx->thread->ports[op->firstOut + output].batch;
  return most + (pending ? pending->rows : 0);
}
