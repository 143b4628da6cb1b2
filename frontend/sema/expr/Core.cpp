//===- Core.cpp - the entrance to the expression half -------*- C++ -*-===//

#include "frontend/sema/expr/Checker.h"

using namespace sluice;
using namespace sluice::sema;

//===--- scopes -----------------------------------------------------------===//

const ast::Unit *Scope::file() const {
  for (const Scope *s = this; s; s = s->parent)
    if (s->unit)
      return s->unit;
  return nullptr;
}

const Place &Scope::where() const {
  static const Place constant = [] {
    Place p;
    p.kind = Place::Constant;
    return p;
  }();
  for (const Scope *s = this; s; s = s->parent)
    if (s->place)
      return *s->place;
  return constant;
}

std::deque<typed::Variable> &Scope::variableOwner() {
  Scope *s = this;
  while (!s->variables && s->parent)
    s = s->parent;
  assert(s->variables && "a body needs an owner of its variables");
  return *s->variables;
}

//===--- the public functions ---------------------------------------------===//

Sema::Sema(ASTContext &ast, TypeContext &types, Diagnostics &diags, const FrontendOptions &options)
    : ast(ast), types(types), diags(diags), options(options), impl(std::make_unique<Impl>()) {}
Sema::~Sema() = default;

ExprPtr Sema::checkExpr(const ast::Expr *e, Scope &scope, Type expected, Conversion how) {
  Checker checker(*this, scope);
  ExprPtr result =
      expected ? checker.converted(e, expected, how, Diag::err_expected_type) : checker.value(e);
  if (result)
    checkEffects(*this, *result);
  return result;
}

StmtPtr Sema::checkStmt(const ast::Stmt *s, Scope &scope) {
  Scope inner;
  inner.parent = &scope;
  StmtPtr result = Checker(*this, inner).stmt(s);
  if (result)
    checkFlow(*this, *result);
  return result;
}

void Sema::checkState(const ast::DeclStmt *decl, Scope &scope, std::vector<typed::Variable *> &vars,
                      std::vector<ExprPtr> &inits) {
  Checker checker(*this, scope);
  Type type = checker.type(decl->type);
  for (const ast::Declarator &d : decl->declarators) {
    ExprPtr init;
    if (d.init)
      init = checker.converted(d.init, type, Initialiser, Diag::err_bad_initialiser);
    if (init)
      checkEffects(*this, *init);
    auto &owner = scope.variableOwner();
    owner.push_back({typed::Variable::State, d.name.text.str(), type, decl->isMutable,
                     unsigned(vars.size()), d.name.range});
    if (!checker.declare(&owner.back()))
      continue;
    vars.push_back(&owner.back());
    inits.push_back(std::move(init));
  }
}

Type Sema::checkType(const ast::TypeNode *t, Scope &scope) { return Checker(*this, scope).type(t); }

ExprPtr Sema::checkConstant(const ast::Expr *e, Scope &scope, Type expected) {
  ExprPtr result = checkExpr(e, scope, expected, expected ? Numeric : Exact);
  if (!result || isConstant(*result))
    return result;
  diags.report(e->range, Diag::err_not_constant);
  return nullptr;
}

unsigned Sema::submission(llvm::StringRef name, bool isList,
                          std::optional<std::string> defaultValue, Scope &scope, Range range) {
  std::string qualified = name.str();
  for (const Scope *s = &scope; s; s = s->parent)
    if (s->composite) {
      qualified = s->composite->definition + "." + qualified;
      break;
    }
  auto &all = program->submissions;
  for (unsigned i = 0; i < all.size(); ++i) {
    if (all[i].name != qualified)
      continue;
    bool conflict = all[i].isList != isList || all[i].hasDefault != defaultValue.has_value() ||
                    (defaultValue && *defaultValue != all[i].defaultValue);
    if (conflict)
      diags.report(range, Diag::err_submission_conflict, qualified);
    return i;
  }
  all.push_back({qualified, isList, defaultValue.has_value(), defaultValue.value_or("")});
  return all.size() - 1;
}

//===--- functions --------------------------------------------------------===//

/// Whether the last thing a statement does is, by its form alone, to return.
static bool endsInReturn(const ast::Stmt *s) {
  if (auto *block = llvm::dyn_cast<ast::Block>(s))
    return !block->body.empty() && endsInReturn(block->body.back());
  if (auto *branch = llvm::dyn_cast<ast::IfStmt>(s))
    return branch->otherwise && endsInReturn(branch->then) && endsInReturn(branch->otherwise);
  return s->kind == ast::StmtKind::Return;
}

