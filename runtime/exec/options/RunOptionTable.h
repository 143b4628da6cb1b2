//===- RunOptionTable.h - the options of a run ------------------*- C++ -*-===//
//
// For whoever lists them, too: the driver.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/text/Options.h"

namespace sluice {

struct RunOptions;

/// Who takes an option of a run: bits of Option::commands.
enum class RunBy : uint32_t {
  Program = 1, // executables, and what `sluice run` has compiled
  Driver = 2   // `sluice run`, which hands it on
};
using RunOption = Option<RunOptions>;
/// In the order of --help.
std::span<const RunOption> runOptionTable();

} // namespace sluice
