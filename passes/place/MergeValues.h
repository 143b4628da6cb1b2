//===- MergeValues.h - values with several definitions -----------*- C++ -*-===//
#pragma once
#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace sluice {

/// Puts a region into SSA form again after values got further definitions: blocks in which
/// definitions meet get arguments (Braun et al., Simple and Efficient Construction of Static Single
/// Assignment Form, CC 2013).
class MergeValues {
public:
  explicit MergeValues(mlir::Region &region) : region(region) {}
  /// At the end of the block `value` is `now`. One definition a block.
  void define(mlir::Value value, mlir::Block *block, mlir::Value now) {
    definitions[value][block] = now;
  }
  /// Each use gets what its value is there. All blocks must have their terminators.
  void rewrite();

private:
  using Ends = llvm::DenseMap<mlir::Block *, mlir::Value>; // what a value is, by block
  mlir::Value atStart(mlir::Block *, mlir::Type, const Ends &ends, Ends &starts);
  mlir::Value atEnd(mlir::Block *, mlir::Type, const Ends &ends, Ends &starts);

  mlir::Region &region;
  llvm::MapVector<mlir::Value, Ends> definitions;
};

} // namespace sluice
