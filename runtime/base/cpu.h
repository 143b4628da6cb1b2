//===- cpu.h - what this processor can do -----------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice::cpu {

/// The extensions of Cpus.def that this processor and the operating system have.
uint64_t features();

/// The names of extensions: "avx2, fma".
std::string names(uint64_t features);

} // namespace sluice::cpu
