//===- Custom.cpp - metrics that operators make --------------------------===//
#include "runtime/exec/state/Program.h"

using namespace sluice;

static uint32_t idOf(Ctx *ctx, const OperatorDesc *op) {
  return uint32_t(op - ctx->program->desc.operators);
}

extern "C" const OperatorDesc *sl_running(Ctx *ctx) {
  return &ctx->program->desc.operators[ctx->replica->op + ctx->op];
}

extern "C" Metric *sl_make_metric(Ctx *ctx, const OperatorDesc *op, std::string_view name,
                                  std::string_view description, MetricKind kind, int64_t value) {
  return &ctx->program->customMetrics.make(idOf(ctx, op), name, description, kind, value);
}

extern "C" Metric *sl_find_metric(Ctx *ctx, const OperatorDesc *op, std::string_view name) {
  return ctx->program->customMetrics.find(idOf(ctx, op), name);
}

extern "C" Metric *sl_metric_at(Ctx *ctx, const OperatorDesc *op, size_t index) {
  return ctx->program->customMetrics.at(idOf(ctx, op), index);
}
