//===- Selections.h - segments that run batches step by step ----*- C++ -*-===//
//
// Rows of a segment that take different ways cannot be done side by side one after the other. Such
// a segment runs a block of rows in steps. A step is some of its operators: it runs all rows that
// come to it, in their order, before the next step begins. The rows that come to a step are its
// selection: a list of their numbers. All rows of a step may then go the same way.
//
// A row is at one place at a time: each operator before the last step makes at most one row of
// one. What operators change of a row is kept in arrays, one for each column; what they do not is
// read from the batch.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/segments/GraphInfo.h"
#include "passes/analyze/Cost.h"
#include "llvm/ADT/SmallBitVector.h"

namespace sluice {

/// Operators that a row passes at once.
struct Step {
  OpInfo *entry;                     // the operator that it begins with
  std::optional<unsigned> forwards;  // or: rows only go into the batch of this output port of it
  llvm::SmallVector<unsigned> exits; // those that lead to it
  llvm::SmallVector<int> columns;    // of what comes: the column of the batch that it is, or kArray
  bool mayFail = false;              // some operator of it
  bool sideBySide = false;           // it loops over dense copies of the columns that it reads
  llvm::SmallBitVector reads;        // these columns
  unsigned list = 0;                 // where its selection is put if several exits lead to it

  static constexpr int kArray = -1; // it is in the array with the number of the column
  spl::TupleType tuple() const;     // the type of what comes
};

/// An output port at which rows leave a step.
struct Exit {
  OpInfo *op;
  unsigned port;
  unsigned from, to;           // steps
  bool always;                 // every row of the step leaves here: both have one selection
  llvm::SmallBitVector stores; // columns that are put in their arrays
  llvm::SmallBitVector copies; // those that point to what may not live as long as the block
  unsigned list = 0;           // unless always: where the selection is put
};

/// How the segment of an input port runs in steps.
struct Selections {
  std::vector<Step> steps; // in the order in which they run; only the last one is seen outside
  std::vector<Exit> exits;
  llvm::DenseMap<OpInfo *, unsigned> stepOf;
  unsigned rows = 0;        // of a block, at most
  bool mayFail = false;     // some step but the last one
  bool mayAllocate = false; // likewise: may leave temporaries, which live as long as the block
  unsigned ways = 1;        // one row of so many comes to a step that is sideBySide, by estimate

  /// The exit that an output port is, or null.
  const Exit *exit(const OpInfo &op, unsigned port) const;
  /// Whether the operator belongs to a step before the last one.
  bool isEarly(OpInfo &op) const { return stepOf.lookup(&op) + 1 < steps.size(); }

  /// Arrays of the memory of a block. Rows are numbers in the block. Counts: of lists, then what
  /// Counter names. Dense: by place in a selection.
  enum class Array { Counts, Marks, List, Column, Dense };
  /// Where an array begins, in bytes. `number`: of a list or a column.
  uint64_t at(Array, unsigned number = 0) const;
  /// kLimit: the first row that has failed, or the number of rows. kStatus, kFailed: of that
  /// failure, its site and the index of the operator. Only if mayFail.
  enum Counter : unsigned { kLimit, kStatus, kFailed, kCounters };
  uint64_t bytes() const { return at(Array::Dense, strides.size()); }
  llvm::SmallVector<uint64_t> strides; // by column: bytes of an element
  unsigned lists = 0;
};

/// Whether a segment runs in steps.
struct SelectionChoice {
  std::optional<Selections> plan;
  std::string why; // if not: the reason, where it would be worth it
};

/// Decides for the segment that the first input port of `head` heads. `costs`: by index of the
/// operator.
SelectionChoice planSelections(GraphInfo &, OpInfo &head, llvm::ArrayRef<Cost> costs,
                               mlir::ModuleOp);

/// What to say of it of each segment of a placed module where it would be worth it, by its head.
llvm::DenseMap<mlir::Operation *, std::string> explainSteps(mlir::ModuleOp);

} // namespace sluice
