//===- MetricFunctions.cpp - custom metrics ---------------------*- C++ -*-===//
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
