//===- Groups.h - operators of like cost -------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <vector>

namespace sluice::elastic::paper {

enum class Direction : uint8_t { Up, Down }; // to give queues, to take queues away

struct GroupOptions {
  uint32_t bins = 9;     // groups at most
  bool harmonic = false; // Up: harmonic groups as in the published code, else by powers of two
  bool mixed = true;     // the order within a group: mixed, else by number
};

/// Divides `candidates` (ascending node numbers) into groups of like cost, in the order in which
/// they are tried: upwards the heaviest first, downwards the lightest. `costs` is by node, in any
/// unit. A node that costs nothing is among the lightest.
std::vector<std::vector<uint32_t>> groupByCost(const std::vector<uint32_t> &candidates,
                                               const std::vector<double> &costs, Direction,
                                               const GroupOptions &);

} // namespace sluice::elastic::paper
