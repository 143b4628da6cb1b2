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
/// `for (T i in range(...))` that needs no list: see EmitLoop.cpp.
bool isCountedRange(const typed::Expr &collection);

/// Questions whose answer depends on where the body stands.
class BodyAnalysis {
public:
  /// tupleIsPlace: the current tuple was copied into a place.
  explicit BodyAnalysis(bool tupleIsPlace = false) : tupleIsPlace(tupleIsPlace) {}

  /// Whether the value may point into a place: writing that place kills it.
  bool borrows(const typed::Expr &) const;
  /// `target = value` must copy `value` first: making the slot, or growing the
  /// string, may move what it points to.
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
