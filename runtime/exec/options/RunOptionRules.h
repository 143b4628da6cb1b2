//===- RunOptionRules.h - what options of a run say together ----*- C++ -*-===//
#pragma once
#include "runtime/exec/options/RunOptions.h"

namespace sluice {

/// Sets what follows from other options. The command line wins over the environment.
void settle(RunOptions &);
/// What has to hold then.
std::span<const OptionRule<RunOptions>> runOptionRules();

} // namespace sluice
