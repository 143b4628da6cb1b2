//===- OptionTable.h - the commands and options of the driver ---*- C++ -*-===//
//
// The only place that has them is DriverOptions.cpp: parsing, error messages, --help, the manual
// page and the completion of shells follow from these tables.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "tools/driver/DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>

namespace sluice::driver {

struct CommandInfo {
  const char *name;
  Command command;
  const char *usage, *summary;
  const char *details = nullptr; // for --help, behind the options
};

struct OptionInfo {
  const char *name, *argument; // argument null: a flag
  unsigned commands;
  const char *help;
  std::function<bool(DriverOptions &, llvm::StringRef)> set; // false: bad value

  bool isOf(Command command) const { return commands >> unsigned(command) & 1; }
  /// "--name=ARGUMENT", as it is written.
  std::string head() const;
};

llvm::ArrayRef<CommandInfo> commandTable();
llvm::ArrayRef<OptionInfo> optionTable();

} // namespace sluice::driver
