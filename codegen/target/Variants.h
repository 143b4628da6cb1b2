//===- Variants.h - an executable's code for several processors -*- C++ -*-===//
#pragma once
#include "codegen/target/Cpu.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace sluice {

using ObjectCode = llvm::SmallVector<char, 0>;

/// The object files of an executable: the program once for each of `targets`, the least first, from
/// a module that is simplified (Target.h), and `main`, which chooses between them by the processor
/// that it finds.
llvm::Expected<std::vector<ObjectCode>> emitVariants(llvm::Module &module, const Targets &targets,
                                                     unsigned level);

} // namespace sluice
