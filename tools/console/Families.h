//===- Families.h - the text for Prometheus ---------------------*- C++ -*-===//
#pragma once
#include <string>
#include <vector>

namespace sluice::console {

/// The families of several processes as one text: each family stands in it once.
std::string mergeFamilies(const std::vector<std::string> &texts);
/// The same in Prometheus's own format, for those that do not know OpenMetrics: there the family of
/// a counter has `_total` in its name.
std::string toPlainFormat(const std::string &openMetrics);

} // namespace sluice::console
