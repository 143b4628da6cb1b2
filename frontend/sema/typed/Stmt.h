//===- Stmt.h - typed statements --------------------------------*- C++ -*-===//
//
// A statement owns its expressions and statements. Where an expression was in error,
// an ExprStmt is left out, and in other statements the field is null; emission never
// sees such a tree.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/typed/Expr.h"

namespace sluice::typed {

enum class StmtKind { Decl, Expr, Block, If, While, For, Break, Continue, Return };

struct Stmt {
  const StmtKind kind;
  Range range;

  virtual ~Stmt() = default;

protected:
  Stmt(StmtKind kind, Range range) : kind(kind), range(range) {}
};
using StmtPtr = std::unique_ptr<Stmt>;

/// The declaration of one variable.
struct DeclStmt : Stmt {
  const Variable *var;
  ExprPtr init; // null: the default value

  DeclStmt(Range range, const Variable &var, ExprPtr init)
      : Stmt(StmtKind::Decl, range), var(&var), init(std::move(init)) {}

  static bool classof(const Stmt *s) { return s->kind == StmtKind::Decl; }
};

struct ExprStmt : Stmt {
  ExprPtr expr;

  ExprStmt(Range range, ExprPtr expr) : Stmt(StmtKind::Expr, range), expr(std::move(expr)) {
    assert(this->expr);
  }

  static bool classof(const Stmt *s) { return s->kind == StmtKind::Expr; }
};

struct BlockStmt : Stmt {
  std::vector<StmtPtr> body;

  explicit BlockStmt(Range range) : Stmt(StmtKind::Block, range) {}

  static bool classof(const Stmt *s) { return s->kind == StmtKind::Block; }
};

struct IfStmt : Stmt {
  ExprPtr condition;
  StmtPtr then;
  StmtPtr otherwise; // may be null

  IfStmt(Range range, ExprPtr condition, StmtPtr then, StmtPtr otherwise)
      : Stmt(StmtKind::If, range), condition(std::move(condition)), then(std::move(then)),
        otherwise(std::move(otherwise)) {
    assert(this->then);
  }

  static bool classof(const Stmt *s) { return s->kind == StmtKind::If; }
};

/// What the two kinds of loops have in common.
struct LoopStmt : Stmt {
  /// While: the condition. For: the collection that the loop runs over.
  ExprPtr expr;
  StmtPtr body;

  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::While || s->kind == StmtKind::For;
  }

protected:
  LoopStmt(StmtKind kind, Range range, ExprPtr expr, StmtPtr body)
      : Stmt(kind, range), expr(std::move(expr)), body(std::move(body)) {
    assert(this->body);
  }
};

struct WhileStmt : LoopStmt {
  WhileStmt(Range range, ExprPtr condition, StmtPtr body)
      : LoopStmt(StmtKind::While, range, std::move(condition), std::move(body)) {}

  static bool classof(const Stmt *s) { return s->kind == StmtKind::While; }
};

struct ForStmt : LoopStmt {
  const Variable *var;

  ForStmt(Range range, const Variable &var, ExprPtr collection, StmtPtr body)
      : LoopStmt(StmtKind::For, range, std::move(collection), std::move(body)), var(&var) {}

  static bool classof(const Stmt *s) { return s->kind == StmtKind::For; }
};

/// `break` or `continue`.
struct JumpStmt : Stmt {
  JumpStmt(Range range, bool isBreak)
      : Stmt(isBreak ? StmtKind::Break : StmtKind::Continue, range) {}

  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::Break || s->kind == StmtKind::Continue;
  }
};

struct ReturnStmt : Stmt {
  ExprPtr value; // null where nothing is returned

  ReturnStmt(Range range, ExprPtr value) : Stmt(StmtKind::Return, range), value(std::move(value)) {}

  static bool classof(const Stmt *s) { return s->kind == StmtKind::Return; }
};

//===--- walks ------------------------------------------------------------===//

/// Calls `expr` for each expression and `stmt` for each statement that `s` itself owns, in
/// the order of the text, until one returns true. Returns whether one did.
bool anyPart(const Stmt &s, llvm::function_ref<bool(const Expr &)> expr,
             llvm::function_ref<bool(const Stmt &)> stmt);
/// Calls `visit` for all expressions inside `s`, outer ones first, until it returns true.
/// Returns whether it did.
bool anyExpr(const Stmt &s, llvm::function_ref<bool(const Expr &)> visit);

} // namespace sluice::typed
