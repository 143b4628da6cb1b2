//===- Contents.h - what a window holds -------------------------*- C++ -*-===//
//
// Policies decide when tuples enter and leave a window and when it fires (Policy.h). What it holds
// and what it submits is behind this interface. All functions write code where control stands.
// `window` is the place of the window's record.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Record.h"

namespace sluice::window {

/// What the policy wants to know of each tuple later: values of delta attributes, times.
using Marks = llvm::SmallVector<mlir::Value, 2>;

/// Notes for people that the operator keeps this window, and what of each tuple.
void tellWindow(stream::WindowOp, mlir::Type element);

class Contents {
public:
  virtual ~Contents() = default;

  /// A tuple enters. `marks` has the types that the constructor was given.
  virtual void insert(HandlerBuilder &, mlir::Value window, mlir::Value tuple,
                      llvm::ArrayRef<mlir::Value> marks) = 0;
  /// How many tuples there are (ui64).
  virtual mlir::Value size(HandlerBuilder &, mlir::Value window) = 0;
  /// Submits the results of a window that holds tuples, without a marker.
  virtual void submit(HandlerBuilder &, mlir::Value window) = 0;
  /// What is kept of each tuple; null if tuples are not kept.
  virtual mlir::Type element() const = 0;
  /// All tuples leave.
  virtual void clear(HandlerBuilder &, mlir::Value window) = 0;

  //===--- sliding windows --------------------------------------------------------===//
  /// A mark of the oldest tuple, which there is.
  virtual mlir::Value oldestMark(HandlerBuilder &, mlir::Value window, unsigned mark) = 0;
  /// The oldest tuple, which there is, leaves, with others that have the same marks if the store
  /// keeps them together. (Of a window that drains: the one whose turn it is, and it is submitted.)
  virtual void evictOldest(HandlerBuilder &, mlir::Value window) = 0;
  /// All tuples leave for which `leaves` holds, oldest first. It is given a mark, and how many
  /// tuples (ui64) that came together it is for. The order of the others stays.
  using Leaves = llvm::function_ref<mlir::Value(mlir::Value mark, mlir::Value tuples)>;
  virtual void evictIf(HandlerBuilder &, mlir::Value window, unsigned mark, Leaves leaves) = 0;
};

} // namespace sluice::window
