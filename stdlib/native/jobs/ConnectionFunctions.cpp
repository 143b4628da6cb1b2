//===- ConnectionFunctions.cpp - connections to other PEs -------*- C++ -*-===//
//
// A stream to another PE leaves an operator to the sender of a link, which is one of the consumers
// of its output port.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/state/Program.h"
#include "sluice/metrics.h"
#include "stdlib/native/Library.h"

using namespace sluice;

/// The links by which an output port of the operator that calls sends.
static std::vector<const LinkCounters *> linksOf(Ctx *ctx, uint32_t port) {
  const Program &p = *ctx->program;
  const OutPortDesc &out = p.desc.outPorts[sl_running(ctx)->firstOut + port];
  std::vector<const LinkCounters *> links;
  for (const LinkCounters &link : p.links)
    for (uint32_t i = 0; link.sends && i < out.consumerCount; ++i)
      if (p.desc.inPorts[out.consumers[i]].op == link.op)
        links.push_back(&link);
  return links;
}

SL(getOutputPortCongestionFactor, j)(Ctx *ctx, int32_t *result, uint32_t port) {
  *result = -1;
  if (port >= sl_running(ctx)->outputs)
    return 0;
  *result = 0;
  for (const LinkCounters *link : linksOf(ctx, port))
    *result = std::max(*result, int32_t(link->congestion.get()));
  return 0;
}

/// The place of a receiver among those of its PE: these are the input ports of a PE.
static int64_t peInputPort(const Program &p, uint32_t receiver) {
  int64_t port = 0;
  for (uint32_t op = 0; op < receiver; ++op)
    port += !p.pes.sendersTo(op).empty() && p.pes.of(op) == p.pes.of(receiver);
  return port;
}

/// PE, port and congestion of each connection in turn.
SL(outputConnections, j)(Ctx *ctx, Seq *result, uint32_t port) {
  *result = {};
  if (port >= sl_running(ctx)->outputs)
    return 0;
  const Program &p = *ctx->program;
  auto links = linksOf(ctx, port);
  *result = scratchList(ctx, 3 * links.size(), sizeof(int64_t));
  auto *next = listData<int64_t>(*result);
  for (const LinkCounters *link : links) {
    *next++ = link->peer;
    *next++ = peInputPort(p, p.pes.receiver(link->op));
    *next++ = int64_t(link->congestion.get());
  }
  return 0;
}
