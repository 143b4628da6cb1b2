//===- Side.h - one of the two windows of a Join ----------------*- C++ -*-===//
//
// A row is in the chain of its window, in the order of arrival. Those that an arrival at the other
// side may match are the **candidates**: with an index the rows of its key, else all. They are in
// the order of arrival, whatever partition they are in.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/match/Rows.h"
#include "passes/expand/window/Eviction.h"
#include <functional>

namespace sluice::match {

/// A value that is computed from a tuple. It is kept in its row, unless it is an attribute.
class Derived {
public:
  Derived(stream::OperatorOp, mlir::Region &source, window::Record &row);
  mlir::Type type() const;
  /// From a tuple that comes, once.
  mlir::Value of(HandlerBuilder &, mlir::Value tuple) const;
  void keep(HandlerBuilder &, mlir::Value value, mlir::Value row) const;
  /// From a row and its tuple.
  mlir::Value in(HandlerBuilder &, mlir::Value row, mlir::Value tuple) const;

private:
  mlir::Region *source;
  unsigned ports;
  std::optional<unsigned> at; // of a row
};

/// Parameters of the operator, and what becomes of rows. Regions may be null.
struct SideOptions {
  mlir::Region *partitionBy = nullptr;
  mlir::Region *equality = nullptr; // there is an index
  /// Called where a row leaves that never matched. Null: nobody wants to know.
  std::function<void(HandlerBuilder &, mlir::Value tuple)> unmatched;
};

class Side : private window::Eviction, private window::Contents {
public:
  Side(stream::OperatorOp, unsigned port, SideOptions);

  bool tracksMatches() const { return matchedAt.has_value(); }
  /// Whether rows leave by time.
  bool expires() const { return evictsBy(stream::WindowPolicy::Time); }
  bool needsClock() const { return Eviction::needsClock(); }
  /// Whether the window fires when the input ends: rows that never matched leave then.
  bool closes() { return item.getCloses() && options.unmatched && !isNothing(); }
  /// Whether its size is the constant 0.
  bool isNothing() const;

  /// What a tuple of this side has for the equality; null without an index.
  mlir::Value keyOf(HandlerBuilder &, mlir::Value tuple) const;
  /// Calls `body` for each candidate of a tuple with `key` on the other side.
  using OnCandidate = llvm::function_ref<void(mlir::Value tuple, mlir::Value row)>;
  void forEachCandidate(HandlerBuilder &, mlir::Value key, OnCandidate body);
  void noteMatch(HandlerBuilder &, mlir::Value row) const;
  /// The tuple enters, and others leave for it. `matched` is null unless matches are tracked.
  void enter(HandlerBuilder &, mlir::Value tuple, mlir::Value key, mlir::Value matched,
             mlir::Value now);

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
  mlir::Type element() const override { return rows.row().type(); }
  void clear(HandlerBuilder &, mlir::Value window) override;
  mlir::Value oldestMark(HandlerBuilder &, mlir::Value window, unsigned mark) override;
  void evictOldest(HandlerBuilder &, mlir::Value window) override;
  void evictIf(HandlerBuilder &, mlir::Value window, unsigned mark,
               llvm::function_ref<mlir::Value(mlir::Value)> leaves) override;

  void partitionGoes(HandlerBuilder &code, mlir::Value window) override;
  mlir::Value isUnmatched(HandlerBuilder &, mlir::Value row) const;
  void addUnmatched(HandlerBuilder &, mlir::Value window, mlir::Value sum);
  void leave(HandlerBuilder &, mlir::Value window, mlir::Value link);
  void drop(HandlerBuilder &, mlir::Value window, mlir::Value link);
  void enterIndex(HandlerBuilder &, mlir::Value key, mlir::Value link);
  void leaveIndex(HandlerBuilder &, mlir::Value link);
  /// If the index has `key`: `body` is given the place of the ends of its chain.
  void withKey(HandlerBuilder &, mlir::Value key, llvm::function_ref<void(mlir::Value)> body);
  void walk(HandlerBuilder &, const Chain &, mlir::Value first, OnCandidate body);
  mlir::Value tupleOf(HandlerBuilder &, mlir::Value row) const;
  /// The first row in the order of arrival.
  mlir::Value oldest(HandlerBuilder &);
  mlir::Value onlyWindow(HandlerBuilder &code) { return partitions.find(code, mlir::Value()); }

  const SideOptions options;
  Rows rows;
  Ends inWindow;           // of a window
  window::Record keyOwner; // the value of the index
  Ends inKey;
  unsigned sizeAt;  // of a window
  unsigned tupleAt; // of a row
  std::optional<unsigned> matchedAt;
  std::optional<Derived> equality, partition;
  std::optional<Chain> keyChain, arrivalChain;
  std::optional<Ends> arrived; // all rows; where windows do not tell
  AddedState index;
  mlir::Value arrivalKey, arrivalMatched; // of the tuple that enters
};

} // namespace sluice::match
