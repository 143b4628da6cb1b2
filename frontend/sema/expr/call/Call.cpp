//===- Call.cpp - overloads, generics, calls ----------------*- C++ -*-===//

#include "frontend/sema/expr/Literals.h"
#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/Statements.h"
#include "frontend/sema/expr/call/Calls.h"
#include "frontend/sema/expr/call/Intrinsics.h"
#include "frontend/sema/expr/hints/CallHints.h"
#include "frontend/sema/expr/hints/Names.h"

using namespace sluice;
using namespace sluice::sema;

//===--- candidates -------------------------------------------------------===//

void Calls::addFunctions(const ast::Unit *from, llvm::StringRef ns, llvm::StringRef name,
                         Reach reach, std::vector<Candidate> &out) {
  auto defs = sema.modules->findFunctions(from, ns, name);
  bool isOwn = reach == Reach::Nearest && !defs.empty() && defs.front().unit == from;
  for (const Modules::FunctionDef &def : defs) {
    if (isOwn && def.unit != from)
      continue;
    Candidate c;
    c.ns = def.ns;
    c.unit = def.unit;
    if (def.function->body) {
      const Signature &s = signatureOf(sema, def.function, def.unit);
      c.function = def.function;
      c.typeVars = &s.typeVars;
      c.params = &s.params;
      c.isMutable = &s.isMutable;
      if (llvm::any_of(s.params, [&](Type t) { return isError(t); }))
        c.isBroken = true;
    } else {
      c.proto = sema.prototype(def.function, def.unit, def.ns);
      c.typeVars = &c.proto->typeVars;
      c.params = &c.proto->params;
      c.isMutable = &c.proto->isMutable;
    }
    out.push_back(std::move(c));
  }
}

std::vector<Candidate> Calls::candidates(llvm::StringRef ns, llvm::StringRef name, Reach reach) {
  std::vector<Candidate> found;
  const Place &place = scope.where();
  if (ns.empty() && place.outputFunctions)
    for (const typed::Prototype *p : *place.outputFunctions)
      if (p->name == name) {
        Candidate &c = found.emplace_back();
        c.proto = p;
        c.isOutput = true;
        c.typeVars = &p->typeVars;
        c.params = &p->params;
        c.isMutable = &p->isMutable;
      }
  if (!found.empty())
    return found;
  if (ns.empty())
    for (Scope *s = &scope; s; s = s->parent)
      if (auto it = s->functions.find(name); it != s->functions.end()) {
        const ast::Actual *actual = it->second.actual;
        if (!actual)
          return found;
        const ast::TypeNode *named = actual->type;
        auto *value =
            actual->values.empty() ? nullptr : llvm::dyn_cast<ast::NameExpr>(actual->values[0]);
        if (value)
          addFunctions(it->second.scope->file(), value->path.str(), value->name.text, reach, found);
        else if (named)
          addFunctions(it->second.scope->file(), named->path.str(), named->name.text, reach, found);
        return found;
      }
  addFunctions(scope.file(), ns, name, reach, found);
  return found;
}

std::vector<Candidate> Calls::namedBy(const ast::NameExpr &callee, Reach reach) {
  ReadFor why(sema.diags, callee.range, callee.name.text);
  return candidates(callee.path.str(), callee.name.text, reach);
}

//===--- resolution -------------------------------------------------------===//

/// Empty literals and `null` stay null pointers: the formal types them.
bool Calls::arguments(const ast::CallExpr *e, std::vector<ExprPtr> &args) {
  bool ok = true;
  for (const ast::Expr *arg : e->args) {
    auto *named = llvm::dyn_cast<ast::AssignExpr>(arg);
    auto *label = named && !named->compound ? llvm::dyn_cast<ast::NameExpr>(named->lhs) : nullptr;
    if (label && !lookup(label->name.text)) { // f(limit = 3)
      error(arg->range, Diag::err_named_argument, sema.diags.text(e->callee->range),
            sema.diags.text(named->rhs->range));
      return false;
    }
    args.push_back(takesItsType(arg) ? nullptr : checker.value(arg));
    ok &= args.back() || takesItsType(arg);
  }
  return ok;
}

