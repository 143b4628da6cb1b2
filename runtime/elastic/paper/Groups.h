//===- Groups.h - operators of like cost -------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <vector>

namespace sluice::elastic::paper {

enum class Direction : uint8_t { Up, Down }; // give queues, take queues away

struct GroupOptions {
  uint32_t bins = 9;     // at most so many groups
  bool harmonic = false; // Up: the published code's groups, else by powers of two
  bool mixed = true;     // within a group: in no particular order, else by number
};

/// `candidates` (ascending node numbers) in groups, in the order in which they are to be tried: Up
/// heaviest first, Down lightest first. `costs` is by node, in any unit; whoever costs nothing is
/// among the lightest.
std::vector<std::vector<uint32_t>> groupByCost(const std::vector<uint32_t> &candidates,
                                               const std::vector<double> &costs, Direction,
                                               const GroupOptions &);

} // namespace sluice::elastic::paper
