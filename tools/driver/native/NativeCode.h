//===- NativeCode.h - compiles the native functions of a program -*- C++ -*-===//
//
// The sources in impl/src of the toolkits, and the wrappers of the functions that are called, are
// compiled by clang++-22. Objects are kept in a cache, by the hash of all that they are made of.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "tools/driver/Compile.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>

namespace sluice::driver {

/// What the linker gets for a program with native functions: objects, then libraries.
using LinkerInputs = std::vector<std::string>;

/// Compiles what the analysed program of `c` calls; empty if that is nothing. No value: errors are
/// reported.
std::optional<LinkerInputs> compileNative(Compilation &c, const llvm::Triple &triple);

/// The same, and loads it into this process. False: errors are reported.
bool loadNative(Compilation &c, const llvm::Triple &triple);

} // namespace sluice::driver
