//===- ASTWalk.h - the expressions of a tree ---------------------*- C++ -*-===//
#pragma once
#include "frontend/syntax/AST.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::ast {

/// Called for an expression; returns whether its parts are of interest, too.
using ExprVisitor = llvm::function_ref<bool(const Expr &)>;

/// Visits `e`, which may be null, and what is in it, in the order of the text.
void visitExprs(const Expr *e, ExprVisitor);
void visitExprs(const Stmt *, ExprVisitor);
/// Visits what stands in the braces of the invocation.
void visitExprs(const Invocation &, ExprVisitor);

} // namespace sluice::ast
