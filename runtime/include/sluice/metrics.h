//===- metrics.h - custom metrics -------------------------------*- C++ -*-===//
//
// Numbers that an operator makes and names itself. --stats and --metrics-json show them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/native.h"
#include <atomic>
#include <string>
#include <string_view>

namespace sluice {

/// In the order of Sys.Kind.
enum class MetricKind : uint32_t { Gauge, Counter, Time };

struct Metric {
  std::string name, description;
  MetricKind kind;
  std::atomic<int64_t> value; // relaxed: no order between metrics
};

/// The operator whose code calls a function that is declared to touch metrics.
extern "C" const OperatorDesc *sl_running(Ctx *);
/// Makes a metric of the operator, which stays where it is; if it has one of this name, that one.
extern "C" Metric *sl_make_metric(Ctx *, const OperatorDesc *, std::string_view name,
                                  std::string_view description, MetricKind, int64_t value);
/// A metric of the operator; null: it has none of this name.
extern "C" Metric *sl_find_metric(Ctx *, const OperatorDesc *, std::string_view name);
/// Metrics of the operator, in the order in which they were made; null: there are no more.
extern "C" Metric *sl_metric_at(Ctx *, const OperatorDesc *, size_t index);

} // namespace sluice
