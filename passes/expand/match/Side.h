//===- Side.h - one of the two windows of a Join ----------------*- C++ -*-===//
//
// The rows that an arrival at the other side may match are the **candidates**: with an index those
// of its key, else all. They are in the order of arrival, whatever partition they are in.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/match/RowStore.h"
#include "passes/expand/window/Eviction.h"
#include <functional>

namespace sluice::match {

/// Parameters of the operator, and what becomes of rows. Regions may be null.
struct SideOptions {
  mlir::Region *partitionBy = nullptr;
  mlir::Region *equality = nullptr; // there is an index
  llvm::StringRef hash;             // the function of any value that gives its hash (uint64)
  /// Called where a row leaves that never matched. Null: nobody wants to know.
  std::function<void(HandlerBuilder &, mlir::Value tuple)> unmatched;
};

class Side : private window::Eviction, private window::Contents {
public:
  Side(stream::OperatorOp, unsigned port, SideOptions);

  bool tracksMatches() const { return row.matchedAt.has_value(); }
  /// Whether rows leave by time.
  bool expires() const { return evictsBy(stream::WindowPolicy::Time); }
  bool needsClock() const { return Eviction::needsClock(); }
  /// Whether the window fires when the input ends: rows that never matched leave then.
  bool closes() { return item.getCloses() && options.unmatched && !isNothing(); }
  /// Whether its size is the constant 0.
  bool isNothing() const;

  /// What a tuple of this side has for the equality; null without an index.
  Key keyOf(HandlerBuilder &, mlir::Value tuple) const;
  /// Calls `body` for each candidate of a tuple with `key` on the other side.
  using OnCandidate = llvm::function_ref<void(mlir::Value tuple, mlir::Value row)>;
  void forEachCandidate(HandlerBuilder &, Key key, OnCandidate body);
  void noteMatch(HandlerBuilder &, mlir::Value row) const;
  /// The tuple enters, and others leave for it. `matched` is null unless matches are tracked.
  void enter(HandlerBuilder &, mlir::Value tuple, Key key, mlir::Value matched, mlir::Value now);

  //===--- the end ------------------------------------------------------------------===//
  /// All rows leave, in the order of their windows and of arrival.
  void leaveAll(HandlerBuilder &);
  /// How many rows never matched (ui64); null: nobody wants to know.
  mlir::Value countUnmatched(HandlerBuilder &);

  //===--- time ---------------------------------------------------------------------===//
  /// For how long the oldest row may stay (ns); below 0 it has to go. 0 if there is none.
  mlir::Value timeLeft(HandlerBuilder &, mlir::Value now);
  /// The oldest row, which there is, leaves.
  void expireOldest(HandlerBuilder &);

private:
  //===--- Contents -----------------------------------------------------------------===//
  void insert(HandlerBuilder &, mlir::Value window, mlir::Value tuple,
              llvm::ArrayRef<mlir::Value> marks) override;
  mlir::Value size(HandlerBuilder &, mlir::Value window) override;
  void submit(HandlerBuilder &, mlir::Value) override {
    llvm_unreachable("a window that matches does not fire");
  }
  mlir::Type element() const override { return rows->element(); }
  void clear(HandlerBuilder &, mlir::Value window) override;
  mlir::Value oldestMark(HandlerBuilder &, mlir::Value window, unsigned mark) override;
  void evictOldest(HandlerBuilder &, mlir::Value window) override;
  void evictIf(HandlerBuilder &, mlir::Value window, unsigned mark, Leaves leaves) override;

  void partitionGoes(HandlerBuilder &code, mlir::Value window) override;
  mlir::Value isUnmatched(HandlerBuilder &, mlir::Value row) const;
  void addUnmatched(HandlerBuilder &, mlir::Value window, mlir::Value sum);
  /// A row is about to leave.
  void leave(HandlerBuilder &, mlir::Value row) const;
  /// Null with partitions.
  mlir::Value onlyWindow(HandlerBuilder &code) {
    return partitions.partitioned() ? mlir::Value() : partitions.find(code, mlir::Value());
  }

  const SideOptions options;
  Row row;
  std::unique_ptr<RowStore> rows;
  Key arrivalKey; // of the tuple that enters
  mlir::Value arrivalMatched;
};

} // namespace sluice::match
