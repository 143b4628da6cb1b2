//===- Partitions.h - the windows of an input port --------------*- C++ -*-===//
//
// Without `partitioned` there is one window, in a state variable. With it there is one for each
// key, in a map. A limit evicts the partition that got a tuple least recently: a ring has the keys
// in the order of their tuples, each with the number of that tuple. An entry whose number is not
// that of its partition's last tuple is stale.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Ring.h"
#include "passes/expand/window/Sizes.h"

namespace sluice::window {

class Partitions {
public:
  using OnWindow = llvm::function_ref<void(mlir::Value window)>;
  using SizeOf = llvm::function_ref<mlir::Value(mlir::Value window)>;

  /// `key`: the parameter that gives a tuple's key; null without `partitioned`.
  Partitions(stream::OperatorOp, stream::WindowOp, const Sizes &, mlir::Region *key,
             Record &window);
  using IsGone = llvm::function_ref<mlir::Value(mlir::Value window)>;
  /// Adds the state variables, once the record is complete. `sweeps`: there is a sweep.
  void declare(const Record &window, bool sweeps);

  bool partitioned() const { return key; }
  /// Null without `partitioned`.
  mlir::Value keyOf(HandlerBuilder &, mlir::ValueRange tuples) const;
  /// The place of the window of a key. It is made if there is none.
  mlir::Value find(HandlerBuilder &, mlir::Value key) const;
  /// Calls `body` with the window of a key, if there is one.
  void whenThere(HandlerBuilder &, mlir::Value key, OnWindow body) const;
  /// Calls `body` for each window.
  void forEach(HandlerBuilder &, OnWindow body) const;
  /// Removes the windows of which `isGone` holds; without `partitioned` nothing.
  void dropIf(HandlerBuilder &, IsGone isGone) const;
  /// The same of the few windows whose turn it is; for each tuple that comes.
  void sweep(HandlerBuilder &, IsGone isGone) const;
  /// Removes all windows; of the only one, `clear` empties it.
  void clearAll(HandlerBuilder &, OnWindow clear) const;

  //===--- limits -------------------------------------------------------------------===//
  bool limited() const { return limit.has_value(); }
  bool limitedBy(stream::PartitionLimit what) const { return limit == what; }
  /// A tuple of `key` came at time `now` (null unless limited by age).
  void touch(HandlerBuilder &, mlir::Value key, mlir::Value now) const;
  /// Removes the window of a key, which holds nothing: it does not count any more.
  void drop(HandlerBuilder &, mlir::Value key) const;
  /// Adds to the number of tuples in all windows.
  void countTuples(HandlerBuilder &, mlir::Value more) const;
  /// Evicts partitions until the limit is kept; `evicted` is told each before it is gone, and its
  /// size is asked by `size`. All places of windows become invalid.
  void enforce(HandlerBuilder &, mlir::Value now, OnWindow evicted, SizeOf size) const;

private:
  mlir::Value windowCount(HandlerBuilder &) const;
  mlir::Value exceeded(HandlerBuilder &, mlir::Value now) const;
  void popOldest(HandlerBuilder &, OnWindow evicted, SizeOf size) const;
  void compact(HandlerBuilder &) const;
  mlir::Value isStale(HandlerBuilder &, mlir::Value entry) const;

  stream::OperatorOp op;
  const Sizes &sizes;
  mlir::Region *key;
  mlir::Type type;           // of the key
  spl::TupleType windowType; // the record of a window
  std::optional<stream::PartitionLimit> limit;
  std::string suffix; // of the names of state variables
  unsigned stampAt = 0;
  Record order; // of the ring
  std::optional<Ring> ring;
  static constexpr unsigned entryKey = 0, entryStamp = 1, entryTime = 2; // of its elements
  AddedState windows, orderState, stampState, tuplesState, handState;
};

} // namespace sluice::window
