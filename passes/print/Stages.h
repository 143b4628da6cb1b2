//===- Stages.h - what one thread at a time runs ------------------*- C++ -*-===//
#pragma once
#include "passes/analyze/Graph.h"

namespace sluice {

/// The operators that direct boundaries connect with this one.
llvm::SmallVector<unsigned> domainOf(const Graph &, unsigned op);
/// Why several workers may not run what is behind the boundary at an operator, or nothing. The same
/// rules as the runtime's (Domains::findShared, findByKey).
std::string whyAlone(const Graph &, unsigned head);

} // namespace sluice
