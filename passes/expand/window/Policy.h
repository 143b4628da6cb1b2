//===- Policy.h - when tuples enter and leave a window, and when it fires ---===//
//
// toolkit.md 3.6. A tumbling window: a delta fires before the tuple enters, a count after it.
// Time and punctuation fire all windows at once. A sliding window: a delta triggers before anything
// else; then old tuples leave, the new one enters, and a count triggers. Partitions are evicted
// when the tuple has entered, before its window fires.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Contents.h"
#include "passes/expand/window/Partitions.h"

namespace sluice::window {

struct PolicyOptions {
  bool incomplete = false;    // a sliding window fires before it was full
  bool submitEvicted = false; // evicted partitions fire
  bool drains = false;        // a sliding window: its tuples are submitted when they leave, at the
                              // latest at the end; it never fires
};

/// The parts of a window that decide. Contents are made after it, as they need the types of marks.
class Policy {
public:
  Policy(stream::OperatorOp, unsigned port, mlir::Region *partitionBy, PolicyOptions);

  /// The record of a window: contents add to it.
  Record &record() { return window; }
  /// The types of the marks that contents keep of each tuple.
  llvm::ArrayRef<mlir::Type> marks() const { return markTypes; }
  /// Adds state and handlers to the operator.
  void expand(Contents &);

private:
  void onTuple();
  void onPunct();
  void onTick();
  void tumble(HandlerBuilder &, mlir::Value key, mlir::Value tuple, mlir::Value now);
  void slide(HandlerBuilder &, mlir::Value key, mlir::Value tuple, mlir::Value now);
  void triggerByDelta(HandlerBuilder &, mlir::Value window, mlir::Value tuple);
  void triggerByCount(HandlerBuilder &, mlir::Value window);
  void evict(HandlerBuilder &, mlir::Value window, mlir::Value tuple, mlir::Value now);
  void evictByTime(HandlerBuilder &, mlir::Value window, mlir::Value now);
  void evictByDelta(HandlerBuilder &, mlir::Value window, mlir::Value tuple);
  /// The tuple enters; partitions beyond the limit go. Returns the window's place, which may move.
  mlir::Value enter(HandlerBuilder &, mlir::Value window, mlir::Value key, mlir::Value tuple,
                    mlir::Value now);
  /// All tuples of a window are about to leave.
  void countRemoved(HandlerBuilder &, mlir::Value window);
  void evictOldest(HandlerBuilder &, mlir::Value window);
  void evictWhile(HandlerBuilder &, mlir::Value window,
                  llvm::function_ref<mlir::Value(mlir::Value mark)> leaves);
  void evictPartitions(HandlerBuilder &, mlir::Value now);
  void slideAll(HandlerBuilder &, mlir::Value now);
  void fire(HandlerBuilder &, mlir::Value window);
  void fireIfFull(HandlerBuilder &, mlir::Value window);
  void flush(HandlerBuilder &, mlir::Value window);
  void flushAll(HandlerBuilder &);
  void drainAll(HandlerBuilder &);
  void unlessCountIsZero(HandlerBuilder &, HandlerBuilder::Code body);
  mlir::Value isEmpty(HandlerBuilder &, mlir::Value window);
  bool needsClock() const;
  bool goesBy(stream::WindowPolicy) const;

  stream::OperatorOp op;
  unsigned port;
  stream::WindowOp item;
  stream::WindowAttr attr;
  Sizes sizes;
  PolicyOptions options;
  Record window;
  Partitions partitions;
  Contents *contents = nullptr;
  llvm::SmallVector<mlir::Type> markTypes;
  // Attributes of the record, where the policy needs them.
  unsigned referenceAt = 0, hasReferenceAt = 0, sinceAt = 0, disorderAt = 0, newestAt = 0;
  std::optional<unsigned> fullAt;
};

} // namespace sluice::window
