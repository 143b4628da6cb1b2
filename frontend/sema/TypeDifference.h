//===- TypeDifference.h - in what two types differ ---------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/types/Types.h"

namespace sluice::sema {

/// Notes by what attributes `have` differs from `want`, if they are tuple types, or collections of
/// tuples. Whether they are.
bool noteDifference(Diagnostics &, mlir::InFlightDiagnostic &, Range, Type have, Type want);

} // namespace sluice::sema
