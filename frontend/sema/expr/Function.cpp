//===- Function.cpp - prototypes, signatures and bodies of functions ------===//
#include "frontend/sema/expr/Statements.h"

using namespace sluice;
using namespace sluice::sema;

//===--- prototypes -------------------------------------------------------===//

/// What stands for a parameter type in a symbol (abi.h).
static std::string symbolCode(Type t) {
  std::string code = t->info().code;
  for (Type arg : t->args)
    code += symbolCode(arg);
  return code;
}

const typed::Prototype *Sema::prototype(const ast::Function *f, const ast::Unit *unit,
                                        llvm::StringRef ns) {
  auto [slot, isNew] = impl->prototypes.try_emplace(f);
  if (!isNew)
    return slot->second.get();
  auto p = std::make_shared<typed::Prototype>();
  p->ns = ns.str();
  p->name = f->name.text.str();
  p->isStateful = f->isStateful;
  p->facts = readFacts(diags, *f);
  Scope scope;
  scope.unit = unit;
  for (const ast::Function::TypeVar &v : f->typeVars) {
    p->typeVars.push_back(types.var(v.name.text, v.cls.text));
    scope.types[v.name.text] = p->typeVars.back();
  }
  bool keep = std::exchange(impl->keepTypes, true);
  std::string codes;
  for (const ast::FunctionParam &param : f->params) {
    p->params.push_back(checkType(param.type, scope));
    p->isMutable.push_back(param.isMutable);
    codes += symbolCode(p->params.back());
  }
  p->result = f->result->kind == ast::TypeKind::Void ? types.get(SplType::Void)
                                                     : checkType(f->result, scope);
  impl->keepTypes = keep;
  p->symbol = "sl_" + p->name + "_" + codes;
  p->range = f->name.range;
  if (const NativeFunction *native = modules->nativeFunction(unit, f)) {
    p->native = *native;
    std::string name = native->name.empty() ? p->name : native->name;
    p->native->name = native->set->ns.empty() ? name : native->set->ns + "::" + name;
    if (p->isStateful) // it may touch anything
      p->facts.effects = spl::Effect::everything;
  }
  if (program)
    program->prototypes.push_back(p);
  return (impl->prototypes[f] = std::move(p)).get();
}

//===--- functions of SPL -------------------------------------------------===//

/// Whether a statement always ends in a return, judged by its form alone.
static bool endsInReturn(const ast::Stmt *s) {
  if (auto *block = llvm::dyn_cast<ast::Block>(s))
    return !block->body.empty() && endsInReturn(block->body.back());
  if (auto *branch = llvm::dyn_cast<ast::IfStmt>(s))
    return branch->otherwise && endsInReturn(branch->then) && endsInReturn(branch->otherwise);
  return s->kind == ast::StmtKind::Return;
}

/// The part that a call, a postfix or a binary expression begins with; null of others.
static const ast::Expr *beginningOf(const ast::Expr &e) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(&e))
    return call->callee;
  if (auto *postfix = llvm::dyn_cast<ast::PostfixExpr>(&e))
    return postfix->operand;
  auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&e);
  return binary ? binary->lhs : nullptr;
}

/// Whether the last statement begins with what may be a misspelt `return`, as in `Return !x;`.
static bool endsInMisspeltReturn(const ast::Stmt &body) {
  auto &statements = llvm::cast<ast::Block>(body).body;
  auto *last = statements.empty() ? nullptr : llvm::dyn_cast<ast::ExprStmt>(statements.back());
  const ast::Expr *first = last ? last->expr : nullptr;
  while (const ast::Expr *part = first ? beginningOf(*first) : nullptr)
    first = part;
  auto *word = llvm::dyn_cast_or_null<ast::NameExpr>(first);
  return word && isNear(word->name.text, "return");
}

/// Whether a statement returns a value. `return f(x);` may be meant as a call of what has none.
static bool returnsValue(const ast::Stmt *s) {
  if (auto *block = llvm::dyn_cast<ast::Block>(s))
    return llvm::any_of(block->body, returnsValue);
  if (auto *branch = llvm::dyn_cast<ast::IfStmt>(s))
    return returnsValue(branch->then) || (branch->otherwise && returnsValue(branch->otherwise));
  if (auto *loop = llvm::dyn_cast<ast::ForStmt>(s))
    return returnsValue(loop->body);
  if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(s))
    return returnsValue(loop->body);
  auto *jump = llvm::dyn_cast<ast::JumpStmt>(s);
  return jump && jump->value && !llvm::isa<ast::CallExpr>(jump->value);
}

/// A scope of the file in which the type variables stand for `typeArgs`.
static Scope functionScope(const ast::Function *f, const ast::Unit *unit,
                           llvm::ArrayRef<Type> typeArgs) {
  Scope scope;
  scope.unit = unit;
  for (auto [var, type] : llvm::zip_equal(f->typeVars, typeArgs))
    scope.types[var.name.text] = type;
  return scope;
}

static Type resultType(Sema &sema, const ast::Function *f, Scope &scope) {
  return f->result->kind == ast::TypeKind::Void ? sema.types.get(SplType::Void)
                                                : sema.checkType(f->result, scope);
}

