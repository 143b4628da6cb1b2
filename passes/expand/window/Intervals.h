//===- Intervals.h - windows of event time ----------------------*- C++ -*-===//
//
// toolkit.md 3.6. Pane number n has the tuples of the interval [n * period + offset, the same +
// duration). It is complete when a watermark reaches its end, and fires then; for `discardAge`
// longer it takes tuples that are late, and fires for each.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Contents.h"
#include "passes/expand/window/Ring.h"
#include "passes/expand/window/Sizes.h"

namespace sluice::window {

/// Functions of the library, by their symbols.
struct IntervalFunctions {
  llvm::StringRef floorDiv;  // of a dividend and a positive divisor (si64): rounds down
  llvm::StringRef timestamp; // of seconds (si64) and nanoseconds (ui32)
};

class Intervals {
public:
  /// `partitionBy` may be null. Replaces output functions that tell of the pane.
  Intervals(stream::OperatorOp, unsigned port, mlir::Region *partitionBy,
            const IntervalFunctions &);

  /// The record of what one pane holds, of one partition: contents add to it.
  Record &record() { return window; }
  /// Adds state and handlers to the operator.
  void expand(Contents &);

private:
  void declare();
  void replacePaneFacts();
  mlir::Value factOf(HandlerBuilder &, spl::OutputFnOp);

  void onTuple();
  void enterPanes(HandlerBuilder &, mlir::Value tuple, mlir::Value time);
  void enterPane(HandlerBuilder &, mlir::Value number, mlir::Value key, mlir::Value tuple);
  void addNumber(HandlerBuilder &, mlir::Value number);
  void onPunct();
  void onEnd();
  void onWatermark();
  void completePanes(HandlerBuilder &, mlir::Value watermark);
  void discardPanes(HandlerBuilder &, mlir::Value watermark);
  void forward(HandlerBuilder &, mlir::Value watermark);
  enum Timing { Early, OnComplete, Late };
  void fire(HandlerBuilder &, mlir::Value number, mlir::Value window, Timing);
  void submit(HandlerBuilder &, mlir::Value number, mlir::Value window, Timing);
  /// Whether the watermark has reached its end.
  mlir::Value isOver(HandlerBuilder &, mlir::Value number);

  mlir::Value floorDiv(HandlerBuilder &, mlir::Value dividend, mlir::Value divisor);
  mlir::Value timestampOf(HandlerBuilder &, mlir::Value nanos, mlir::Type);
  mlir::Value paneOf(HandlerBuilder &, mlir::Value number);
  /// Of a pane, the window of a key (null without partitions). It is made if there is none.
  mlir::Value windowOf(HandlerBuilder &, mlir::Value pane, mlir::Value key);
  mlir::Value numberAt(HandlerBuilder &, mlir::Value index);
  mlir::Value startOf(HandlerBuilder &, mlir::Value number);
  mlir::Value endOf(HandlerBuilder &, mlir::Value number);
  /// The last pane that starts at `time` or before.
  mlir::Value lastStartingBy(HandlerBuilder &, mlir::Value time);
  /// The first pane that ends after `time`.
  mlir::Value firstEndingAfter(HandlerBuilder &, mlir::Value time);

  stream::OperatorOp op;
  unsigned port;
  stream::WindowOp item;
  mlir::Region *partitionBy;
  IntervalFunctions functions;
  Sizes sizes;
  Record window, order;
  unsigned firedAt; // attribute of `window`: how often it has fired
  Ring numbers;     // of the panes that are kept, ascending; those that are complete come first
  Contents *contents = nullptr;
  unsigned firingStart = 0, firingEnd = 0, firingIndex = 0; // of `firing`
  std::optional<unsigned> firingTiming;
  mlir::Type windowsType; // of a pane: a window, or a map of one for each partition
  AddedState panes, orderState, completeState, watermarkState, forwardedState, firingState;
};

} // namespace sluice::window