/// What counts as the type of an argument. Functions in C++ may change bounded values in place:
/// emission cuts them behind the call.
Type Calls::acceptedType(const Candidate &c, unsigned i, Type actual) {
  bool takesBounds = c.proto || (!c.typeVars->empty() && !(*c.isMutable)[i]);
  return takesBounds ? withoutBound(types, (*c.params)[i], actual) : actual;
}

bool Calls::viable(Candidate &c, const ast::CallExpr *e, llvm::ArrayRef<ExprPtr> args) {
  if (c.params->size() != args.size())
    return false;
  c.lifted = 0;
  for (unsigned i = 0; i < args.size(); ++i) {
    if (!args[i])
      continue;
    Type formal = (*c.params)[i], given = acceptedType(c, i, args[i]->type);
    if (unify(formal, given, c.bindings))
      continue;
    bool becomesOptional = !(*c.isMutable)[i] && isLiftedTo(given, substitute(formal, c.bindings));
    if (!becomesOptional)
      return false;
    ++c.lifted;
  }
  for (unsigned i = 0; i < args.size(); ++i) {
    if (args[i])
      continue;
    Type formal = substitute((*c.params)[i], c.bindings);
    if (isNull(e->args[i]) && formal && formal->kind == SplType::Optional && !(*c.isMutable)[i])
      continue;
    if (!formal || isNull(e->args[i]) || !isEmptyValueOf(e->args[i], formal))
      return false;
  }
  return llvm::all_of(*c.typeVars, [&](Type var) { return c.bindings.contains(var); });
}

std::nullptr_t Calls::notCallable(const ast::CallExpr *e) {
  auto *method = llvm::dyn_cast<ast::MemberExpr>(stripParens(e->callee));
  auto *postfix = llvm::dyn_cast<ast::PostfixExpr>(e->callee);
  auto *word = postfix ? llvm::dyn_cast<ast::NameExpr>(postfix->operand) : nullptr;
  if (word && word->path.parts.empty() && !lookup(word->name.text)) { // `Return !(x)`
    if (!Statements(checker).isMisspeltJump(*word))
      Names(checker).unknownName(word);
    return nullptr;
  }
  if (!method)
    return error(e->callee->range, Diag::err_not_callable);
  Type base = nullptr;
  if (isValue(method->base)) {
    ExprPtr checked = checker.value(method->base);
    if (!checked)
      return nullptr;
    base = checked->type;
  }
  std::vector<llvm::StringRef> args;
  for (const ast::Expr *arg : e->args)
    args.push_back(sema.diags.text(arg->range));
  auto d = sema.diags.report(e->callee->range, Diag::err_not_callable);
  std::string instead = methodInstead(method, args, base);
  llvm::StringRef foreign = base ? "" : foreignFunction(sema.modules->hints(), method->name.text);
  if (!instead.empty())
    sema.diags.note(d, method->name.range, Diag::note_no_methods, instead);
  else if (!foreign.empty())
    sema.diags.note(d, method->name.range, Diag::note_foreign, foreign);
  else
    sema.diags.note(d, method->name.range, Diag::note_only_functions);
  return nullptr;
}

/// Whether `e` is anything but names that mean nothing here, such as `System.out`.
bool Calls::isValue(const ast::Expr *e) {
  while (auto *member = llvm::dyn_cast<ast::MemberExpr>(e))
    e = member->base;
  auto *name = llvm::dyn_cast<ast::NameExpr>(e);
  return !name || (name->path.parts.empty() && lookup(name->name.text));
}

