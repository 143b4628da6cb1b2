//===- HiddenValues.h - values that no command line shows -------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace sluice::driver {

/// Takes submission-time values out of the arguments of a program that are secret, as its job.json
/// says, or that stand elsewhere (`@file:`, `@env:`), which is here and not on the hosts. The
/// arguments name variables of the environment instead, which the PEs get: the result has them, as
/// `NAME=VALUE`.
llvm::Expected<std::vector<std::string>> hideValues(std::vector<std::string> &arguments,
                                                    llvm::StringRef job);

} // namespace sluice::driver
