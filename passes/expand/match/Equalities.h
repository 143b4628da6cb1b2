//===- Equalities.h - what an index can answer of a match -------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"

namespace sluice::match {

/// The parameters that say which values of both sides are equal.
inline constexpr llvm::StringLiteral kEquality[] = {"equalityLHS", "equalityRHS"};

/// Equalities between both sides that `match` begins with, or that are behind conditions which
/// cannot fail, become values of `equalityLHS` and `equalityRHS`, and true in `match`.
void moveEqualities(stream::OperatorOp);

/// How the window of a port is kept; after moveEqualities.
stream::WindowPlanAttr planOf(stream::OperatorOp, unsigned port);

} // namespace sluice::match
