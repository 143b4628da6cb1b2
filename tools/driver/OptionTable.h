//===- OptionTable.h - the commands and options of the driver ---*- C++ -*-===//
//
// They stand in DriverOptions.cpp, and those of a run in sluice/RunOptions.def: parsing, error
// messages, --help, the manual page and the completion of shells follow from these tables.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "tools/driver/DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <functional>

namespace sluice::driver {

/// A set of commands.
constexpr unsigned bit(Command c) { return 1u << unsigned(c); }

struct CommandInfo {
  const char *name;
  Command command;
  const char *usage, *summary;
  const char *details = nullptr; // for --help, behind the options
};

struct OptionInfo {
  /// The argument is null of a flag; `exact|any`: words that may be given, of which those in
  /// capital letters stand for others.
  const char *name, *argument;
  unsigned commands;
  const char *help;
  /// False: bad value. None: the option goes to the program.
  std::function<bool(DriverOptions &, llvm::StringRef)> set;

  bool isOf(Command command) const { return commands >> unsigned(command) & 1; }
  /// "--name=ARGUMENT", as it is written.
  std::string head() const;
  /// Words that may be given as the argument; none: it is something else.
  llvm::SmallVector<llvm::StringRef> words() const;
  /// Whether its argument may stand in the same word: `-oFILE`.
  bool isShort() const { return argument && name[1] != '-'; }
};

llvm::ArrayRef<CommandInfo> commandTable();
/// Those that work without the source tree, for packages.
llvm::ArrayRef<CommandInfo> installedCommands();
llvm::ArrayRef<OptionInfo> optionTable();
/// "graph, flat, placed, lowered or llvm".
const std::string &phaseList();

/// What options say together that does not fit. Empty, or what is wrong.
std::string contradiction(const DriverOptions &);

/// Those of the compiler: of commands that read a program, and of `sluice trace`.
std::vector<OptionInfo> compilerOptions();
/// Those of a run: of `sluice run`, and of executables.
llvm::ArrayRef<OptionInfo> runOptions();

} // namespace sluice::driver