/// Checks the body of a function whose signature is known.
static void checkBody(Sema &sema, const ast::Function *f, const ast::Unit *unit,
                      typed::Function &fn) {
  Place place;
  place.kind = Place::FunctionBody;
  place.returnType = fn.result;
  place.isStateful = f->isStateful;
  place.submissionAllowed = false;
  Scope scope;
  scope.unit = unit;
  scope.place = &place;
  scope.variables = &fn.variables;
  Checker checker(sema, scope);
  for (typed::Variable *formal : fn.params)
    checker.declare(formal);
  fn.body = checker.blockIn(f->body, scope);
  if (fn.result->kind != SplType::Void && !endsInReturn(f->body))
    sema.diags.report(f->name.range, Diag::err_missing_return, fn.name, fn.result->str());
  checkFlow(sema, *fn.body);
}

void Sema::checkPendingFunctions() {
  while (!impl->pending.empty()) {
    Impl::Pending p = impl->pending.front();
    impl->pending.pop_front();
    checkBody(*this, p.function, p.unit, *p.typed);
  }
}

/// Overloads of one name must differ in the types of their parameters.
static void reportOverlaps(Sema &sema, const ast::Unit *unit) {
  std::map<std::pair<llvm::StringRef, std::vector<Type>>, const ast::Function *> seen;
  for (const ast::Function *f : unit->functions) {
    if (!f->body)
      continue;
    const std::vector<Type> &params = signatureOf(sema, f, unit).params;
    if (llvm::any_of(params, [](Type t) { return t->kind == SplType::Error; }))
      continue;
    auto key = std::pair(f->name.text, params);
    auto [it, isNew] = seen.try_emplace(key, f);
    if (isNew)
      continue;
    auto d = sema.diags.report(f->name.range, Diag::err_overlap, f->name.text);
    sema.diags.note(d, it->second->name.range, Diag::note_previous_here);
  }
}

void Sema::checkUnitFunctions(const ast::Unit *unit) {
  Scope file;
  file.unit = unit;
  for (const ast::TypeAlias *alias : unit->types)
    findType(alias->name.text, file);
  reportOverlaps(*this, unit);
  // As if each were called: an error in a function nobody calls is one too.
  for (const ast::Function *f : unit->functions)
    if (f->body)
      functionFor(*this, f, unit);
  checkPendingFunctions();
}

const Signature &sema::signatureOf(Sema &sema, const ast::Function *f, const ast::Unit *unit) {
  auto [slot, isNew] = sema.impl->signatures.try_emplace(f);
  Signature &s = slot->second;
  if (!isNew)
    return s;
  Scope scope;
  scope.unit = unit;
  for (const ast::FunctionParam &p : f->params) {
    s.params.push_back(sema.checkType(p.type, scope));
    s.isMutable.push_back(p.isMutable);
  }
  s.result = f->result->kind == ast::TypeKind::Void ? sema.types.get(SplType::Void)
                                                    : sema.checkType(f->result, scope);
  return s;
}

typed::Function *sema::functionFor(Sema &sema, const ast::Function *f, const ast::Unit *unit) {
  Sema::Impl &impl = *sema.impl;
  auto [slot, isNew] = impl.functions.try_emplace(f);
  if (!isNew)
    return slot->second;
  auto &owner = sema.program ? sema.program->functions : impl.looseFunctions;
  typed::Function &fn = owner.emplace_back();
  slot->second = &fn;
  fn.name = f->name.text.str();
  fn.symbol = unit->ns.parts.empty() ? fn.name : unit->ns.str() + "." + fn.name;
  for (unsigned n = 2; !impl.symbols.insert(fn.symbol).second; ++n)
    fn.symbol = fn.name + "." + std::to_string(n);
  const Signature &signature = signatureOf(sema, f, unit);
  for (unsigned i = 0; i < f->params.size(); ++i) {
    const ast::FunctionParam &p = f->params[i];
    fn.variables.push_back({typed::Variable::Formal, p.name.text.str(), signature.params[i],
                            p.isMutable, i, p.name.range});
    fn.params.push_back(&fn.variables.back());
  }
  fn.result = signature.result;
  fn.isStateful = f->isStateful;
  fn.range = f->range;
  impl.pending.push_back({f, unit, &fn});
  return &fn;
}
