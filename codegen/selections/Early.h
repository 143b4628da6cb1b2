//===- Early.h - operators whose rows may run ahead -------------*- C++ -*-===//
#pragma once
#include "codegen/segments/GraphInfo.h"

namespace sluice {

/// Why an operator may not run rows before those ahead of them have left the segment. Empty: it
/// may, as nobody can see it. It makes at most one row of one, cannot fail, touches nothing but its
/// own state, and asks neither for the time nor for what its ports did.
std::string whyNotEarly(GraphInfo &, OpInfo &, mlir::ModuleOp);

} // namespace sluice
