//===- Stmt.cpp - statements --------------------------------*- C++ -*-===//

#include "frontend/sema/expr/Checker.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace sluice;
using namespace sluice::sema;
using SK = typed::StmtKind;

static StmtPtr makeStmt(SK kind, Range range) {
  auto s = std::make_unique<typed::Stmt>();
  s->kind = kind;
  s->range = range;
  return s;
}

//===--- dispatch ---------------------------------------------------------===//

/// Never null: a part in error is left out, so that the rest is checked too.
StmtPtr Checker::stmt(const ast::Stmt *s) {
  using K = ast::StmtKind;
  switch (s->kind) {
  case K::Decl:
    return decl(llvm::cast<ast::DeclStmt>(s));
  case K::Block: {
    Scope inner;
    inner.parent = &scope;
    return blockIn(llvm::cast<ast::Block>(s), inner);
  }
  case K::If: {
    auto *branch = llvm::cast<ast::IfStmt>(s);
    StmtPtr result = makeStmt(SK::If, s->range);
    result->expr = condition(branch->cond);
    if (result->expr)
      checkEffects(sema, *result->expr);
    result->body.push_back(body(branch->then));
    if (branch->otherwise)
      result->body.push_back(body(branch->otherwise));
    return result;
  }
  case K::While: {
    auto *loop = llvm::cast<ast::WhileStmt>(s);
    StmtPtr result = makeStmt(SK::While, s->range);
    result->expr = condition(loop->cond);
    if (result->expr)
      checkEffects(sema, *result->expr);
    llvm::SaveAndRestore depth(sema.impl->loopDepth, sema.impl->loopDepth + 1);
    result->body.push_back(body(loop->body));
    return result;
  }
  case K::For:
    return forLoop(llvm::cast<ast::ForStmt>(s));
  case K::Break:
  case K::Continue:
  case K::Return:
    return jump(llvm::cast<ast::JumpStmt>(s));
  case K::Expr: {
    StmtPtr result = makeStmt(SK::Expr, s->range);
    result->expr = any(llvm::cast<ast::ExprStmt>(s)->expr);
    if (!result->expr)
      return makeStmt(SK::Block, s->range);
    checkEffects(sema, *result->expr);
    return result;
  }
  case K::Alias:
    alias(llvm::cast<ast::AliasStmt>(s)->alias);
    return makeStmt(SK::Block, s->range);
  }
  llvm_unreachable("all kinds of statements are covered");
}

/// What an `if` or a loop governs: a bare declaration ends with it.
StmtPtr Checker::body(const ast::Stmt *s) {
  Scope inner;
  inner.parent = &scope;
  return Checker(sema, inner).stmt(s);
}

StmtPtr Checker::blockIn(const ast::Block *block, Scope &inner) {
  StmtPtr result = makeStmt(SK::Block, block->range);
  Checker checker(sema, inner);
  for (const ast::Stmt *s : block->body) {
    StmtPtr part = checker.stmt(s);
    // Several declarators come as a block of their own, which has no scope.
    bool isGroup = s->kind == ast::StmtKind::Decl && part->kind == SK::Block;
    if (!isGroup) {
      result->body.push_back(std::move(part));
      continue;
    }
    for (StmtPtr &d : part->body)
      result->body.push_back(std::move(d));
  }
  return result;
}

//===--- declarations -----------------------------------------------------===//

bool Checker::declare(typed::Variable *var) {
  Entity &slot = scope.values[var->name];
  // Members of an enum written in this scope give way to variables.
  bool taken = slot.kind != Entity::None && slot.kind != Entity::EnumMember;
  if (taken) {
    auto d = sema.diags.report(var->range, Diag::err_redefinition, var->name);
    if (Range previous = slot.var ? slot.var->range : slot.range)
      sema.diags.note(d, previous, Diag::note_previous_here);
    return false;
  }
  slot = Entity();
  slot.kind = Entity::Variable;
  slot.var = var;
  slot.type = var->type;
  slot.range = var->range;
  return true;
}

