//===- Cpu.h - the processors that code is made for -------------*- C++ -*-===//
#pragma once
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <vector>

namespace sluice {

using Targets = std::vector<std::unique_ptr<llvm::TargetMachine>>;

/// Machines of a triple; this machine's for an empty one. `cpu` says of which processors:
///   native     this machine's, with all that it has
///   baseline   any of the triple
///   levels     those of Cpus.def, the least first; where there are none, baseline
///   a name     one that LLVM knows
///   nothing    native where the triple is this machine's, else baseline
/// Extensions that are not in Cpus.def are switched off, as no program asks for them.
llvm::Expected<Targets> createTargets(llvm::StringRef triple, llvm::StringRef cpu);

/// The only machine of such a choice.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTarget(llvm::StringRef triple,
                                                                  llvm::StringRef cpu);

/// The extensions of Cpus.def that code for `target` may use: CpuVariant::features.
uint64_t extensionsOf(const llvm::TargetMachine &target);

} // namespace sluice
