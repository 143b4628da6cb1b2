//===- Rows.h - tuples that hang together in chains -------------*- C++ -*-===//
//
// All rows of a port are in one list; row n of it has the link n + 1, so that 0 is none. A row that
// is free is used again, the one that has been free longest first: rows that came one after the
// other tend to lie so. A chain goes through attributes of rows. Its ends are in a record: of a
// window, of a key, of the port. A row enters a chain at its end, and leaves it anywhere.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Record.h"

namespace sluice::match {

inline mlir::Type linkType(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, 32, mlir::IntegerType::Unsigned);
}

class Rows;

/// The ends of a chain, in the record of its owner.
struct Ends {
  explicit Ends(window::Record &owner);
  unsigned firstAt, lastAt;
};

/// The links of the rows of chains that exclude each other.
class Chain {
public:
  explicit Chain(window::Record &row);

  mlir::Value next(HandlerBuilder &, mlir::Value row) const;
  void append(HandlerBuilder &, const Rows &, Ends, mlir::Value owner, mlir::Value link) const;
  void remove(HandlerBuilder &, const Rows &, Ends, mlir::Value owner, mlir::Value link) const;

private:
  unsigned previousAt, nextAt;
};

/// The first link of a chain, or 0.
mlir::Value firstOf(HandlerBuilder &, Ends, mlir::Value owner);

class Rows {
public:
  /// `row`: what a row has. Chains and others add to it before `declare`.
  explicit Rows(window::Record &row)
      : record(row), owner(row.context()), links(record), free(owner) {}

  /// The record of the port, which has the ends of chains that all rows are in.
  window::Record &port() { return owner; }
  /// A row that is in use is in the chain of its window by these links, a free one in another.
  const Chain &chain() const { return links; }
  /// Adds the state.
  void declare(stream::OperatorOp, llvm::StringRef name, const llvm::Twine &what);

  mlir::Value portPlace(HandlerBuilder &code) const { return state.place(code); }
  /// The place of a row, until one is taken.
  mlir::Value at(HandlerBuilder &, mlir::Value link) const;
  /// A row that was free, or a new one.
  mlir::Value take(HandlerBuilder &) const;
  void release(HandlerBuilder &, mlir::Value link) const;

private:
  window::Record &record;
  window::Record owner;
  unsigned listAt = 0; // of the port
  Chain links;
  Ends free; // in the record of the port
  AddedState state;
};

} // namespace sluice::match
