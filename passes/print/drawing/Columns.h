//===- Columns.h - where the nodes of a layer stand -------------*- C++ -*-===//
#pragma once
#include <vector>

namespace sluice::drawing {

/// A node of a layer: where it would like to be, how much, and how far it reaches from there.
struct Standing {
  double wanted, weight, left, right;
};

/// Places as near as possible to those that are wanted (least squares) so that the nodes keep
/// their order and do not overlap.
std::vector<double> separate(const std::vector<Standing> &nodes);

} // namespace sluice::drawing
