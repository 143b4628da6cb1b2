//===- Structure.h - what makes two builds one program ----------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Equal for programs whose operators, ports, streams and state are the same, wherever they stand
/// in which source. All PEs of a job have to be of one.
uint64_t structureHash(const ProgramDesc &);

} // namespace sluice
