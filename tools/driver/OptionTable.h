//===- OptionTable.h - the commands and options of the driver ---*- C++ -*-===//
//
// They stand in CommandTable.cpp and CompilerOptions.cpp, and those of a run in
// runtime/exec/options/RunOptionTable.cpp: parsing, error messages, --help, the manual page and the
// completion of shells follow from these tables.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/text/Options.h"
#include "tools/driver/DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace sluice::driver {

/// A set of commands.
constexpr uint32_t bit(Command c) { return 1u << unsigned(c); }
/// In the set of an option: the program takes it, and the driver hands it on.
constexpr uint32_t kOfProgram = 1u << 31;

/// What the words behind a command are, but for options.
enum class Input {
  Program,  // the file of a program
  Programs, // files and folders of programs
  Trace,    // the file of a trace
  Traces,   // two of them
  Folder,   // a directory of checkpoints, and numbers of some
  App,      // the folder of a program for a cluster
  Code,     // of a message, or none
  Name,     // of what is made
  Job,      // its number or program
  Words,    // any number
  None,
  Script // whatever a script of the source tree takes, options as well
};

struct CommandInfo {
  const char *name; // of one of a group, `group name`
  Command command;
  Input input;
  int (*run)(const DriverOptions &);
  const char *usage, *summary;
  const char *details = nullptr; // for --help, behind the options

  bool readsProgram() const { return input == Input::Program || input == Input::Programs; }
};

/// Commands of two words that share the first.
struct GroupInfo {
  const char *name, *usage, *summary;
};
llvm::ArrayRef<GroupInfo> groupTable();
/// Null: it is no group.
const GroupInfo *findGroup(llvm::StringRef name);
/// The second words of the commands of a group.
llvm::SmallVector<llvm::StringRef> commandsOf(const GroupInfo &);

using OptionInfo = Option<DriverOptions>;
inline bool isOf(const OptionInfo &option, Command command) {
  return option.commands & bit(command);
}
/// "--name=ARGUMENT", as it is written.
std::string headOf(const OptionInfo &);
/// Words that may be given as the argument; none: it is something else.
llvm::SmallVector<llvm::StringRef> wordsOf(const OptionInfo &);
/// Whether its argument may stand in the same word: `-oFILE`.
inline bool isShort(const OptionInfo &option) { return option.argument && option.name[1] != '-'; }

llvm::ArrayRef<CommandInfo> commandTable();
/// Those that work without the source tree, for packages.
llvm::ArrayRef<CommandInfo> installedCommands();
/// Null: there is none.
const CommandInfo *findCommand(llvm::StringRef name);
const CommandInfo *findCommand(Command);
/// What messages call it.
const char *wordFor(Input);
llvm::ArrayRef<OptionInfo> optionTable();
/// "graph, flat, placed, lowered or llvm".
const std::string &phaseList();

/// What options say together that does not fit. Empty, or what is wrong.
std::string contradiction(const DriverOptions &);

/// Those of the compiler: of commands that read a program, and of `sluice trace`.
std::vector<OptionInfo> compilerOptions();

} // namespace sluice::driver
