//===- Generic.cpp - what type variables stand for -----------------------===//
#include "frontend/sema/expr/call/Calls.h"

using namespace sluice;
using namespace sluice::sema;

using Bindings = llvm::DenseMap<Type, Type>;

static bool sameNames(Type a, Type b) {
  return llvm::equal(a->attributes, b->attributes,
                     [](auto &x, auto &y) { return x.first == y.first; });
}

bool sema::unify(Type formal, Type actual, Bindings &bindings) {
  if (formal == actual)
    return true;
  if (formal->kind == SplType::Var) {
    auto [it, isNew] = bindings.try_emplace(formal, actual);
    return isNew ? actual->inClass(formal->cls) : it->second == actual;
  }
  bool hasParts = !formal->args.empty() || !formal->attributes.empty();
  bool sameShape = formal->kind == actual->kind && formal->bound == actual->bound &&
                   formal->args.size() == actual->args.size() && sameNames(formal, actual);
  if (!hasParts || !sameShape)
    return false;
  for (auto [f, a] : llvm::zip(formal->args, actual->args))
    if (!unify(f, a, bindings))
      return false;
  for (auto [f, a] : llvm::zip(formal->attributes, actual->attributes))
    if (!unify(f.second, a.second, bindings))
      return false;
  return true;
}

Type sema::withoutBound(TypeContext &types, Type formal, Type actual) {
  bool isSame = formal->kind == actual->kind && !formal->bound;
  return isSame && actual->bound ? types.get(actual->kind, actual->args) : actual;
}

Type Calls::substitute(Type t, const Bindings &bindings) {
  if (t->kind == SplType::Var)
    return bindings.lookup(t);
  if (t->kind == SplType::Tuple) {
    std::vector<SplType::Attribute> attributes;
    for (const SplType::Attribute &a : t->attributes)
      if (!attributes.emplace_back(a.first, substitute(a.second, bindings)).second)
        return nullptr;
    return types.tuple(attributes);
  }
  if (t->args.empty())
    return t;
  llvm::SmallVector<Type, 2> args;
  for (Type arg : t->args)
    if (!(args.emplace_back(substitute(arg, bindings))))
      return nullptr;
  return types.get(t->kind, args, t->bound);
}

std::vector<Type> Calls::typeArguments(const Candidate &c) {
  std::vector<Type> result;
  for (Type var : *c.typeVars)
    result.push_back(c.bindings.lookup(var));
  return result;
}

const typed::Prototype *Calls::nativeInstance(const Candidate &c, Range use) {
  auto &slot = sema.impl->nativeInstances[{c.proto, typeArguments(c)}];
  if (slot)
    return slot.get();
  auto instance = std::make_shared<typed::Prototype>(*c.proto);
  instance->typeVars.clear();
  for (Type &param : instance->params)
    param = substitute(param, c.bindings);
  if (instance->result->kind != SplType::Void)
    instance->result = substitute(instance->result, c.bindings);
  if (typed::Program *program = sema.program) {
    instance->symbol = "sl_native_" + std::to_string(program->nativeCalls.size());
    program->prototypes.push_back(instance);
    program->nativeCalls.push_back({instance.get(), use});
  }
  slot = std::move(instance);
  return slot.get();
}
