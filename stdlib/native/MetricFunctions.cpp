//===- MetricFunctions.cpp - metrics of an operator -------------*- C++ -*-===//
#include "runtime/exec/metrics/PortFigures.h"
#include "runtime/exec/state/Program.h"
#include "sluice/metrics.h"
#include "stdlib/native/Library.h"
#include "value/Text.h"

using namespace sluice;

/// A metric of the operator that calls; null after sl_error.
static Metric *find(Ctx *ctx, const Str *name) {
  Metric *metric = sl_find_metric(ctx, sl_running(ctx), viewOf(*name));
  if (!metric)
    sl_error(ctx, "the operator has no custom metric '%.*s': createCustomMetric() makes one",
             int(viewOf(*name).size()), viewOf(*name).data());
  return metric;
}

SL(createCustomMetric, rrUl)(Ctx *ctx, const Str *name, const Str *description, uint32_t kind,
                             int64_t value) {
  sl_make_metric(ctx, sl_running(ctx), viewOf(*name), viewOf(*description), MetricKind(kind),
                 value);
  return 0;
}

SL(hasCustomMetric, r)(Ctx *ctx, uint8_t *result, const Str *name) {
  *result = sl_find_metric(ctx, sl_running(ctx), viewOf(*name)) != nullptr;
  return 0;
}

SL(getCustomMetricValue, rl)(Ctx *ctx, const Str *name, int64_t *value) {
  Metric *metric = find(ctx, name);
  if (!metric)
    return 1;
  *value = metric->value.load(std::memory_order_relaxed);
  return 0;
}

SL(setCustomMetricValue, rl)(Ctx *ctx, const Str *name, int64_t value) {
  Metric *metric = find(ctx, name);
  if (!metric)
    return 1;
  metric->value.store(value, std::memory_order_relaxed);
  return 0;
}

extern "C" int32_t sl_getCustomMetricNames_(Ctx *ctx, Seq *result) {
  const OperatorDesc *op = sl_running(ctx);
  uint32_t count = 0;
  while (sl_metric_at(ctx, op, count))
    ++count;
  *result = scratchList(ctx, count, sizeof(Str));
  for (uint32_t i = 0; i < count; ++i) {
    const std::string &name = sl_metric_at(ctx, op, i)->name;
    listData<Str>(*result)[i] = keepText(ctx, name.data(), name.size());
  }
  return 0;
}

//===--- what the system counts ----------------------------------------------------===//

namespace {
/// In the order of Sys.InputPortMetricName and Sys.OutputPortMetricName.
enum class InputMetric : uint32_t {
  TuplesProcessed,
  TuplesDropped,
  TuplesQueued,
  WindowsProcessed,
  FinalsProcessed,
  WindowsQueued,
  FinalsQueued,
  QueueSize,
  MostQueued,
  RecentMostQueued,
  RecentInterval,
  EnqueueWaits
};
enum class OutputMetric : uint32_t { Tuples, Windows, Finals };
} // namespace

/// 0, or 1 after sl_error.
static int32_t checkPort(Ctx *ctx, const char *direction, uint32_t port, uint32_t ports) {
  return port < ports
             ? 0
             : sl_error(ctx, "there is no %s port %u: the operator has %u", direction, port, ports);
}

SL(getInputPortMetricValue, jUl)(Ctx *ctx, uint32_t port, uint32_t name, int64_t *value) {
  const OperatorDesc *op = sl_running(ctx);
  if (checkPort(ctx, "input", port, op->inputs))
    return 1;
  const Program &p = *ctx->program;
  uint32_t id = op->firstIn + port;
  const PortEvents &events = p.portMetrics.in[id];
  auto give = [&](uint64_t count) { return *value = int64_t(count), 0; };
  switch (InputMetric(name)) {
  case InputMetric::TuplesProcessed:
    return give(PortEvents::get(events.tuples));
  case InputMetric::WindowsProcessed:
    return give(PortEvents::get(events.windows));
  case InputMetric::FinalsProcessed:
    return give(PortEvents::get(events.finals));
  case InputMetric::TuplesDropped:
    return give(queueFiguresOf(p, id).dropped);
  case InputMetric::TuplesQueued:
    return give(queueFiguresOf(p, id).now);
  case InputMetric::QueueSize:
    return give(queueFiguresOf(p, id).capacity);
  case InputMetric::MostQueued:
    return give(queueFiguresOf(p, id).most);
  case InputMetric::EnqueueWaits:
    return give(queueFiguresOf(p, id).waits);
  case InputMetric::WindowsQueued:
  case InputMetric::FinalsQueued:
  case InputMetric::RecentMostQueued:
  case InputMetric::RecentInterval:
    break;
  }
  return sl_error(ctx, "not supported yet: this metric of input ports");
}

SL(getOutputPortMetricValue, jUl)(Ctx *ctx, uint32_t port, uint32_t name, int64_t *value) {
  const OperatorDesc *op = sl_running(ctx);
  if (checkPort(ctx, "output", port, op->outputs))
    return 1;
  const PortEvents &events = ctx->program->portMetrics.out[op->firstOut + port];
  *value = int64_t(PortEvents::get(OutputMetric(name) == OutputMetric::Tuples    ? events.tuples
                                   : OutputMetric(name) == OutputMetric::Windows ? events.windows
                                                                                 : events.finals));
  return 0;
}

SL(getOperatorMetricValue, Ul)(Ctx *ctx, uint32_t, int64_t *value) {
  const Program &p = *ctx->program;
  *value = int64_t(relativeCostOf(p, p.indexOf(sl_running(ctx))) + 0.5);
  return 0;
}

SL(isControlInputPort, j)(Ctx *ctx, uint8_t *result, uint32_t port) {
  const OperatorDesc *op = sl_running(ctx);
  if (checkPort(ctx, "input", port, op->inputs))
    return 1;
  *result = ctx->program->desc.inPorts[op->firstIn + port].control;
  return 0;
}
