//===- ProgramTable.h - the ProgramDesc of a compiled program ---*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include <string>

namespace sluice {

/// The program table: a symbol of every module that is a program.
constexpr llvm::StringLiteral kProgramSymbol = "sl_program";

/// Where a program and the standard toolkit lie. In an executable, which may run elsewhere, no path
/// begins at the root: files are named as they are seen from these two. (Only the constants
/// getThisFileDir() and getThisFilePath() of the program itself do.)
struct ProgramInfo {
  std::string sourceFile, appDir, toolkitDir;
  bool isExecutable;

  /// As the program is to name a source file.
  std::string nameOf(llvm::StringRef file) const;
};

/// Adds the constant `sl_program` (runtime/include/sluice/abi.h) to `module`,
/// from the attributes `stream.table` and `spl.sites` of the MLIR module it was
/// translated from. `module` knows its data layout.
void addProgramTable(mlir::ModuleOp from, llvm::Module &module, const ProgramInfo &info);

/// Once the code is optimised: sets ProgramDesc::rowsAtOnce to the most that any function does
/// (VectoriseRows.h).
void tellRowsAtOnce(llvm::Module &module);
} // namespace sluice
