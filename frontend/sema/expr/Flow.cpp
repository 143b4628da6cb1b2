//===- Flow.cpp - definite assignment -------------------*- C++ -*-===//
//
// What follows a jump, an endless loop or a call that does not return gets a warning.
//
// A mutable local may lack an initialiser; it must be assigned on every path
// before it is read. Loop bodies may run never, so they assign nothing; what
// follows a jump is not reached, so everything counts as assigned there.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"

using namespace sluice;
using namespace sluice::sema;

namespace {
class Flow {
public:
  explicit Flow(Sema &sema) : sema(sema) {}
  void stmt(const typed::Stmt &);

private:
  using Unassigned = llvm::SmallPtrSet<const typed::Variable *, 8>;
  Sema &sema;
  Unassigned unassigned; // on some path to here
  bool isReachable = true;
  bool hasBreak = false; // out of the innermost loop
  bool leaves = false;   // the function, from inside of the innermost loop

  void read(const ExprPtr &e) {
    if (e)
      read(*e);
  }
  void read(const typed::Expr &);
  void write(const typed::Expr &);
  void use(const typed::VarExpr &);
  void call(const typed::AnyCallExpr &);
  /// `first` is evaluated, of the others perhaps none.
  void perhaps(const ExprPtr &first, llvm::ArrayRef<const typed::Expr *> others);
  void leave() {
    leaves |= isReachable;
    isReachable = false;
  }
  void branch(const typed::IfStmt &);
  void loop(const typed::LoopStmt &);
  void block(const typed::BlockStmt &);
};
} // namespace

void Flow::use(const typed::VarExpr &e) {
  if (!isReachable || !unassigned.erase(e.var)) // once per variable is enough
    return;
  auto d = sema.diags.report(e.range, Diag::err_unassigned, e.var->name);
  sema.diags.note(d, e.var->range, Diag::note_defined_here, e.var->name);
}

void Flow::read(const typed::Expr &e) {
  if (auto *var = llvm::dyn_cast<typed::VarExpr>(&e)) {
    use(*var);
  } else if (auto *assign = llvm::dyn_cast<typed::AssignExpr>(&e)) {
    read(assign->value);
    if (assign->compound)
      read(assign->target);
    write(*assign->target);
  } else if (auto *logical = llvm::dyn_cast<typed::LogicalExpr>(&e)) {
    perhaps(logical->lhs, logical->rhs.get());
  } else if (auto *conditional = llvm::dyn_cast<typed::ConditionalExpr>(&e)) {
    perhaps(conditional->condition, {conditional->then.get(), conditional->otherwise.get()});
  } else if (auto *orElse = llvm::dyn_cast<typed::OrElseExpr>(&e)) {
    perhaps(orElse->lhs, orElse->otherwise.get());
  } else if (auto *callExpr = llvm::dyn_cast<typed::AnyCallExpr>(&e)) {
    call(*callExpr);
  } else {
    forEachOperand(e, [&](const typed::Expr &operand) { read(operand); });
  }
}

void Flow::perhaps(const ExprPtr &first, llvm::ArrayRef<const typed::Expr *> others) {
  read(first);
  Unassigned before = unassigned;
  for (const typed::Expr *other : others)
    read(*other);
  unassigned = std::move(before);
}

/// Mutable formals count as written by the call.
void Flow::call(const typed::AnyCallExpr &e) {
  for (unsigned i = 0; i < e.args.size(); ++i)
    if (!e.isMutable(i))
      read(e.args[i]);
  for (unsigned i = 0; i < e.args.size(); ++i)
    if (e.isMutable(i))
      write(*e.args[i]);
  auto *native = llvm::dyn_cast<typed::NativeCallExpr>(&e);
  if (native && native->proto->facts.isEnd)
    leave();
}

/// Writing a part counts as well: the rest has its default value.
void Flow::write(const typed::Expr &e) {
  if (auto *var = llvm::dyn_cast<typed::VarExpr>(&e))
    unassigned.erase(var->var);
  const typed::Expr *base = baseOf(e);
  if (!base)
    return;
  forEachOperand(e, [&](const typed::Expr &operand) {
    if (&operand != base)
      read(operand);
  });
  write(*base);
}

void Flow::branch(const typed::IfStmt &s) {
  read(s.condition);
  bool reachable = isReachable;
  Unassigned before = unassigned;
  stmt(*s.then);
  Unassigned afterThen = std::move(unassigned);
  bool endOfThen = std::exchange(isReachable, reachable);
  unassigned = std::move(before);
  if (s.otherwise)
    stmt(*s.otherwise);
  // A path that does not get here has no say in what is assigned.
  if (!isReachable)
    unassigned = std::move(afterThen);
  else if (endOfThen)
    unassigned.insert_range(afterThen);
  isReachable |= endOfThen;
}

void Flow::loop(const typed::LoopStmt &s) {
  read(s.expr);
  bool reachable = isReachable;
  bool outerBreak = std::exchange(hasBreak, false);
  bool outerLeaves = std::exchange(leaves, false);
  Unassigned before = unassigned;
  stmt(*s.body);
  unassigned = std::move(before);
  auto *condition = llvm::dyn_cast_or_null<typed::ConstExpr>(s.expr.get());
  bool isEndless = s.kind == typed::StmtKind::While && condition && condition->integer();
  if (isEndless && reachable && !hasBreak && !leaves) {
    auto warning = sema.diags.report(s.expr->range, Diag::warn_endless_loop);
    sema.diags.note(warning, s.expr->range, Diag::note_until_shutdown,
                    sema.modules->hints().role("ending"));
    leaves = true; // a loop around it needs no warning of its own
  }
  isReachable = reachable && (!isEndless || hasBreak);
  hasBreak = outerBreak;
  leaves |= outerLeaves;
}

void Flow::block(const typed::BlockStmt &s) {
  bool isReported = !isReachable;
  for (const StmtPtr &part : s.body) {
    // A `return` may stand there because a function has to end in one.
    bool isReturn = part->kind == typed::StmtKind::Return;
    if (!isReachable && !isReturn && !std::exchange(isReported, true))
      sema.diags.report(part->range, Diag::warn_unreachable);
    stmt(*part);
  }
}

void Flow::stmt(const typed::Stmt &s) {
  using SK = typed::StmtKind;
  switch (s.kind) {
  case SK::Decl: {
    auto &decl = llvm::cast<typed::DeclStmt>(s);
    read(decl.init);
    if (!decl.init && decl.var->isMutable)
      unassigned.insert(decl.var);
    return;
  }
  case SK::Block:
    return block(llvm::cast<typed::BlockStmt>(s));
  case SK::If:
    return branch(llvm::cast<typed::IfStmt>(s));
  case SK::While:
  case SK::For:
    return loop(llvm::cast<typed::LoopStmt>(s));
  case SK::Expr:
    return read(llvm::cast<typed::ExprStmt>(s).expr);
  case SK::Return:
    read(llvm::cast<typed::ReturnStmt>(s).value);
    leave();
    return;
  case SK::Break:
    hasBreak |= isReachable;
    isReachable = false;
    return;
  case SK::Continue:
    isReachable = false;
    return;
  }
}

void sema::checkFlow(Sema &sema, const typed::Stmt &body) { Flow(sema).stmt(body); }
