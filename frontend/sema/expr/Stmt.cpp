//===- Stmt.cpp - statements --------------------------------*- C++ -*-===//

#include "frontend/sema/expr/Statements.h"
#include "frontend/sema/expr/TypeReader.h"
#include "frontend/sema/expr/Warnings.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace sluice;
using namespace sluice::sema;
//===--- dispatch ---------------------------------------------------------===//

/// Never null. A part with an error is left out, so that the rest is checked as well.
StmtPtr Statements::stmt(const ast::Stmt *s) {
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
    ExprPtr test = checker.condition(branch->cond);
    if (test)
      checkEffects(sema, *test);
    StmtPtr then = body(branch->then);
    StmtPtr otherwise = branch->otherwise ? body(branch->otherwise) : nullptr;
    return std::make_unique<typed::IfStmt>(s->range, std::move(test), std::move(then),
                                           std::move(otherwise));
  }
  case K::While: {
    auto *loop = llvm::cast<ast::WhileStmt>(s);
    ExprPtr test = checker.condition(loop->cond);
    if (test)
      checkEffects(sema, *test);
    llvm::SaveAndRestore depth(sema.impl->loopDepth, sema.impl->loopDepth + 1);
    return std::make_unique<typed::WhileStmt>(s->range, std::move(test), body(loop->body));
  }
  case K::For:
    return forLoop(llvm::cast<ast::ForStmt>(s));
  case K::Break:
  case K::Continue:
  case K::Return:
    return jump(llvm::cast<ast::JumpStmt>(s));
  case K::Expr: {
    auto *word = llvm::dyn_cast<ast::NameExpr>(llvm::cast<ast::ExprStmt>(s)->expr);
    if (word && isMisspeltJump(*word))
      return std::make_unique<typed::BlockStmt>(s->range);
    llvm::SaveAndRestore<const ast::Expr *> whole(checker.statement,
                                                  llvm::cast<ast::ExprStmt>(s)->expr);
    ExprPtr expr = checker.any(checker.statement);
    if (!expr)
      return std::make_unique<typed::BlockStmt>(s->range);
    checkEffects(sema, *expr);
    if (auto *step = llvm::dyn_cast<typed::IncDecExpr>(expr.get()))
      Warnings(checker).isOnlyWritten(*step->place);
    else
      Warnings(checker).warnNoEffect(llvm::cast<ast::ExprStmt>(s)->expr, *expr);
    Warnings(checker).warnResultUnused(llvm::cast<ast::ExprStmt>(s)->expr, *expr);
    return std::make_unique<typed::ExprStmt>(s->range, std::move(expr));
  }
  case K::Alias:
    alias(llvm::cast<ast::AliasStmt>(s)->alias);
    return std::make_unique<typed::BlockStmt>(s->range);
  }
  llvm_unreachable("all kinds of statements are covered");
}

/// The body of an `if` or a loop, in a scope of its own.
StmtPtr Statements::body(const ast::Stmt *s) {
  Scope inner;
  inner.parent = &scope;
  Checker inside(sema, inner);
  return Statements(inside).stmt(s);
}

StmtPtr Statements::blockIn(const ast::Block *block, Scope &inner) {
  auto result = std::make_unique<typed::BlockStmt>(block->range);
  Checker inside(sema, inner);
  for (const ast::Stmt *s : block->body) {
    StmtPtr part = Statements(inside).stmt(s);
    // Several declarators come as a block of their own, which has no scope.
    auto *group =
        s->kind == ast::StmtKind::Decl ? llvm::dyn_cast<typed::BlockStmt>(part.get()) : nullptr;
    if (!group) {
      result->body.push_back(std::move(part));
      continue;
    }
    for (StmtPtr &d : group->body)
      result->body.push_back(std::move(d));
  }
  return result;
}

//===--- declarations -----------------------------------------------------===//

