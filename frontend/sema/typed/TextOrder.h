//===- TextOrder.h - the order of a composite's parts -----------*- C++ -*-===//
#pragma once
#include "frontend/sema/typed/Graph.h"

namespace sluice::typed {

/// An operator or an inner composite of an instance: one of the two.
struct Item {
  const Operator *op;
  const Composite *inner;
};

/// The parts of an instance in the order of the text, which is the order of the
/// operators of the graph and of the consumers of one stream.
std::vector<Item> inTextOrder(const Composite &);
/// The operators of an instance and of all instances in it, in the order of the text.
std::vector<const Operator *> allInTextOrder(const Composite &);

} // namespace sluice::typed
