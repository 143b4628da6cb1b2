//===- OutputFunction.cpp - calls of output functions ----------------------===//
//
// An output function that summarises tuples is an algebra: a family of SPL functions that
// its prototype names (modules/FunctionFacts.h). Here they are found and instantiated.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/call/Calls.h"

using namespace sluice;
using namespace sluice::sema;

//===--- algebras -----------------------------------------------------------===//

/// The function `which` (Lift, Add, ...) that fits best, or null. `isMutable`: its first formal
/// is. `result` is what it must return, or null for anything.
const typed::Function *Calls::algebraFunction(const typed::Prototype &proto, llvm::StringRef which,
                                              bool isMutable, llvm::ArrayRef<Type> args,
                                              Type result) {
  for (const std::string &family : proto.facts.algebras) {
    std::vector<Candidate> found;
    addFunctions(scope.file(), proto.ns + ".aggregates", family + which.str(), Reach::Namespace,
                 found);
    Candidate *best = nullptr;
    for (Candidate &c : found) {
      if (!c.function || c.isBroken || c.params->size() != args.size())
        continue;
      bool fits = args.empty() || (*c.isMutable)[0] == isMutable;
      for (auto [formal, actual] : llvm::zip(*c.params, args))
        fits = fits && unify(formal, actual, c.bindings);
      Type returned = signatureOf(sema, c.function, c.unit).result;
      fits = fits && (!result || unify(returned, result, c.bindings)) &&
             !llvm::is_contained(typeArguments(c), nullptr);
      if (fits && (!best || c.bindings.size() < best->bindings.size()))
        best = &c;
    }
    if (best)
      return functionFor(sema, best->function, best->unit, best->function->name.range,
                         typeArguments(*best));
  }
  return nullptr;
}

/// The functions for arguments of these types; nothing if there are none.
std::optional<typed::Algebra> Calls::algebra(const typed::Prototype &proto,
                                             llvm::ArrayRef<ExprPtr> args, Type result) {
  std::vector<Type> values;
  for (const ExprPtr &arg : args)
    values.push_back(arg->type);
  typed::Algebra found;
  found.lift = algebraFunction(proto, "Lift", false, values, nullptr);
  if (!found.lift)
    return std::nullopt;
  Type none = types.get(SplType::Void);
  found.state = found.lift->result;
  values.insert(values.begin(), found.state);
  found.add = algebraFunction(proto, "Add", true, values, none);
  found.remove = algebraFunction(proto, "Remove", true, values, none);
  found.merge = algebraFunction(proto, "Merge", true, {found.state, found.state}, none);
  found.result = algebraFunction(proto, "Result", false, found.state, result);
  return found.merge && found.result ? std::optional(found) : std::nullopt;
}

//===--- folds --------------------------------------------------------------===//

/// The arguments of a fold are calls that run at different times. The first and the last run
/// without a tuple.
bool Calls::foldArguments(const typed::Prototype &proto, const ast::CallExpr *e,
                          llvm::ArrayRef<ExprPtr> args) {
  bool ok = true;
  for (auto [i, written, arg] : llvm::enumerate(e->args, args)) {
    if (stripParens(written)->kind != ast::ExprKind::Call) {
      error(written->range, Diag::err_fold_argument, proto.name);
      ok = false;
    }
    checkEffects(sema, *arg);
    bool hasTuple = anyExpr(*arg, [](auto &part) { return tuplePort(part).has_value(); });
    if (hasTuple && (i == 0 || i + 1 == args.size())) {
      error(written->range, Diag::err_fold_tuple, proto.name);
      ok = false;
    }
  }
  return ok;
}

ExprPtr Calls::outputFunction(const Candidate &c, Type type, const ast::CallExpr *e,
                              std::vector<ExprPtr> args) {
  const typed::Prototype &proto = *c.proto;
  std::optional<typed::Algebra> found;
  if (!proto.facts.algebras.empty() && !(found = algebra(proto, args, type))) {
    std::vector<std::string> have;
    for (const ExprPtr &arg : args)
      have.push_back(arg->type->str());
    return unsupported(e->range, "`" + proto.name + "(" + llvm::join(have, ", ") + ")`");
  }
  if (proto.facts.isFold && !foldArguments(proto, e, args))
    return nullptr;
  auto call = std::make_unique<typed::OutputFnExpr>(type, e->range, proto, std::move(args));
  call->algebra = found;
  return finish(std::move(call));
}
