//===- Words.h - numbers in reasons ------------------------*- C++ -*-===//
//
// Numbers as people read them in the reasons of decisions. Traces record reasons, so a
// change here changes what a replay compares.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::elastic {

/// `1.23 M rows/s`.
std::string rate(double rowsPerSecond);
/// `14 % more`, `3 % less`, `as much`; with `what` (`with 2`): `14 % more than with 2`, `as much as
/// with 2`.
std::string compared(double now, double before, std::string_view what = {});
/// `5 %` of 0.05.
std::string percent(double share);
/// `5.1 %` of 0.051.
std::string percentTenths(double share);
/// `1 worker`, `3 workers`.
std::string counted(uint32_t number, std::string_view thing);

} // namespace sluice::elastic
