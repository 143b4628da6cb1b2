//===- Unsaved.h - operators whose state no checkpoint can hold -*- C++ -*-===//
#pragma once
#include "passes/print/Explain.h"
#include "tools/driver/Compile.h"
#include <optional>

namespace sluice::driver {

/// Asks each operator in C++ of a program in phase placed, as a run with --checkpoint does when it
/// starts (Saves), by those of its parameters that are constants. Operators of toolkits are
/// compiled for that. No value: errors are reported.
std::optional<std::vector<Unsaved>> findUnsaved(Compilation &);

} // namespace sluice::driver