StmtPtr Checker::decl(const ast::DeclStmt *s) {
  Type declared = type(s->type);
  StmtPtr group = makeStmt(SK::Block, s->range);
  for (const ast::Declarator &d : s->declarators) {
    ExprPtr init;
    if (d.init)
      init = converted(d.init, declared, Sema::Initialiser, Diag::err_bad_initialiser);
    else if (!s->isMutable)
      error(d.name.range, Diag::err_no_initialiser, d.name.text);
    if (init)
      checkEffects(sema, *init);
    auto &owner = scope.variableOwner();
    owner.push_back(
        {typed::Variable::Local, d.name.text.str(), declared, s->isMutable, 0, d.name.range});
    typed::Variable *var = &owner.back();
    declare(var);
    StmtPtr one = makeStmt(SK::Decl, d.name.range);
    one->var = var;
    // After an error there is no initialiser, which must not look unassigned.
    if (d.init && !init) {
      init = make(TK::Const, declared, d.name.range);
      init->isDefault = true;
    }
    one->expr = std::move(init);
    group->body.push_back(std::move(one));
  }
  if (group->body.size() == 1)
    return std::move(group->body.front());
  return group;
}

void Checker::alias(const ast::TypeAlias &a) {
  Type t = type(a.type);
  if (!scope.types.try_emplace(a.name.text, t).second)
    error(a.name.range, Diag::err_redefinition, a.name.text);
}

//===--- loops and jumps --------------------------------------------------===//

StmtPtr Checker::forLoop(const ast::ForStmt *s) {
  StmtPtr result = makeStmt(SK::For, s->range);
  Type declared = type(s->type);
  Type hint = isError(declared) ? nullptr : types.list(declared);
  result->expr = value(s->collection, hint);
  if (result->expr) {
    checkEffects(sema, *result->expr);
    Type collection = result->expr->type;
    if (!collection->isCollection())
      error(s->collection->range, Diag::err_for_collection, collection->str());
    else if (!isError(declared) && collection->args[0] != declared)
      error(s->type->range, Diag::err_for_variable, s->name.text, declared->str(),
            collection->kind == SplType::Map ? "keys" : "elements", collection->args[0]->str());
  }
  auto &owner = scope.variableOwner();
  owner.push_back({typed::Variable::Loop, s->name.text.str(), declared, false, 0, s->name.range});
  result->var = &owner.back();

  Scope inner;
  inner.parent = &scope;
  Checker checker(sema, inner);
  checker.declare(result->var);
  llvm::SaveAndRestore depth(sema.impl->loopDepth, sema.impl->loopDepth + 1);
  const typed::Expr *root = result->expr ? rootOf(*result->expr) : nullptr;
  bool isPlace = root && (root->kind == TK::Var || root->kind == TK::Tuple);
  if (isPlace)
    sema.impl->iterated.push_back(result->expr.get());
  if (auto *block = llvm::dyn_cast<ast::Block>(s->body))
    result->body.push_back(checker.blockIn(block, inner));
  else
    result->body.push_back(checker.stmt(s->body));
  if (isPlace)
    sema.impl->iterated.pop_back();
  return result;
}

StmtPtr Checker::jump(const ast::JumpStmt *s) {
  if (s->kind == ast::StmtKind::Return)
    return returns(s);
  bool isBreak = s->kind == ast::StmtKind::Break;
  if (!sema.impl->loopDepth)
    error(s->range, Diag::err_outside_loop, isBreak ? "break" : "continue");
  return makeStmt(isBreak ? SK::Break : SK::Continue, s->range);
}

StmtPtr Checker::returns(const ast::JumpStmt *s) {
  StmtPtr result = makeStmt(SK::Return, s->range);
  Type want = scope.where().returnType;
  bool isVoid = !want || want->kind == SplType::Void;
  if (!s->value) {
    if (!isVoid && !isError(want))
      error(s->range, Diag::err_return_missing_value, want->str());
    return result;
  }
  if (isVoid) {
    bool inLogic = scope.where().kind != Place::FunctionBody;
    error(s->value->range, Diag::err_return_value, inLogic ? "logic" : "a void function");
    value(s->value);
    return result;
  }
  result->expr = converted(s->value, want, Sema::Exact, Diag::err_return_type);
  if (result->expr)
    checkEffects(sema, *result->expr);
  return result;
}
