//===- Summary.h - the output functions of a window -------------*- C++ -*-===//
//
// A *summary* is a record: the state of each output function over some tuples of a window, and
// those attributes of the last of these tuples that plain expressions of the output clause read.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Record.h"
#include "llvm/ADT/SmallSet.h"

namespace sluice::window {

/// By output function, its arguments for one tuple.
using Arguments = llvm::SmallVector<llvm::SmallVector<mlir::Value>>;

/// Counts of the whole window, for the functions that ask for them; null where nobody asks.
struct WindowCounts {
  mlir::Value tuples;  // ui64
  mlir::Value groups;  // ui64
  mlir::Value byGroup; // list<int32>
};

class Summary {
public:
  explicit Summary(stream::OperatorOp);

  //===--- one tuple ------------------------------------------------------------------===//
  Arguments arguments(HandlerBuilder &, mlir::Value tuple) const;
  /// The record of values that `arguments` and `copyLast` need of a tuple: equal arguments once.
  const Record &values() const { return valueRecord; }
  void storeValues(HandlerBuilder &, const Arguments &, mlir::Value tuple,
                   mlir::Value valuesPlace) const;
  Arguments loadArguments(HandlerBuilder &, mlir::Value valuesPlace) const;
  /// A tuple with the attributes that were kept; the others have default values.
  mlir::Value loadTuple(HandlerBuilder &, mlir::Value valuesPlace) const;

  //===--- a summary --------------------------------------------------------------------===//
  const Record &record() const { return summaryRecord; }
  void lift(HandlerBuilder &, const Arguments &, mlir::Value tuple, mlir::Value summary) const;
  void add(HandlerBuilder &, const Arguments &, mlir::Value tuple, mlir::Value summary) const;
  void remove(HandlerBuilder &, const Arguments &, mlir::Value summary) const;
  /// `summary` += that of later tuples.
  void merge(HandlerBuilder &, mlir::Value summary, mlir::Value later) const;

  /// Makes the output tuple and submits it. `forEachTuple` calls its argument with each tuple of
  /// the summary, for folds.
  using OnTuple = llvm::function_ref<void(mlir::Value tuple)>;
  void submit(HandlerBuilder &, mlir::Value summary, const WindowCounts &,
              llvm::function_ref<void(OnTuple)> forEachTuple) const;
  /// The same where there are only folds, and of the last tuple the attributes that were kept.
  void submitFolds(HandlerBuilder &, mlir::Value last, const WindowCounts &,
                   llvm::function_ref<void(OnTuple)> forEachTuple) const;

  bool asks(spl::WindowCount) const;
  /// Whether there are states in it.
  bool hasFunctions() const { return !functions.empty(); }

private:
  struct Function {
    stream::AggregateOp op;
    spl::AggregateAttr algebra;
    unsigned stateAt;                     // attribute of the summary
    llvm::SmallVector<unsigned> valuesAt; // attributes of the values
  };
  struct Kept {
    unsigned attribute; // of the input
    unsigned summaryAt, valuesAt;
  };
  void collectFunctions();
  void collectKept();
  mlir::Value tupleFrom(HandlerBuilder &, mlir::Value place, unsigned Kept::*at) const;
  mlir::Value replacement(HandlerBuilder &, spl::OutputFnOp, mlir::Value summary,
                          const WindowCounts &, llvm::ArrayRef<mlir::Value> folded) const;
  llvm::SmallVector<mlir::Value> fold(HandlerBuilder &,
                                      llvm::function_ref<void(OnTuple)> forEachTuple) const;
  void submit(HandlerBuilder &, mlir::Value summary, mlir::Value last, const WindowCounts &,
              llvm::ArrayRef<mlir::Value> folded) const;
  void call(HandlerBuilder &, mlir::FlatSymbolRefAttr, mlir::ValueRange) const;
  mlir::Value call(HandlerBuilder &, mlir::FlatSymbolRefAttr, mlir::Type result,
                   mlir::ValueRange) const;
  /// By function, whether `add` may fail and must not leave only some states changed.
  llvm::SmallVector<bool> inCopies() const;
  void keepLast(HandlerBuilder &, mlir::Value tuple, mlir::Value summary) const;

  mutable stream::OperatorOp op;
  mlir::Region *output;
  Record summaryRecord, valueRecord;
  llvm::SmallVector<Function> functions; // equal ones once
  llvm::SmallVector<unsigned> byNumber;  // of stream.aggregate: the function
  llvm::SmallVector<Kept> kept;
};

} // namespace sluice::window
