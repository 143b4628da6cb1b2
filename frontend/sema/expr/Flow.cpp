//===- Flow.cpp - definite assignment -------------------*- C++ -*-===//
//
// A mutable local may lack an initialiser; it must be assigned on every path
// before it is read. Loop bodies may run never, so they assign nothing; what
// follows a jump is not reached, so everything counts as assigned there.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"

using namespace sluice;
using namespace sluice::sema;
using SK = typed::StmtKind;

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

  void read(const typed::Expr *);
  void write(const typed::Expr &);
  void use(const typed::Expr &, const typed::Variable *);
  void branch(const typed::Stmt &);
  void loop(const typed::Stmt &);
};
} // namespace

void Flow::use(const typed::Expr &e, const typed::Variable *var) {
  if (!isReachable || !unassigned.erase(var)) // once per variable is enough
    return;
  auto d = sema.diags.report(e.range, Diag::err_unassigned, var->name);
  sema.diags.note(d, var->range, Diag::note_defined_here, var->name);
}

void Flow::read(const typed::Expr *e) {
  if (!e)
    return;
  switch (e->kind) {
  case TK::Var:
    use(*e, e->var);
    return;
  case TK::Assign:
    read(e->args[1].get());
    if (e->compound)
      read(e->args[0].get());
    write(*e->args[0]);
    return;
  case TK::And:
  case TK::Or:
  case TK::Conditional: { // the first part runs, the others may not
    read(e->args[0].get());
    Unassigned before = unassigned;
    for (const ExprPtr &arg : llvm::drop_begin(e->args))
      read(arg.get());
    unassigned = std::move(before);
    return;
  }
  case TK::Call:
  case TK::Native:
    for (unsigned i = 0; i < e->args.size(); ++i)
      if (!isMutableArg(*e, i))
        read(e->args[i].get());
    for (unsigned i = 0; i < e->args.size(); ++i)
      if (isMutableArg(*e, i))
        write(*e->args[i]);
    return;
  default:
    for (const ExprPtr &arg : e->args)
      read(arg.get());
  }
}

/// Writing a part counts as well: the rest has its default value.
void Flow::write(const typed::Expr &e) {
  const typed::Expr *root = rootOf(e);
  for (const typed::Expr *at = &e; at != root; at = at->args[0].get())
    for (const ExprPtr &arg : llvm::drop_begin(at->args))
      read(arg.get());
  if (root->kind == TK::Var)
    unassigned.erase(root->var);
}

void Flow::branch(const typed::Stmt &s) {
  read(s.expr.get());
  bool reachable = isReachable;
  Unassigned before = unassigned;
  stmt(*s.body[0]);
  Unassigned afterThen = std::move(unassigned);
  bool endOfThen = std::exchange(isReachable, reachable);
  unassigned = std::move(before);
  if (s.body.size() > 1)
    stmt(*s.body[1]);
  // A path that never gets here says nothing about what is assigned.
  if (!isReachable)
    unassigned = std::move(afterThen);
  else if (endOfThen)
    unassigned.insert_range(afterThen);
  isReachable |= endOfThen;
}

void Flow::loop(const typed::Stmt &s) {
  read(s.expr.get());
  bool reachable = isReachable;
  Unassigned before = unassigned;
  stmt(*s.body[0]);
  unassigned = std::move(before);
  isReachable = reachable;
}

void Flow::stmt(const typed::Stmt &s) {
  switch (s.kind) {
  case SK::Decl:
    read(s.expr.get());
    if (!s.expr && s.var->kind == typed::Variable::Local && s.var->isMutable)
      unassigned.insert(s.var);
    return;
  case SK::Block:
    for (const StmtPtr &part : s.body)
      stmt(*part);
    return;
  case SK::If:
    branch(s);
    return;
  case SK::While:
  case SK::For:
    loop(s);
    return;
  case SK::Expr:
    read(s.expr.get());
    return;
  case SK::Return:
    read(s.expr.get());
    isReachable = false;
    return;
  case SK::Break:
  case SK::Continue:
    isReachable = false;
    return;
  }
}

void sema::checkFlow(Sema &sema, const typed::Stmt &body) { Flow(sema).stmt(body); }
