//===- CustomMetrics.h - metrics that operators make ------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/metrics.h"
#include <deque>
#include <map>
#include <vector>

namespace sluice {

/// A custom metric at one moment.
struct MetricSample {
  uint32_t op; // id of its operator
  std::string name, description;
  MetricKind kind;
  int64_t value;
};

/// The custom metrics of all operators. Any thread, at any time.
class CustomMetrics {
public:
  Metric &make(uint32_t op, std::string_view name, std::string_view description, MetricKind,
               int64_t value);
  Metric *find(uint32_t op, std::string_view name);
  Metric *at(uint32_t op, size_t index);
  /// In the order of the operators; of one operator as they were made.
  std::vector<MetricSample> sample() const;

private:
  mutable os::Lock lock;
  std::map<uint32_t, std::deque<Metric>> metrics; // by id of the operator; they stay where they are
};

} // namespace sluice
