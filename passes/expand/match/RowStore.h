//===- RowStore.h - the rows of one side of a Join --------------*- C++ -*-===//
//
// | store | for                  | a row leaves                                           |
// |-------|----------------------|--------------------------------------------------------|
// | queue | one window           | the oldest first; what leaves before is marked         |
// | chain | windows by partition | anywhere in the order of arrival: it is in four chains |
//
// Places of rows are valid until a row enters.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/match/Row.h"

namespace sluice::match {

class RowStore {
public:
  using OnRow = llvm::function_ref<void(mlir::Value row)>;

  virtual ~RowStore() = default;
  /// Adds state, once the record of a row is complete. `suffix`: of names.
  virtual void declare(stream::OperatorOp, llvm::StringRef suffix) = 0;
  /// What is kept of each tuple.
  virtual mlir::Type element() const = 0;

  //===--- the rows of a window, oldest first ---------------------------------------===//
  /// A row enters; `fill` is given its place. `key` is null without an index.
  virtual void insert(HandlerBuilder &, mlir::Value window, Key key, OnRow fill) = 0;
  /// How many there are (ui64).
  virtual mlir::Value size(HandlerBuilder &, mlir::Value window) = 0;
  /// The oldest, which there is.
  virtual mlir::Value oldest(HandlerBuilder &, mlir::Value window) = 0;
  virtual void dropOldest(HandlerBuilder &, mlir::Value window) = 0;
  /// Those of which `leaves` holds are told to `gone`, then dropped.
  virtual void dropIf(HandlerBuilder &, mlir::Value window,
                      llvm::function_ref<mlir::Value(mlir::Value row)> leaves, OnRow gone) = 0;
  virtual void forEach(HandlerBuilder &, mlir::Value window, OnRow body) = 0;
  virtual void clear(HandlerBuilder &, mlir::Value window) = 0;

  //===--- those of all windows, by arrival -----------------------------------------===//
  // `window`: the only one; null with partitions.
  /// Those that may match a tuple of the other side: with an index those of `key`, else all.
  virtual void forEachCandidate(HandlerBuilder &, mlir::Value window, Key key, OnRow body) = 0;
  /// Calls `body` with the oldest, if there is one.
  virtual void whenAny(HandlerBuilder &, mlir::Value window, OnRow body) = 0;
};

/// They add to the records of a row and of a window. `row.equality` says whether there is an index.
/// `anyLeaves`: not only the oldest.
std::unique_ptr<RowStore> makeQueue(Row &, window::Record &window, bool anyLeaves);
/// `byArrival`: the order of arrival of all rows counts.
std::unique_ptr<RowStore> makeChains(Row &, window::Record &window, bool byArrival);

} // namespace sluice::match
