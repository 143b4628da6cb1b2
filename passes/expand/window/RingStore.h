//===- RingStore.h - what stores with a ring share --------------*- C++ -*-===//
#pragma once
#include "passes/expand/window/Contents.h"
#include "passes/expand/window/Ring.h"

namespace sluice::window {

/// A ring whose elements begin with marks. What else they hold is the derived store's: it adds to
/// `entry`, then calls `complete`.
class RingStore : public Contents {
public:
  mlir::Value size(HandlerBuilder &code, mlir::Value window) override {
    return ring->count(code, window);
  }
  mlir::Value oldestMark(HandlerBuilder &code, mlir::Value window, unsigned mark) override {
    return code.load(code.fieldRef(ring->oldest(code, window), mark));
  }
  void clear(HandlerBuilder &code, mlir::Value window) override { ring->clear(code, window); }
  mlir::Type element() const override { return ring->element(); }

protected:
  RingStore(Record &window, llvm::ArrayRef<mlir::Type> marks);
  void complete() { ring.emplace(window, entry); }
  /// A new element with its marks.
  mlir::Value push(HandlerBuilder &, mlir::Value window, llvm::ArrayRef<mlir::Value> marks);
  /// Calls `gone` for each element whose mark tells it to leave, and drops it.
  void dropIf(HandlerBuilder &, mlir::Value window, unsigned mark, Leaves leaves,
              llvm::function_ref<void(mlir::Value element)> gone);
  /// How many tuples (ui64) an element is for.
  virtual mlir::Value tuplesOf(HandlerBuilder &code, mlir::Value /*element*/) {
    return code.constant(ui64(window.context()), 1);
  }

  Record &window;
  Record entry;
  std::optional<Ring> ring;
};

} // namespace sluice::window
