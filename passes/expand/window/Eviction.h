//===- Eviction.h - when tuples enter and leave the windows of a port -------===//
//
// toolkit.md 3.6. Old tuples of a sliding window leave, then the new one enters. Partitions are
// evicted when the tuple has entered.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Contents.h"
#include "passes/expand/window/Partitions.h"

namespace sluice::window {

/// The windows of an input port. Contents are made after it, as they need the types of marks.
class Eviction {
public:
  /// `partitionBy` may be null.
  Eviction(stream::OperatorOp, unsigned port, mlir::Region *partitionBy);
  virtual ~Eviction() = default;

  /// The record of a window: contents add to it.
  Record &record() { return window; }
  /// The types of the marks that contents keep of each tuple.
  llvm::ArrayRef<mlir::Type> marks() const { return markTypes; }
  /// Adds state to the operator, once the record is complete. `sweeps`: see Partitions.
  void declare(Contents &, bool sweeps = false);

protected:
  bool evictsBy(stream::WindowPolicy policy) const {
    return attr.isSliding() && attr.getEvict().getPolicy() == policy;
  }
  bool needsClock() const;
  mlir::Value holdsTuples(HandlerBuilder &, mlir::Value window);
  mlir::Value isEmpty(HandlerBuilder &, mlir::Value window);
  /// Old tuples leave a sliding window before `tuple` enters.
  void evict(HandlerBuilder &, mlir::Value window, mlir::Value tuple, mlir::Value now);
  void evictByTime(HandlerBuilder &, mlir::Value window, mlir::Value now);
  void evictOldest(HandlerBuilder &, mlir::Value window);
  /// The tuple enters; partitions beyond the limit go. Then `then` is given the window's place,
  /// which may have moved, if the window is not gone itself.
  using OnPlace = llvm::function_ref<void(mlir::Value window)>;
  void enter(HandlerBuilder &, mlir::Value window, mlir::Value key, mlir::Value tuple,
             mlir::Value now, OnPlace then = nullptr);
  void evictPartitions(HandlerBuilder &, mlir::Value now);
  /// A partition is about to go with all tuples.
  virtual void partitionGoes(HandlerBuilder &, mlir::Value /*window*/) {}
  /// The place where tuples are counted that no firing has seen (ui64); null: nobody counts.
  virtual mlir::Value unseenPlace(HandlerBuilder &, mlir::Value /*window*/) { return {}; }
  /// Does what was left undone when something failed.
  virtual void recover(HandlerBuilder &, mlir::Value /*window*/) {}
  /// Whether it may be count(0).
  bool mayBeZero() const {
    return attr.getEvict().getPolicy() == stream::WindowPolicy::Count &&
           sizes.constantEvict().value_or(0) == 0;
  }
  /// A window of count(0) takes no tuples.
  void unlessCountIsZero(HandlerBuilder &, HandlerBuilder::Code body,
                         HandlerBuilder::Code otherwise = nullptr);

  stream::OperatorOp op;
  unsigned port;
  stream::WindowOp item;
  stream::WindowAttr attr;
  Sizes sizes;
  Record window;
  Partitions partitions;
  Contents *contents = nullptr;
  std::optional<unsigned> fullAt; // whether a tuple was ever evicted, where that matters

private:
  void evictByDelta(HandlerBuilder &, mlir::Value window, mlir::Value tuple);
  void noteDisorder(HandlerBuilder &, mlir::Value window, mlir::Value own);
  void evictAny(HandlerBuilder &, mlir::Value window, mlir::Value own);
  void evictUnseen(HandlerBuilder &, mlir::Value window, Contents::Leaves leaves);
  void evictWhile(HandlerBuilder &, mlir::Value window,
                  llvm::function_ref<mlir::Value(mlir::Value mark)> leaves);

  llvm::SmallVector<mlir::Type> markTypes;
  unsigned disorderAt = 0, newestAt = 0; // attributes of the record, of delta
  // In disorder: no tuple of the window is less. There is none of types with NaN.
  std::optional<unsigned> leastAt;
};

} // namespace sluice::window
