//===- Early.h - operators whose rows may run ahead -------------*- C++ -*-===//
#pragma once
#include "codegen/segments/GraphInfo.h"

namespace sluice {

/// Why an operator may not run rows before those ahead of them have left the segment. Empty: it
/// may, as nobody can see it. It makes at most one row of one, touches nothing but its own state,
/// and asks neither for the time nor for what its ports did. If it fails at a row it has not
/// submitted that row.
std::string whyNotEarly(GraphInfo &, OpInfo &, mlir::ModuleOp);
/// Whether the handler of the only input port may fail.
bool mayFail(OpInfo &, mlir::ModuleOp);
/// Whether it may release what it has submitted from scratch memory.
bool releasesBehindSubmit(OpInfo &);

} // namespace sluice
