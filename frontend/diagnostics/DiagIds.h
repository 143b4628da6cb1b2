//===- DiagIds.h - the names of the diagnostics -----------------*- C++ -*-===//
//
// Apart from Diagnostics.h for code that must not see MLIR's headers (antlr/).
//
//===----------------------------------------------------------------------===//
#pragma once

namespace sluice {

enum class Diag {
#define DIAG(id, severity, code, text) id,
#define NOTE(id, text) id,
#include "frontend/diagnostics/Diagnostics.def"
#undef DIAG
#undef NOTE
};

} // namespace sluice
