//===- Stores.h - what windows of output functions keep ---------*- C++ -*-===//
//
// | store      | keeps                                        | time a tuple               |
// |------------|----------------------------------------------|----------------------------|
// | running    | a summary by group                           | constant                   |
// | invertible | a ring of values, a running summary by group | constant                   |
// | two_stacks | a ring of panes: summaries of suffixes       | constant, amortised        |
// | panes      | a ring of panes: a summary by group          | the panes, by trigger      |
// |            | of equal values: a ring of their summaries   | the summaries, by trigger  |
// | tuples     | a ring of values                             | the window, by trigger     |
//
// stream-plan-windows chooses.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/summary/Summary.h"
#include "passes/expand/window/Contents.h"

namespace sluice::window {

/// `groupBy` may be null. The store adds its attributes to `window`.
std::unique_ptr<Contents> makeRunning(stream::OperatorOp, mlir::Region *groupBy, Record &window);
std::unique_ptr<Contents> makeInvertible(stream::OperatorOp, mlir::Region *groupBy, Record &window,
                                         llvm::ArrayRef<mlir::Type> marks);
/// Without groups. `pane` is the number of tuples in a pane.
std::unique_ptr<Contents> makeTwoStacks(stream::OperatorOp, Record &window,
                                        llvm::ArrayRef<mlir::Type> marks, int64_t pane);
std::unique_ptr<Contents> makePanes(stream::OperatorOp, mlir::Region *groupBy, Record &window,
                                    llvm::ArrayRef<mlir::Type> marks, int64_t pane);
/// A pane has tuples whose first mark is the same.
std::unique_ptr<Contents> makeValuePanes(stream::OperatorOp, mlir::Region *groupBy, Record &window,
                                         llvm::ArrayRef<mlir::Type> marks);
std::unique_ptr<Contents> makeTuples(stream::OperatorOp, mlir::Region *groupBy, Record &window,
                                     llvm::ArrayRef<mlir::Type> marks);

} // namespace sluice::window
