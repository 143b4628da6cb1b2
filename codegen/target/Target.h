//===- Target.h - LLVM modules to machine code ------------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace sluice {

/// Where bitcode and static libraries of a target lie: LIBDIR/sluice/TRIPLE.
std::string runtimeDir(llvm::StringRef libDir, const llvm::Triple &triple);

/// Links the bitcode of the runtime's hot helpers into `module`, as far as it is used.
llvm::Error linkRuntimeBitcode(llvm::Module &module, llvm::StringRef bitcodeFile);

/// Makes everything but `sl_program` internal.
void hideSymbols(llvm::Module &module);

/// Says what is inlined where LLVM need not think: a chain of handlers with one
/// call site each becomes the body of its row loop in one sweep (bottom-up, a
/// chain of n operators costs n squared), and the rare paths of punctuation stay out.
void chooseInlining(llvm::Module &module);

/// Makes one function of row loops (opK.rowsP) that do the same, once they are optimised: a
/// program of many like operators then stays in the cache of instructions.
void mergeRows(llvm::Module &module);

/// The first half of LLVM's standard pipeline at -O<level>: what does not depend much on the
/// processor. `target` is the least of those that the module is for.
void simplify(llvm::Module &module, llvm::TargetMachine &target, unsigned level);

/// The second half: the module becomes code for `target` only, which at level 0 makes its machine
/// code as soon as it can, not as fast.
void specialise(llvm::Module &module, llvm::TargetMachine &target, unsigned level);

/// Writes object code or assembly.
llvm::Error emitCode(llvm::Module &module, llvm::TargetMachine &target, llvm::raw_pwrite_stream &os,
                     bool assembly);

/// Says which package is missing if the compiler finds no C++ library for the target.
llvm::Error checkLibrary(llvm::StringRef clang, const llvm::Triple &triple);
/// Links object files with the runtime into an executable. `namespaces`: of the operators that the
/// program has, which says whose native code is needed.
llvm::Error linkProgram(llvm::ArrayRef<std::string> objects, llvm::StringRef output,
                        const llvm::Triple &triple, llvm::StringRef libDir,
                        const llvm::StringSet<> &namespaces);

/// Which threads the workers of programs for `triple` are: "OpenMP (libgomp)" or "threads".
llvm::StringRef teamOf(const llvm::Triple &triple);

/// Compiles `module` in this process and runs its sl_program, after `compiled()`; returns the
/// exit code of the program.
llvm::Expected<int> runInProcess(std::unique_ptr<llvm::LLVMContext> context,
                                 std::unique_ptr<llvm::Module> module,
                                 std::unique_ptr<llvm::TargetMachine> target,
                                 llvm::ArrayRef<std::string> arguments,
                                 llvm::function_ref<void()> compiled);

} // namespace sluice
