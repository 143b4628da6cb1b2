//===- Groups.h - the summaries of a window, by group -----------*- C++ -*-===//
#pragma once
#include "passes/expand/summary/Summary.h"

namespace sluice::window {

/// The list with the number of tuples (ui64) of the only group.
mlir::Value countsOfOne(HandlerBuilder &, mlir::Value tuples);

/// Without groupBy there is one summary, in the owner's record. With it there is one for each key,
/// in a map; a group without tuples is not in it.
class Groups {
public:
  /// `chained`: what the owner keeps of tuples is linked by group (`link`).
  Groups(const Summary &, mlir::Region *groupBy, Record &owner, bool chained = false);

  /// The group of a tuple; null without groupBy.
  mlir::Value keyOf(HandlerBuilder &, mlir::Value tuple) const;
  /// A tuple enters its group, whose place is returned.
  mlir::Value add(HandlerBuilder &, mlir::Value owner, mlir::Value key, const Arguments &,
                  mlir::Value tuple) const;
  /// What is kept of a tuple comes last in the chain of its group. Links (ui64) are above 0;
  /// `linkOf` gives the place where the next link is kept of one.
  using LinkOf = llvm::function_ref<mlir::Value(mlir::Value link)>;
  void link(HandlerBuilder &, mlir::Value group, mlir::Value own, LinkOf linkOf) const;
  /// A tuple, which is the oldest of its group, leaves it.
  void remove(HandlerBuilder &, mlir::Value owner, mlir::Value key, const Arguments &) const;
  /// The groups in `source`, which are `others`, come behind those of `owner`. They have the same
  /// functions and the same keys.
  void merge(HandlerBuilder &, mlir::Value owner, const Groups &others, mlir::Value source) const;
  /// The only group in `source`, which are `others`, comes behind that of `key`.
  void mergeOne(HandlerBuilder &, mlir::Value owner, mlir::Value key, const Groups &others,
                mlir::Value source) const;
  void clear(HandlerBuilder &, mlir::Value owner) const;
  /// How many tuples (ui64) the only group has.
  mlir::Value tuplesOf(HandlerBuilder &, mlir::Value owner) const;
  /// Submits one tuple for each group of a window with `tuples` tuples. `forEachTuple` is given the
  /// first link of the group (null without groupBy) and calls its argument with the group's tuples.
  using ForEachTuple = llvm::function_ref<void(mlir::Value first, Summary::OnTuple onTuple)>;
  void submit(HandlerBuilder &, mlir::Value owner, mlir::Value tuples, ForEachTuple) const;
  /// The same without groupBy and without summaries (Summary::submitFolds).
  void submitFolds(HandlerBuilder &, mlir::Value last, mlir::Value tuples,
                   llvm::function_ref<void(Summary::OnTuple)> forEachTuple) const;

private:
  mlir::Value find(HandlerBuilder &, mlir::Value owner, mlir::Value key) const;
  void append(HandlerBuilder &, mlir::Value owner, mlir::Value key, const Groups &others,
              mlir::Value later) const;
  mlir::Value countByGroup(HandlerBuilder &, mlir::Value map) const;
  WindowCounts countsOfWhole(HandlerBuilder &, mlir::Value tuples) const;

  const Summary &summary;
  mlir::Region *groupBy;
  Record group; // the summary, and how many tuples it is of
  unsigned groupAt, tuplesAt, firstAt = 0, lastAt = 0;
};

} // namespace sluice::window
