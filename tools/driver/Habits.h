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
/// The words that an option's description lists.
llvm::SmallVector<llvm::StringRef> choicesOf(const OptionInfo &option);

} // namespace sluice::driver