/// The call of a function that does what the method of another language does; empty if none is
/// known. `base` is null if nothing is known of what stands before the dot.
std::string Calls::methodInstead(const ast::MemberExpr *method,
                                 llvm::ArrayRef<llvm::StringRef> args, Type base) {
  llvm::StringRef name = method->name.text, text = sema.diags.text(method->base->range);
  auto call = [&](llvm::ArrayRef<llvm::StringRef> all) {
    return (name + "(" + llvm::join(all, ", ") + ")").str();
  };
  if (!base)
    return text == "console" || candidates("", name, Reach::Nearest).empty() ? "" : call(args);
  if (std::string known = foreignMethod(sema.modules->hints(), base, name, text, args);
      !known.empty())
    return known;
  std::vector<llvm::StringRef> all = {text};
  llvm::append_range(all, args);
  bool fits = llvm::any_of(candidates("", name, Reach::Nearest), [&](Candidate &c) {
    return c.params->size() == all.size() && unify(c.params->front(), base, c.bindings);
  });
  return fits ? call(all) : "";
}

/// How a value of the type is written that is called as a constructor, as in `Point(1.0, 2.0)`.
std::string Calls::valueOfType(const ast::CallExpr *e, const ast::NameExpr &callee, Type type) {
  auto argument = [&](size_t i) { return sema.diags.text(e->args[i]->range).str(); };
  if (type->kind != SplType::Tuple)
    return e->args.size() == 1 ? "(" + callee.name.text.str() + ") " + argument(0) : "";
  std::string result;
  for (auto [i, attribute] : llvm::enumerate(type->attributes))
    result += (i ? ", " : "{") + attribute.first + " = " +
              (e->args.size() == type->attributes.size() ? argument(i) : "...");
  return result + "}";
}

/// Checks the arguments of a call of a function that nothing is known of, unless they are given to
/// one of another language. Returns what SPL writes for it, by the type of the first one.
std::string Calls::insteadOf(const ast::CallExpr *e, llvm::StringRef name) {
  // What another language gives to its function may mean nothing here.
  if (!foreignFunction(sema.modules->hints(), name).empty())
    return "";
  auto isPort = [&](const ast::Expr *arg) { // submitt({x = 1}, Out)
    auto *port = llvm::dyn_cast<ast::NameExpr>(arg);
    const Entity *entity = port ? lookup(port->name.text) : nullptr;
    return entity && entity->kind == Entity::OutPort;
  };
  std::string instead;
  for (const ast::Expr *arg : e->args)
    if (!takesItsType(arg) && !isPort(arg))
      if (ExprPtr given = checker.value(arg); given && arg == e->args.front())
        instead = CallHints(checker).callInstead(e, name, given->type);
  return instead;
}

/// `entity`, which is no function, is called.
std::nullptr_t Calls::notAFunction(const ast::CallExpr *e, const ast::NameExpr &callee,
                                   const Entity &entity) {
  llvm::StringRef name = callee.name.text;
  auto d = sema.diags.report(callee.range, Diag::err_not_a_function, name);
  bool isIndexed =
      entity.type && (entity.type->kind == SplType::List || entity.type->kind == SplType::Map);
  if (isIndexed && e->args.size() == 1)
    sema.diags.note(d, callee.range, Diag::note_did_you_mean,
                    (name + "[" + sema.diags.text(e->args[0]->range) + "]").str());
  else if (entity.range)
    sema.diags.note(d, entity.range, Diag::note_defined_here, name);
  return nullptr;
}

