//===- Scope.cpp - what a scope inherits ----------------------------------===//
#include "frontend/sema/Scope.h"

using namespace sluice;
using namespace sluice::sema;

const ast::Unit *Scope::file() const {
  for (const Scope *s = this; s; s = s->parent)
    if (s->unit)
      return s->unit;
  return nullptr;
}

bool Scope::isStream(llvm::StringRef name) const {
  for (const Scope *s = this; s; s = s->parent) {
    if (s->aliases.contains(name) || s->types.lookup(name))
      return false;
    if (s->hasStream && s->hasStream(name))
      return true;
  }
  return false;
}

AbsentStream *Scope::findAbsent(llvm::function_ref<bool(const AbsentStream &)> isMeant) {
  for (Scope *s = this; s; s = s->parent)
    if (auto found = llvm::find_if(s->absent, isMeant); found != s->absent.end())
      return &*found;
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

/// The name of a formal may have been written without its `$`.
static void offerName(NearNames &near, llvm::StringRef name) {
  near.offer(name);
  if (name.starts_with("$"))
    near.offer(name.drop_front(), name);
}

void Scope::offerTypes(NearNames &near) const {
  for (const Scope *s = this; s; s = s->parent) {
    near.offerKeys(s->types);
    near.offerKeys(s->aliases);
    if (s->offerLateTypes)
      s->offerLateTypes(near);
  }
}

void Scope::offerValues(NearNames &near, llvm::function_ref<bool(const Entity &)> isKind) const {
  for (const Scope *s = this; s; s = s->parent)
    for (const auto &entry : s->values)
      if (isKind(entry.second))
        offerName(near, entry.first());
}

void Scope::offerFunctions(NearNames &near) const {
  for (const Scope *s = this; s; s = s->parent)
    for (const auto &entry : s->functions)
      offerName(near, entry.first());
}

std::deque<typed::Variable> &Scope::variableOwner() {
  Scope *s = this;
  while (!s->variables && s->parent)
    s = s->parent;
  assert(s->variables && "a body needs an owner of its variables");
  return *s->variables;
}
