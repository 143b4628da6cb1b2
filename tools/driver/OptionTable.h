//===- OptionTable.h - commands and options of the driver -----------*- C++ -*-===//
#pragma once
#include "tools/driver/DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>

namespace sluice::driver {

/// A set of commands.
constexpr unsigned bit(Command c) { return 1u << unsigned(c); }

struct OptionInfo {
  const char *name, *argument; // argument null: a flag
  unsigned commands;
  const char *help;
  /// False: bad value. None: the option goes to the program.
  std::function<bool(DriverOptions &, llvm::StringRef)> set;
};

/// Those of a run: of `sluice run`, and of executables.
llvm::ArrayRef<OptionInfo> runOptions();

} // namespace sluice::driver