bool Statements::declare(typed::Variable *var) {
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

StmtPtr Statements::decl(const ast::DeclStmt *s) {
  Type declared = TypeReader(checker).type(s->type);
  auto group = std::make_unique<typed::BlockStmt>(s->range);
  for (const ast::Declarator &d : s->declarators) {
    ExprPtr init;
    if (d.init)
      init = checker.initialiser(d, declared);
    else if (!s->isMutable && !isError(declared))
      error(d.name.range, Diag::err_no_initialiser, d.name.text);
    if (init)
      checkEffects(sema, *init);
    auto &owner = scope.variableOwner();
    owner.push_back(
        {typed::Variable::Local, d.name.text.str(), declared, s->isMutable, 0, d.name.range});
    typed::Variable *var = &owner.back();
    if (!isError(declared) || !scope.values.contains(d.name.text))
      declare(var);
    // After an error in its initialiser the variable must not count as unassigned.
    if (d.init && !init)
      init = std::make_unique<typed::ConstExpr>(declared, d.name.range);
    group->body.push_back(std::make_unique<typed::DeclStmt>(d.name.range, *var, std::move(init)));
  }
  if (group->body.size() == 1)
    return std::move(group->body.front());
  return group;
}

void Statements::alias(const ast::TypeAlias &a) {
  Type t = TypeReader(checker).type(a.type);
  if (!scope.types.try_emplace(a.name.text, t).second)
    error(a.name.range, Diag::err_redefinition, a.name.text);
}

//===--- loops and jumps --------------------------------------------------===//

/// `for (int32 i in 10)`, `for (rstring c in text)`.
void Statements::noCollection(const typed::Expr &e) {
  auto d = sema.diags.report(e.range, Diag::err_for_collection, e.type->str());
  std::string text = sema.diags.text(e.range).str();
  std::string numbers = sema.modules->hints().role("numbers").str();
  if (e.type->isInteger())
    sema.diags.note(d, e.range, Diag::note_did_you_mean, numbers + "(" + text + ")");
  else if (e.type->isString())
    sema.diags.note(d, e.range, Diag::note_foreign,
                    "`for (int32 i in " + numbers + "(" +
                        ConversionHints(checker).lengthOf(e.type, text) + "))` for this, and `" +
                        text + "[i]` for a character");
}

/// The collection that a loop runs over, checked against the type of its variable, which is the
/// error type if it is wrong; null after an error in it.
ExprPtr Statements::loopCollection(const ast::ForStmt *s, Type &declared) {
  if (isError(declared) && takesItsType(s->collection))
    return nullptr;
  ExprPtr result = checker.value(s->collection, isError(declared) ? nullptr : types.list(declared));
  if (!result)
    return nullptr;
  checkEffects(sema, *result);
  Type type = result->type;
  if (!type->isCollection())
    noCollection(*result);
  else if (!isError(declared) && type->args[0] != declared) {
    error(s->type->range, Diag::err_for_variable, s->name.text, declared->str(),
          type->kind == SplType::Map ? "keys" : "elements", type->args[0]->str());
    declared = types.get(SplType::Error); // uses of the variable are not reported
  }
  return result;
}

StmtPtr Statements::forLoop(const ast::ForStmt *s) {
  Type declared = TypeReader(checker).type(s->type);
  ExprPtr collection = loopCollection(s, declared);
  auto &owner = scope.variableOwner();
  owner.push_back({typed::Variable::Loop, s->name.text.str(), declared, false, 0, s->name.range});
  typed::Variable *var = &owner.back();

  Scope inner;
  inner.parent = &scope;
  Checker inside(sema, inner);
  Statements statements(inside);
  statements.declare(var);
  llvm::SaveAndRestore depth(sema.impl->loopDepth, sema.impl->loopDepth + 1);
  bool isPlace = collection && hasPlaceRoot(*collection);
  if (isPlace)
    sema.impl->iterated.push_back(collection.get());
  auto *block = llvm::dyn_cast<ast::Block>(s->body);
  StmtPtr body = block ? statements.blockIn(block, inner) : statements.stmt(s->body);
  if (isPlace)
    sema.impl->iterated.pop_back();
  return std::make_unique<typed::ForStmt>(s->range, *var, std::move(collection), std::move(body));
}

bool Statements::isMisspeltJump(const ast::NameExpr &e) {
  if (!e.path.parts.empty() || lookup(e.name.text))
    return false;
  NearNames near(e.name.text);
  near.offerAll(std::initializer_list<llvm::StringRef>{"break", "continue", "return"});
  if (near.best().empty())
    return false;
  auto d = sema.diags.report(e.range, Diag::err_unknown_name, e.name.text);
  sema.diags.noteNear(d, e.range, near);
  return true;
}

StmtPtr Statements::jump(const ast::JumpStmt *s) {
  if (s->kind == ast::StmtKind::Return)
    return returns(s);
  bool isBreak = s->kind == ast::StmtKind::Break;
  if (!sema.impl->loopDepth)
    error(s->range, Diag::err_outside_loop, isBreak ? "break" : "continue");
  return std::make_unique<typed::JumpStmt>(s->range, isBreak);
}

/// `return x;` where there is no result. Of one function once: its declaration is wrong, or all of
/// them are.
void Statements::returnsInVoid(const ast::JumpStmt *s) {
  const Place &place = scope.where();
  bool inLogic = place.kind != Place::FunctionBody;
  ExprPtr given = takesItsType(s->value) ? nullptr : checker.any(s->value);
  bool isCall = given && given->type->kind == SplType::Void; // `return print(x);`
  const typed::Function *function = isCall ? nullptr : place.function;
  llvm::SmallVector<Suspicion, 1> suspicions;
  if (function)
    suspicions.push_back({Doubt::NoResult, Subject::of(function)});
  auto d = sema.suspicions.report(suspicions, s->value->range, Diag::err_return_value,
                                  inLogic ? "logic" : "a void function");
  if (isCall)
    sema.diags.note(d, s->range, Diag::note_did_you_mean,
                    sema.diags.text(s->value->range) + "; return;");
  else if (inLogic && place.maySubmit)
    sema.diags.note(d, s->value->range, Diag::note_foreign, "`submit(tuple, Port);`");
  else if (function && given && !isError(given->type))
    sema.diags.note(d, function->nameRange, Diag::note_did_you_mean,
                    given->type->str() + " " + function->name + "(...)");
}

StmtPtr Statements::returns(const ast::JumpStmt *s) {
  Type want = scope.where().returnType;
  bool isVoid = !want || want->kind == SplType::Void;
  ExprPtr result;
  if (!s->value && !isVoid && !isError(want)) {
    error(s->range, Diag::err_return_missing_value, want->str());
  } else if (s->value && isVoid) {
    returnsInVoid(s);
  } else if (s->value) {
    result = checker.converted(s->value, want, Sema::Exact, Diag::err_return_type);
    if (result)
      checkEffects(sema, *result);
  }
  return std::make_unique<typed::ReturnStmt>(s->range, std::move(result));
}
