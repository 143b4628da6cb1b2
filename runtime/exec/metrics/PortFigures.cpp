//===- PortFigures.cpp - figures of ports for operators that ask ----------===//
#include "runtime/exec/metrics/PortFigures.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/metrics/Stats.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Facts.h"
#include <algorithm>

using namespace sluice;

/// The most rows that a batch in the ring of the port may have.
static uint64_t rowsOfBatch(const Program &p, uint32_t inPort) {
  uint32_t most = 0;
  for (uint32_t out = 0; out < p.desc.outPortCount; ++out) {
    const OutPortDesc &port = p.desc.outPorts[out];
    if (std::count(port.consumers, port.consumers + port.consumerCount, inPort))
      most = std::max(most, port.ordered == OrderKind::All ? 1 : port.batchCapacity);
  }
  return std::min(most, rowsTo(p.desc.inPorts[inPort]));
}

QueueFigures sluice::queueFiguresOf(const Program &p, uint32_t inPort) {
  const InPortDesc &desc = p.desc.inPorts[inPort];
  const InPort *in = p.queues.domains.inPorts[inPort].get();
  QueueFigures figures{.capacity = desc.queueSize};
  if (!in)
    return figures;
  auto add = [&](const CounterTable &counters) {
    figures.waits += counters.in[inPort].waits.get();
    figures.most = std::max(figures.most, counters.in[inPort].highest.get());
  };
  for (const auto &source : p.threads.sources)
    add(source->counters);
  for (const auto &worker : p.threads.workers)
    add(worker->counters);
  uint64_t rows = in->drops ? 1 : rowsOfBatch(p, inPort);
  figures.dropped = in->drops ? in->drops->dropped() : 0;
  figures.now = depthOf(*in) * rows;
  figures.most *= rows;
  return figures;
}

double sluice::relativeCostOf(const Program &p, uint32_t op) {
  Figures figures = figuresOf(p.desc, takeSample(p), /*whole=*/false);
  return figures.cycles > 0 ? 100 * figures.operators[op].cycles / figures.cycles : 0;
}

extern "C" void sl_tuple_in(Ctx *ctx, uint32_t inPort) {
  PortEvents::add(ctx->program->show.portMetrics.in[ctx->replica->in + inPort].tuples);
}

extern "C" void sl_punct_in(Ctx *ctx, uint32_t inPort, uint32_t kind) {
  ctx->program->show.portMetrics.in[ctx->replica->in + inPort].add(PunctuationKind(kind));
}

extern "C" void sl_tuple_out(Ctx *ctx, uint32_t outPort) {
  PortEvents::add(ctx->program->show.portMetrics.out[ctx->replica->out + outPort].tuples);
}

extern "C" void sl_punct_out(Ctx *ctx, uint32_t outPort, uint32_t kind) {
  ctx->program->show.portMetrics.out[ctx->replica->out + outPort].add(PunctuationKind(kind));
}
