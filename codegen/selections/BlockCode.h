//===- BlockCode.h - the memory of a block of rows --------------*- C++ -*-===//
#pragma once
#include "codegen/segments/SegmentCode.h"

namespace sluice {

/// Makes code that works with the arrays of a block (Selections::Array).
class BlockCode : public SegmentCode {
public:
  using Array = Selections::Array;
  BlockCode(SegmentContext &c, const Selections &plan, mlir::Value block, mlir::Location loc)
      : SegmentCode(c), plan(plan), block(block), loc(loc) {}

  /// The element of Column or Dense with the index `at` (i64).
  Value get(Array, unsigned column, Value at, mlir::Type type);
  void put(Array, unsigned column, Value at, Value value);
  /// The row (i64) with the index `at` of a list.
  Value row(unsigned list, Value at);
  void setRow(unsigned list, Value at, Value row);
  /// How many rows (i64) a list has.
  Value count(unsigned list);
  void setCount(unsigned list, Value count);
  /// A number besides (i64).
  Value counter(Selections::Counter which) { return count(plan.lists + which); }
  void setCounter(Selections::Counter which, Value value) { setCount(plan.lists + which, value); }
  /// Marks a row (i64).
  void mark(Value row);
  /// Returns the marks of 64 rows, a bit for each, and takes them away.
  Value takeMarks(Value word);

protected:
  const Selections &plan;
  const Value block;
  const Location loc;

private:
  Value elementOf(Array, unsigned number, uint64_t stride, Value at);
  mlir::LLVM::TBAATagAttr tagOf(Array, unsigned number);
  Value load(Array, unsigned number, uint64_t stride, Value at, mlir::Type type);
  void store(Array, unsigned number, uint64_t stride, Value at, Value value);
};

} // namespace sluice
