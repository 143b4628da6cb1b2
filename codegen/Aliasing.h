//===- Aliasing.h - which memory is never the same --------------*- C++ -*-===//
//
// LLVM cannot see that the columns of different ports, the headers of batches,
// the state of operators and the elements of collections in state lie apart.
// TBAA tags say so; they survive inlining. The runtime's own accesses have tags
// of another tree or none, and so may touch all of it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace sluice {

enum class Memory {
  Columns, // of the batches of an output port
  Header,  // of those batches: rows, limit
  Ports,   // which batch is an output port's at present
  State,   // of all operators
  Made,    // numbers of tuples (Ctx::made, KeyedRowsFn)
  Block,   // arrays of a segment that runs in steps
  Dealt,   // to which channels rows were dealt (Ctx::channels)
};

/// `port`: of Columns and Header (of Block: an array); none: of any port. `column`: one of Columns.
mlir::LLVM::TBAATagAttr memoryTag(mlir::MLIRContext *context, Memory memory,
                                  std::optional<unsigned> port = std::nullopt,
                                  std::optional<unsigned> column = std::nullopt);

/// Of the elements of a list, or the values of a map, of this type, which lies in state or in such
/// an element: they have memory on the heap, which no collection of another type shares.
mlir::LLVM::TBAATagAttr elementsTag(mlir::Type collection);

/// Sets the tag of spl.get, spl.put, spl.load or spl.store, for the access that becomes of it.
void setMemory(mlir::Operation *access, mlir::LLVM::TBAATagAttr tag);
/// Sets the tag of a load or store of the LLVM dialect.
void setTag(mlir::Operation *access, mlir::LLVM::TBAATagAttr tag);

} // namespace sluice