/// Checks the body of a function whose signature is known.
static void checkBody(Sema &sema, const ast::Function *f, const ast::Unit *unit,
                      llvm::ArrayRef<Type> typeArgs, typed::Function &fn) {
  Place place;
  place.kind = Place::FunctionBody;
  place.returnType = fn.result;
  place.isStateful = f->isStateful;
  place.submissionAllowed = false;
  place.function = &fn;
  Scope scope = functionScope(f, unit, typeArgs);
  scope.place = &place;
  scope.variables = &fn.variables;
  unsigned errors = sema.diags.errors();
  Checker checker(sema, scope);
  Statements statements(checker);
  for (typed::Variable *formal : fn.params)
    statements.declare(formal);
  fn.body = statements.blockIn(f->body, scope);
  bool noReturn = fn.result->kind != SplType::Void && fn.result->kind != SplType::Error &&
                  !endsInReturn(f->body);
  if (noReturn && (sema.diags.errors() == errors || !endsInMisspeltReturn(*f->body)))
    sema.diags.report(f->name.range, Diag::err_missing_return, fn.name, fn.result->str());
  checkFlow(sema, *fn.body);
  if (sema.diags.errors() == errors)
    warnUnread(sema, fn.variables);
}

ReadFor::ReadFor(Diagnostics &diags, Range use, llvm::StringRef name)
    : handler(diags.context(), [this, &diags, use, name](mlir::Diagnostic &d) {
        auto at = llvm::dyn_cast<mlir::FileLineColRange>(d.getLocation());
        if (d.getSeverity() == mlir::DiagnosticSeverity::Error && at && use && !isNoted &&
            at.getFilename().getValue() != diags.path(use.file)) {
          isNoted = true;
          mlir::Location here = diags.location(use);
          auto isHere = [&](mlir::Diagnostic &note) { return note.getLocation() == here; };
          if (llvm::none_of(d.getNotes(), isHere)) // a file that cannot be read says it itself
            d.attachNote(here) << llvm::formatv(Diagnostics::text(Diag::note_read_for), name).str();
        }
        return mlir::failure(); // printed by the next handler
      }) {}

void Sema::checkPendingFunctions() {
  while (!impl->pending.empty()) {
    Impl::Pending p = impl->pending.front();
    impl->pending.pop_front();
    ReadFor why(diags, p.use, p.function->name.text);
    checkBody(*this, p.function, p.unit, p.typeArgs, *p.typed);
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
  // Functions that nobody calls are checked as well.
  for (const ast::Function *f : unit->functions)
    if (f->body)
      functionFor(*this, f, unit, f->name.range);
  checkPendingFunctions();
}

const Signature &sema::signatureOf(Sema &sema, const ast::Function *f, const ast::Unit *unit) {
  auto [slot, isNew] = sema.impl->signatures.try_emplace(f);
  Signature &s = slot->second;
  if (!isNew)
    return s;
  for (const ast::Function::TypeVar &v : f->typeVars)
    s.typeVars.push_back(sema.types.var(v.name.text, v.cls.text));
  Scope scope = functionScope(f, unit, s.typeVars);
  for (const ast::FunctionParam &p : f->params) {
    s.params.push_back(sema.checkType(p.type, scope));
    s.isMutable.push_back(p.isMutable);
  }
  s.result = resultType(sema, f, scope);
  return s;
}

/// A name for the module: qualified, with the types that it is for, and unique.
static std::string symbolFor(Sema::Impl &impl, const ast::Function *f, const ast::Unit *unit,
                             llvm::ArrayRef<Type> typeArgs) {
  std::string name = f->name.text.str();
  std::string symbol = unit->ns.parts.empty() ? name : unit->ns.str() + "." + name;
  for (Type type : typeArgs)
    if (std::string text = type->str(); llvm::all_of(text, llvm::isAlnum))
      symbol += "." + text;
  std::string unique = symbol;
  for (unsigned n = 2; !impl.symbols.insert(unique).second; ++n)
    unique = symbol + "." + std::to_string(n);
  return unique;
}

typed::Function *sema::functionFor(Sema &sema, const ast::Function *f, const ast::Unit *unit,
                                   Range use, llvm::ArrayRef<Type> typeArgs) {
  Sema::Impl &impl = *sema.impl;
  auto [slot, isNew] = impl.functions.try_emplace(std::pair(f, typeArgs.vec()));
  if (!isNew)
    return slot->second;
  auto &owner = sema.program ? sema.program->functions : impl.looseFunctions;
  typed::Function &fn = owner.emplace_back();
  slot->second = &fn;
  fn.name = f->name.text.str();
  fn.symbol = symbolFor(impl, f, unit, typeArgs);
  // Checked once without type variables, which reports what is wrong with the types.
  const Signature &signature = signatureOf(sema, f, unit);
  Scope scope = functionScope(f, unit, typeArgs);
  for (unsigned i = 0; i < f->params.size(); ++i) {
    const ast::FunctionParam &p = f->params[i];
    Type type = typeArgs.empty() ? signature.params[i] : sema.checkType(p.type, scope);
    fn.variables.push_back(
        {typed::Variable::Formal, p.name.text.str(), type, p.isMutable, i, p.name.range});
    fn.params.push_back(&fn.variables.back());
  }
  fn.result = typeArgs.empty() ? signature.result : resultType(sema, f, scope);
  fn.isStateful = f->isStateful;
  fn.range = f->range;
  fn.nameRange = f->name.range;
  fn.returnsValue = returnsValue(f->body);
  impl.pending.push_back({f, unit, use, typeArgs.vec(), &fn});
  return &fn;
}