/// What the name of an unknown function may mean. `output`: the output function that it stands for;
/// `instead`: what SPL writes for the call.
void Calls::noteUnknown(mlir::InFlightDiagnostic &d, const ast::CallExpr *e,
                        const ast::NameExpr &callee, llvm::StringRef output, std::string instead) {
  llvm::StringRef name = callee.name.text;
  bool isBare = callee.path.parts.empty();
  CallHints hints(checker);
  Names names(checker);
  auto isThere = [&](llvm::StringRef other) {
    return !sema.modules->findFunctions(scope.file(), other, name).empty();
  };
  bool isNoted =
      (isBare && (hints.noteOutputFunction(d, callee, name) ||
                  names.noteNamespaces(d, callee.range, name, isThere))) ||
      names.noteElsewhere(d, callee,
                          output.empty() ? foreignFunction(sema.modules->hints(), name) : output);
  if (Type type = !isNoted && isBare ? sema.findType(name, scope) : nullptr)
    instead = valueOfType(e, callee, type);
  if (!isNoted && !instead.empty())
    return sema.diags.note(d, e->range, Diag::note_did_you_mean, instead);
  isNoted = isNoted || hints.noteNearFunctions(d, callee);
  llvm::StringRef foreign = sema.modules->hints().find(HintKind::Output, name);
  if (!isNoted && isBare && !foreign.empty())
    hints.noteOutputFunction(d, callee, foreign.drop_front().split('(').first);
}

std::nullptr_t Calls::unknownFunction(const ast::CallExpr *e, const ast::NameExpr *callee) {
  llvm::StringRef name = callee->name.text;
  for (Scope *s = &scope; s; s = s->parent)
    if (auto it = s->functions.find(name); it != s->functions.end() && !it->second.actual) {
      sema.diags.withhold();
      return nullptr;
    }
  std::string instead = insteadOf(e, name);
  if (const Entity *entity = callee->path.parts.empty() ? lookup(name) : nullptr)
    return notAFunction(e, *callee, *entity);
  std::string ns = callee->path.str();
  if (Names(checker).isReported(*callee, foreignFunction(sema.modules->hints(), name)))
    return nullptr;
  if (auto *hidden = sema.modules->hiddenFunction(scope.file(), ns, name)) {
    auto d = sema.diags.report(callee->range, Diag::err_not_public, name);
    sema.diags.note(d, hidden->name.range, Diag::note_defined_here, name);
    return nullptr;
  }
  llvm::StringRef output = CallHints(checker).outputInstead(name);
  std::vector<std::string> others;
  if (ns.empty())
    others = sema.modules->elsewhere(name);
  if (output.empty() && !others.empty() && isPlannedFunction(others.front()))
    return unsupported(callee->range, "function `" + others.front() + "`");
  auto d =
      sema.diags.report(callee->range, Diag::err_unknown_function, sema.diags.text(callee->range));
  noteUnknown(d, e, *callee, output, std::move(instead));
  return nullptr;
}

/// Whether a toolkit lists the function of this qualified name without having it.
bool Calls::isPlannedFunction(llvm::StringRef qualified) {
  auto [ns, name] = qualified.rsplit("::");
  return llvm::any_of(sema.modules->findFunctions(scope.file(), ns, name), [&](auto &def) {
    return !def.function->body && sema.prototype(def.function, def.unit, def.ns)->facts.isPlanned;
  });
}

/// False after the report that other files define a function that fits the call like `best`.
bool Calls::isInOneFile(const ast::CallExpr *e, llvm::StringRef name, const Candidate &best,
                        llvm::ArrayRef<Candidate *> fitting) {
  if (!best.function)
    return true;
  std::vector<Range> definitions = {best.function->name.range};
  for (const Candidate *c : fitting)
    if (c->function && c->unit != best.unit && c->ns == best.ns && *c->params == *best.params)
      definitions.push_back(c->function->name.range);
  return !sema.modules->reportSeveral(e->callee->range, scope.file(), best.unit, best.ns, name,
                                      definitions);
}

