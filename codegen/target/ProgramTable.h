//===- ProgramTable.h - the ProgramDesc of a compiled program ---*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include <string>

namespace sluice {

struct ProgramInfo {
  std::string sourceFile, appDir, dataDir;
};

/// Adds the constant `sl_program` (runtime/include/sluice/abi.h) to `module`,
/// from the attributes `stream.table` and `spl.sites` of the MLIR module it was
/// translated from. `module` knows its data layout.
void addProgramTable(mlir::ModuleOp from, llvm::Module &module, const ProgramInfo &info);

/// Once the code is optimised: sets ProgramDesc::rowsAtOnce to the most that any function does
/// (VectoriseRows.h).
void tellRowsAtOnce(llvm::Module &module);

/// Adds `int main(int, char **)` which runs sl_program.
void addMain(llvm::Module &module);

} // namespace sluice
