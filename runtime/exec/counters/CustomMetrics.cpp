//===- CustomMetrics.cpp - metrics that operators make -------------------===//
#include "runtime/exec/counters/CustomMetrics.h"

namespace sluice {

static Metric *named(std::deque<Metric> &all, std::string_view name) {
  for (Metric &metric : all)
    if (metric.name == name)
      return &metric;
  return nullptr;
}

Metric &CustomMetrics::make(uint32_t op, std::string_view name, std::string_view description,
                            MetricKind kind, int64_t value) {
  os::Held held(lock);
  std::deque<Metric> &all = metrics[op];
  if (Metric *known = named(all, name))
    return *known;
  return all.emplace_back(std::string(name), std::string(description), kind, value);
}

Metric *CustomMetrics::find(uint32_t op, std::string_view name) {
  os::Held held(lock);
  auto of = metrics.find(op);
  return of == metrics.end() ? nullptr : named(of->second, name);
}

Metric *CustomMetrics::at(uint32_t op, size_t index) {
  os::Held held(lock);
  auto of = metrics.find(op);
  return of == metrics.end() || index >= of->second.size() ? nullptr : &of->second[index];
}

std::vector<MetricSample> CustomMetrics::sample() const {
  os::Held held(lock);
  std::vector<MetricSample> samples;
  for (auto &[op, all] : metrics)
    for (const Metric &metric : all)
      samples.push_back({op, metric.name, metric.description, metric.kind,
                         metric.value.load(std::memory_order_relaxed)});
  return samples;
}

} // namespace sluice
