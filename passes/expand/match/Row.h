//===- Row.h - what a Join keeps of a tuple ---------------------*- C++ -*-===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Record.h"

namespace sluice::match {

/// A value that is computed from a tuple. It is kept in its row, unless it is an attribute.
class Derived {
public:
  Derived(stream::OperatorOp, mlir::Region &source, window::Record &row);
  mlir::Type type() const;
  /// From a tuple that comes, once.
  mlir::Value of(HandlerBuilder &, mlir::Value tuple) const;
  void keep(HandlerBuilder &, mlir::Value value, mlir::Value row) const;
  /// From a row and its tuple.
  mlir::Value in(HandlerBuilder &, mlir::Value row, mlir::Value tuple) const;

private:
  mlir::Region *source;
  unsigned ports;
  std::optional<unsigned> at; // of a row
};

inline mlir::Type hashType(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, 32, mlir::IntegerType::Unsigned);
}

/// What the equality compares of a tuple, and its hash.
struct Key {
  mlir::Value value, hash; // null without an index
  explicit operator bool() const { return bool(value); }
};

/// The record of a row. What keeps rows adds its links.
class Row {
public:
  Row(stream::OperatorOp, unsigned port, llvm::ArrayRef<mlir::Type> marks);

  mlir::Value tuple(HandlerBuilder &, mlir::Value row) const;
  mlir::Value mark(HandlerBuilder &, mlir::Value row, unsigned mark) const;
  /// What the equality compares.
  mlir::Value key(HandlerBuilder &, mlir::Value row) const;
  /// A tuple that comes.
  void fill(HandlerBuilder &, mlir::Value row, mlir::Value tuple, llvm::ArrayRef<mlir::Value> marks,
            mlir::Value key, mlir::Value matched) const;

  window::Record record;
  std::optional<unsigned> matchedAt;
  std::optional<Derived> equality, partition;

private:
  unsigned tupleAt; // the marks follow
};

} // namespace sluice::match
