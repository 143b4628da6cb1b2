//===- Policy.h - when a window fires -----------------------------===//
//
// toolkit.md 3.6. A tumbling window: a delta fires before the tuple enters, a count after it.
// Time and punctuation fire all windows at once. A sliding window: a delta triggers before anything
// else; then old tuples leave, the new one enters, and a count triggers. Partitions are evicted
// when the tuple has entered, before its window fires.
//
// With @catch a failure ends a handler and not the program. A tuple that fails before it has
// entered changes nothing but what has left for it. A tumbling window whose results fail is marked
// until somebody looks at it again, and then emptied.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Eviction.h"

namespace sluice::window {

struct PolicyOptions {
  bool incomplete = false;    // a sliding window fires before it was full
  bool submitEvicted = false; // evicted partitions fire
  bool drains = false;        // a sliding window: its tuples are submitted when they leave, at the
                              // latest at the end; it never fires
};

class Policy : public Eviction {
public:
  Policy(stream::OperatorOp, unsigned port, mlir::Region *partitionBy, PolicyOptions);

  /// Adds state and handlers to the operator.
  void expand(Contents &);

private:
  void onTuple();
  void onPunct();
  void onTick();
  void tumble(HandlerBuilder &, mlir::Value key, mlir::Value tuple, mlir::Value now);
  void slide(HandlerBuilder &, mlir::Value key, mlir::Value tuple, mlir::Value now);
  bool sweeps() const;
  void sweep(HandlerBuilder &, mlir::Value now);
  void beginAnew(HandlerBuilder &, mlir::Value window);
  void triggerByDelta(HandlerBuilder &, mlir::Value window, mlir::Value tuple);
  void triggerByCount(HandlerBuilder &, mlir::Value window);
  void partitionGoes(HandlerBuilder &, mlir::Value window) override;
  void partitionIsLost(HandlerBuilder &, mlir::Value window);
  void recover(HandlerBuilder &, mlir::Value window) override;
  mlir::Value unseenPlace(HandlerBuilder &code, mlir::Value window) override {
    return unseenAt ? code.fieldRef(window, *unseenAt) : mlir::Value();
  }
  void markFired(HandlerBuilder &, mlir::Value window, bool fired);
  void countRemoved(HandlerBuilder &, mlir::Value window);
  void slideAll(HandlerBuilder &, mlir::Value now);
  void fire(HandlerBuilder &, mlir::Value window);
  void fireIfFull(HandlerBuilder &, mlir::Value window);
  void flush(HandlerBuilder &, mlir::Value window);
  void flushAll(HandlerBuilder &);
  void drainAll(HandlerBuilder &);
  mlir::Value flushEach(HandlerBuilder &);
  void closeAll(HandlerBuilder &);
  void onEnd();
  bool waitsUntilFull() const;
  bool mayHoldUnseen() const;
  mlir::Value unseen(HandlerBuilder &, mlir::Value window);
  bool goesBy(stream::WindowPolicy) const;

  PolicyOptions options;
  // Attributes of the record, where the policy needs them.
  unsigned referenceAt = 0;
  std::optional<unsigned> hasReferenceAt, sinceAt;
  // Of a sliding window, where nothing else tells: how many tuples came since it fired; whether it
  // has fired since it was made.
  std::optional<unsigned> unseenAt, hasFiredAt;
  std::optional<unsigned> firedAt; // where failures are caught: its tuples are to leave
};

} // namespace sluice::window
