//===- PaneStore.h - a ring of panes ----------------------------*- C++ -*-===//
//
// A pane is a fixed number of tuples that came one after the other. Where tuples enter and leave
// by count, and the length of a pane divides the size of the window and that of the trigger, the
// window consists of whole panes whenever it fires. Its results are read at no other time. So a
// pane leaves the ring when its first tuple leaves the window; the size counts the others on. The
// pane of one tuple is that tuple.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/RingStore.h"

namespace sluice::window {

class PaneStore : public RingStore {
public:
  mlir::Value size(HandlerBuilder &, mlir::Value window) override;
  void clear(HandlerBuilder &, mlir::Value window) override;
  void evictOldest(HandlerBuilder &, mlir::Value window) override;
  void evictIf(HandlerBuilder &, mlir::Value, unsigned, Leaves) override {
    llvm_unreachable("stream-plan-windows keeps tuples for a delta, which may go back");
  }

protected:
  PaneStore(Record &window, llvm::ArrayRef<mlir::Type> marks, int64_t length);

  using OnPane = llvm::function_ref<void(mlir::Value pane)>;
  /// A tuple enters: `open` is given a new pane, or `add` the newest one; then `close`, if it is
  /// complete.
  void enter(HandlerBuilder &, mlir::Value window, llvm::ArrayRef<mlir::Value> marks, OnPane open,
             OnPane add, OnPane close);
  /// The oldest pane, which there is, leaves. All panes are complete.
  virtual void popPane(HandlerBuilder &code, mlir::Value window) { ring->pop(code, window); }

private:
  mlir::Value newest(HandlerBuilder &, mlir::Value window);
  /// Counts a tuple of a pane; whether it was the pane's last one, which begins the count anew.
  void count(HandlerBuilder &, mlir::Value place, HandlerBuilder::Code atLast);

  const int64_t length;
  // Of a window whose panes have several tuples, in tuples: its size; how many the newest pane has,
  // 0 if it is complete; how many have left of the pane that left the ring last, 0 if all have.
  unsigned sizeAt = 0, filledAt = 0, goneAt = 0;
};

} // namespace sluice::window
