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
