//===- ConstFold.h - values known at compile time ---------------*- C++ -*-===//
#pragma once
#include "frontend/sema/typed/Expr.h"

namespace sluice::sema {

/// What became of an expression that might be constant.
struct Folded {
  enum Result { Unchanged, Done, Wraps, Fails } result = Unchanged;
  std::string why; // Fails: what would go wrong at run time. Wraps: the result without overflow
};
/// Replaces `e`, whose operands are folded already, if its value is known.
Folded foldNode(typed::ExprPtr &e);
/// The same for a CastExpr.
Folded foldCast(typed::ExprPtr &e);
/// Replaces `e`, a string, by a text, which its bound cuts.
Folded foldToText(typed::ExprPtr &e, std::string text);
/// Replaces `e` by a constant of its type at its place.
Folded foldTo(typed::ExprPtr &e, typed::ConstExpr::Value value);

} // namespace sluice::sema
