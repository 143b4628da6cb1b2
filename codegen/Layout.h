//===- Layout.h - where the bytes of a value lie ----------------*- C++ -*-===//
//
// The compiler's half of runtime/include/sluice/value.h, columns.h and abi.h:
// pure functions of a type, and the offsets that generated code reads. A tuple
// struct has C layout.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Spl.h"
#include "sluice/value.h"

namespace sluice::layout {

/// Size and alignment of a value of an SPL type in memory.
uint64_t sizeOf(mlir::Type type);
uint64_t alignOf(mlir::Type type);

/// Whether memcpy copies it: no string or collection in it. True also of types that are not of
/// values.
bool isPlain(mlir::Type type);

/// A direct part of a value: a tuple's attribute, or a word of a string,
/// collection or timestamp (then of a signless integer or pointer type).
struct Part {
  mlir::Type type;
  uint64_t offset;
};
/// The direct parts of a type, none for scalars.
llvm::SmallVector<Part> partsOf(mlir::Type type);
/// The byte offset of a tuple's attribute, of a part of an optional.
uint64_t fieldOffset(mlir::Type record, unsigned index);

/// Elements of a collection: bytes from one to the next, and in a map from the
/// key to the value.
struct Entry {
  uint64_t stride, valueOffset;
};
Entry entryOf(mlir::Type collection);

/// The type of an SSA value of an SPL type (boolean: i1); null if it is none.
mlir::Type loweredType(mlir::Type type);
/// The type of the same value in memory and in tuple structs (boolean: i8).
mlir::Type memoryType(mlir::Type type);

/// A leaf of a tuple: an attribute that is no tuple, of it or of one nested in
/// it. In a batch, a column.
struct Column {
  llvm::SmallVector<unsigned> path; // indices of attributes, outermost first
  mlir::Type type;
  uint64_t size;
  uint64_t offset; // leaves(): in the tuple struct; batchLayout(): of the column from the Batch's
                   // address
};
llvm::SmallVector<Column> leaves(spl::TupleType tuple);

struct Batch {
  uint32_t rows;  // capacity
  uint64_t bytes; // header and columns
  llvm::SmallVector<Column> columns;
};
/// By the rule of runtime/include/sluice/columns.h.
Batch batchLayout(spl::TupleType tuple);

//===--- structs of abi.h (whose names would clash with MLIR's here) --------===//
extern const uint64_t ctxPorts, ctxNatives, ctxChannel, ctxMaxChannels, ctxState, ctxFailedRow,
    ctxOp, ctxSaveDue, ctxSaves, ctxMade, ctxChannels, ctxSize;
extern const uint64_t outPortSize;
extern const uint64_t batchRows, batchLimit, batchPunctCount, batchPuncts;
extern const uint64_t punctRow, punctKind, punctTime, punctSize; // sluice::Punctuation
extern const uint64_t arenaCheckpointSize;                       // sluice::ArenaCheckpoint

} // namespace sluice::layout
