//===- BodyAnalysis.h - what emission asks of the typed tree ----*- C++ -*-===//
//
// Conservative questions about typed trees: does a value point into a place,
// does a statement leave temporaries in the scratch arena.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/typed/Function.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace sluice::emission {

/// Boolean, number or enum: an SSA value that points to nothing.
bool isScalar(Type);
/// A variable whose storage is a place (a state variable always is).
bool isPlace(const typed::Variable &);
/// Whether `e` mentions the variable (or current tuple) at the root of `place`.
bool mentionsRoot(const typed::Expr &e, const typed::Expr &place);
/// Whether the body of onTuple assigns the current tuple or a part of it.
bool writesTuple(const typed::Stmt &body);
/// `for (T i in range(...))` that needs no list: see Loop.cpp.
bool isCountedRange(const typed::Expr &collection);

/// Questions about one body.
class BodyAnalysis {
public:
  /// tupleIsPlace: the current tuple was copied into a place.
  explicit BodyAnalysis(bool tupleIsPlace = false) : tupleIsPlace(tupleIsPlace) {}

  /// Whether the value may point into a place. A write to that place would invalidate it.
  bool borrows(const typed::Expr &) const;
  /// Whether `target = value` must copy `value` first, because adding a key to the map or growing
  /// the string may move what the value points to.
  bool assignCopies(const typed::AssignExpr &) const;
  /// Whether running it may leave temporaries in the scratch arena.
  bool allocates(const typed::Expr &);
  bool allocates(const typed::Stmt &);

private:
  bool allocatesItself(const typed::Expr &);
  bool allocates(const typed::Function &);
  bool tupleIsPlace;
  llvm::DenseMap<const typed::Function *, bool> functions;
  llvm::DenseSet<const typed::Function *> visiting;
};

} // namespace sluice::emission