Candidate *Calls::mostSpecific(const ast::CallExpr *e, llvm::StringRef name,
                               llvm::MutableArrayRef<Candidate> found,
                               llvm::ArrayRef<ExprPtr> args) {
  llvm::SmallVector<Candidate *> fitting;
  for (Candidate &c : found)
    if (viable(c, e, args))
      fitting.push_back(&c);
  if (fitting.empty()) {
    CallHints(checker).noMatch(e, name, found, args);
    return nullptr;
  }
  auto rank = [](const Candidate *c) { return std::pair(c->lifted, c->bindings.size()); };
  auto *best =
      *llvm::min_element(fitting, [&](Candidate *a, Candidate *b) { return rank(a) < rank(b); });
  // Two with the same parameters were reported as overlapping.
  bool isAmbiguous = llvm::any_of(
      fitting, [&](Candidate *c) { return rank(c) == rank(best) && *c->params != *best->params; });
  if (!isAmbiguous)
    return isInOneFile(e, name, *best, fitting) ? best : nullptr;
  auto d = sema.diags.report(e->range, Diag::err_ambiguous_call, name);
  CallHints(checker).noteCandidates(d, found);
  return nullptr;
}

/// Adds the functions of other files of the namespace. If they have errors and none of them fits,
/// the call is wrong: nothing is said of those files.
void Calls::addOthers(const ast::NameExpr &callee, const ast::CallExpr *e,
                      llvm::ArrayRef<ExprPtr> args, std::vector<Candidate> &found) {
  std::vector<mlir::Diagnostic> errors;
  std::vector<Candidate> all;
  {
    mlir::ScopedDiagnosticHandler holder(sema.diags.context(), [&](mlir::Diagnostic &diagnostic) {
      errors.push_back(std::move(diagnostic));
    });
    all = namedBy(callee, Reach::Namespace);
  }
  bool fits = llvm::any_of(all, [&](Candidate c) { return !c.isBroken && viable(c, e, args); });
  if (!errors.empty() && !fits)
    return;
  for (mlir::Diagnostic &error : errors)
    sema.diags.context()->getDiagEngine().emit(std::move(error));
  found = std::move(all);
}

ExprPtr Calls::call(const ast::CallExpr *e) {
  auto *callee = llvm::dyn_cast<ast::NameExpr>(stripParens(e->callee));
  if (!callee)
    return notCallable(e);
  llvm::StringRef name = callee->name.text;
  std::string ns = callee->path.str();
  ExprPtr result;
  if (ns.empty() && Intrinsics(checker).intrinsic(name, e, result))
    return result;
  std::vector<Candidate> found = namedBy(*callee, Reach::Nearest);
  if (found.empty())
    return unknownFunction(e, callee);
  if (ns.empty() && found.front().function)
    sema.modules->warnHiding(callee->range, scope.file(), found.front().unit,
                             Modules::Kind::Function, name, found.front().function->name.range);
  std::vector<ExprPtr> args;
  if (!arguments(e, args))
    return nullptr;
  if (llvm::none_of(found, [&](Candidate c) { return c.isBroken || viable(c, e, args); }))
    addOthers(*callee, e, args, found);
  if (llvm::any_of(found, [](const Candidate &c) { return c.isBroken; }))
    return nullptr; // its definition was reported
  // Of a planned function only the name is known, so any other that fits comes first.
  auto isPlanned = [](const Candidate &c) { return c.proto && c.proto->facts.isPlanned; };
  auto planned = llvm::find_if(found, isPlanned);
  if (planned != found.end()) {
    std::string what = "function `" + planned->ns + "::" + name.str() + "`";
    llvm::erase_if(found, isPlanned);
    if (llvm::none_of(found, [&](Candidate c) { return viable(c, e, args); }))
      return unsupported(e->callee->range, what);
  }
  Candidate *best = mostSpecific(e, name, found, args);
  return best ? finishCall(*best, e, std::move(args)) : nullptr;
}

