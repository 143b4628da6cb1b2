//===- Version.h - sluice --version -----------------------------*- C++ -*-===//
#pragma once

namespace sluice::driver {

/// Prints the version of Sluice and of LLVM, and each target whose runtime was built, with the kind
/// of threads that its workers are.
void printVersion();

} // namespace sluice::driver
