//===- Target.h - LLVM modules to machine code ------------------*- C++ -*-===//
#pragma once
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace sluice {

/// A target machine: the host's (with all its features) for an empty triple or
/// the host's own, else a generic one of the triple.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTarget(llvm::StringRef triple);

/// Where bitcode and static libraries of a target lie: LIBDIR/sluice/TRIPLE.
std::string runtimeDir(llvm::StringRef libDir, const llvm::Triple &triple);

/// Links the bitcode of the runtime's hot helpers into `module`, as far as it is
/// used, and makes everything but `sl_program` and `main` internal.
llvm::Error linkRuntimeBitcode(llvm::Module &module, llvm::StringRef bitcodeFile);

/// Says what is inlined where LLVM need not think: a chain of handlers with one
/// call site each becomes the body of its row loop in one sweep (bottom-up, a
/// chain of n operators costs n squared), and the rare paths of punctuation stay out.
void chooseInlining(llvm::Module &module);

/// Makes one function of row loops (opK.rowsP) that do the same, once they are optimised: a
/// program of many like operators then stays in the cache of instructions.
void mergeRows(llvm::Module &module);

/// LLVM's standard pipeline at -O<level> for the target.
void optimise(llvm::Module &module, llvm::TargetMachine &target, unsigned level);

/// Writes object code or assembly.
llvm::Error emitCode(llvm::Module &module, llvm::TargetMachine &target, llvm::raw_pwrite_stream &os,
                     bool assembly);

/// Links an object file with the runtime into an executable.
llvm::Error linkProgram(llvm::StringRef object, llvm::StringRef output, const llvm::Triple &triple,
                        llvm::StringRef libDir);

/// Which threads the workers of programs for `triple` are: "OpenMP (libomp)", "threads", ...
llvm::StringRef teamOf(const llvm::Triple &triple);

/// Compiles `module` in this process and runs its sl_program, after `compiled()`; returns the
/// exit code of the program.
llvm::Expected<int> runInProcess(std::unique_ptr<llvm::LLVMContext> context,
                                 std::unique_ptr<llvm::Module> module,
                                 std::unique_ptr<llvm::TargetMachine> target,
                                 llvm::ArrayRef<std::string> arguments,
                                 llvm::function_ref<void()> compiled);

} // namespace sluice