/// Types the empty literals among the arguments, lifts those for optional formals, and reports
/// arguments for mutable formals that may not be written. False after an error.
bool Calls::finishArguments(const Candidate &c, const ast::CallExpr *e,
                            std::vector<ExprPtr> &args) {
  bool ok = true;
  for (unsigned i = 0; i < args.size(); ++i) {
    Type formal = substitute((*c.params)[i], c.bindings);
    if (!args[i])
      args[i] = isNull(e->args[i])
                    ? Operators(checker).null(e->args[i]->range, formal)
                    : Literals(checker).emptyLiteral(stripParens(e->args[i]), formal);
    args[i] = Operators(checker).lifted(std::move(args[i]), formal);
    if (!(*c.isMutable)[i] || !args[i])
      continue;
    if (!hasPlaceRoot(*args[i])) {
      error(e->args[i]->range, Diag::err_mutable_argument);
      ok = false;
    } else {
      ok &= Operators(checker).writable(*args[i], e->args[i]->range, Diag::err_immutable_argument);
    }
  }
  return ok && !llvm::is_contained(args, nullptr);
}

/// `result`, or the bounded type that all arguments have whose parameters are of type `result`:
/// upper() of an rstring[3] is one.
Type Calls::boundedResult(const Candidate &c, llvm::ArrayRef<ExprPtr> args, Type result) {
  Type bounded = nullptr;
  for (unsigned i = 0; i < args.size(); ++i) {
    if (substitute((*c.params)[i], c.bindings) != result)
      continue;
    bool agrees = !bounded || bounded == args[i]->type;
    if (!agrees || args[i]->type == result)
      return result;
    bounded = args[i]->type;
  }
  return bounded ? bounded : result;
}

ExprPtr Calls::finishCall(Candidate &c, const ast::CallExpr *e, std::vector<ExprPtr> args) {
  bool ok = finishArguments(c, e, args);
  bool isStateful = c.proto ? c.proto->isStateful : c.function->isStateful;
  const Place &place = scope.where();
  if (isStateful && place.kind == Place::FunctionBody && !place.isStateful)
    return error(e->range, Diag::err_stateful_call, sema.diags.text(e->callee->range));
  if (!ok)
    return nullptr;
  Type formal = c.proto ? c.proto->result : signatureOf(sema, c.function, c.unit).result;
  Type plain = substitute(formal, c.bindings);
  Type result = plain ? boundedResult(c, args, plain) : plain;
  for (unsigned i = 0; i < args.size(); ++i) {
    Type accepted = acceptedType(c, i, args[i]->type);
    if (!(*c.isMutable)[i])
      args[i] = sema.convert(std::move(args[i]), accepted);
  }
  ExprPtr call = plainCall(c, e, std::move(args));
  if (!call || result == plain)
    return call;
  return finish(std::make_unique<typed::CastExpr>(result, e->range, std::move(call)));
}

/// The call of a function that knows no bounds.
ExprPtr Calls::plainCall(Candidate &c, const ast::CallExpr *e, std::vector<ExprPtr> args) {
  if (!c.proto)
    return finish(std::make_unique<typed::CallExpr>(
        e->range, *functionFor(sema, c.function, c.unit, e->range, typeArguments(c)),
        std::move(args)));
  Type type = substitute(c.proto->result, c.bindings);
  std::string why;
  if (type && !type->isSupported(&why))
    return unsupported(e->range, "type `" + why + "`");
  if (c.isOutput)
    return outputFunction(c, type, e, std::move(args));
  if (!c.proto->facts.eventTime.empty() && !llvm::isa<typed::TupleExpr>(*args[0]))
    return error(e->args[0]->range, Diag::err_event_time_argument, c.proto->name);
  if (c.proto->facts.isLocated)
    appendLocation(args, e->range);
  if (c.proto->facts.seesToolkits)
    appendToolkits(args, e->range);
  const typed::Prototype &proto = c.proto->native ? *nativeInstance(c, e->range) : *c.proto;
  auto call = std::make_unique<typed::NativeCallExpr>(
      type, e->range, proto, proto.typeVars.empty() ? std::vector<Type>() : typeArguments(c),
      std::move(args));
  if (c.proto->facts.rule)
    c.proto->facts.rule(sema.diags, *call);
  return finish(std::move(call));
}
