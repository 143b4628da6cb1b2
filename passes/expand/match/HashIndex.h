//===- HashIndex.h - finds the rows of a ring by a hash ---------*- C++ -*-===//
//
// Rows whose hashes end alike are in one chain, in the order of the ring. The row in slot n has the
// link n + 1; 0 is none. The oldest row is the first of its chain, so it leaves in constant time,
// and no key is hashed twice.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Ring.h"

namespace sluice::match {

class HashIndex {
public:
  /// Adds to the records of a row and of the window that the ring is in.
  HashIndex(window::Record &row, window::Record &window);
  /// Once the record of a row is complete.
  void setRing(const window::Ring &rows) { ring = &rows; }

  /// The first link of the chain that has the rows with a hash; there is a row.
  mlir::Value first(HandlerBuilder &, mlir::Value window, mlir::Value hash) const;
  mlir::Value next(HandlerBuilder &, mlir::Value row) const;
  mlir::Value at(HandlerBuilder &, mlir::Value window, mlir::Value link) const;
  /// Keeps the hash of a row, for `append`.
  void keep(HandlerBuilder &, mlir::Value row, mlir::Value hash) const;
  /// A row comes last in its chain.
  void append(HandlerBuilder &, mlir::Value window, mlir::Value row, mlir::Value link) const;
  /// A row leaves its chain, where it follows the row with link `before` (0: it is the first).
  void remove(HandlerBuilder &, mlir::Value window, mlir::Value row, mlir::Value link,
              mlir::Value before) const;
  /// The oldest row leaves the ring. `mayBeGone`: it may have left its chain before.
  void removeOldest(HandlerBuilder &, mlir::Value window, bool mayBeGone) const;
  /// Empties all chains. They become more than four times as many as `rows`, so that few
  /// have several keys, or it fails first.
  void restart(HandlerBuilder &, mlir::Value window, mlir::Value rows) const;

private:
  mlir::Value headOf(HandlerBuilder &, mlir::Value window, mlir::Value hash) const;

  window::Record head;
  unsigned firstAt, lastAt; // of a head
  unsigned hashAt, nextAt;  // of a row
  unsigned headsAt;         // of the window: a list, whose size is a power of two
  const window::Ring *ring = nullptr;
};

/// The link of the row in a slot.
mlir::Value linkOf(HandlerBuilder &, mlir::Value slot);

} // namespace sluice::match
