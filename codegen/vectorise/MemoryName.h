//===- MemoryName.h - which memory an access touches ------------*- C++ -*-===//
#pragma once
#include "llvm/IR/Instruction.h"

namespace sluice {

/// The name that the tag of codegen/Aliasing.h gives to the memory that a load or store touches:
/// "state", "columns3.0"; empty if it has another tag or none.
llvm::StringRef memoryName(const llvm::Instruction &access);

} // namespace sluice
