//===- Habits.h - what people write who know other programs -----*- C++ -*-===//
#pragma once
#include "tools/driver/OptionTable.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace sluice::driver {

/// " (did you mean `...`?)" with the command that does what other programs call `name`; "" if none
/// is known.
std::string foreignCommand(llvm::StringRef name);
/// ": " and what Sluice has for an option that other programs have; "" if nothing is known.
std::string foreignOption(llvm::StringRef name, Command command);
/// Whether submission-time values may stand behind the source file.
bool takesValues(Command command);
/// What a word behind the source file is that the command has no use for.
const char *oddWord(llvm::StringRef word, Command command);
/// The words that an option's description lists.
llvm::SmallVector<llvm::StringRef> choicesOf(const OptionInfo &option);

} // namespace sluice::driver
