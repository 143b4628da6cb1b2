//===- Scope.cpp - what names mean inside an invocation ------------===//
//
// The levels of scopes are: file, composite, operator (its state), clause (attributes,
// ports, formals). The actual of a formal is checked in the scope where it is written,
// with the place and the current tuples of the operator that uses it. A scope between
// the two binds the attributes that the actual mentions.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/Formals.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

Scope &Scopes::newScope(Scope *parent, const Place *place) {
  Scope &scope = scopes.emplace_back();
  scope.parent = parent;
  scope.place = place;
  return scope;
}

Place &Scopes::newPlace(Place::Kind kind) {
  Place &place = places.emplace_back();
  place.kind = kind;
  place.isStateful = kind != Place::Constant;
  return place;
}

/// Attribute `index` of port number `port`.
static Entity attributeEntity(unsigned port, unsigned index, const PortView &view) {
  Entity entity;
  entity.kind = Entity::Attribute;
  entity.port = port;
  entity.index = index;
  entity.tuple = view.type;
  entity.type = view.type->attributes[index].second;
  entity.range = view.range;
  return entity;
}

/// Enters attributes. One that two ports have is ambiguous.
static void enterAttribute(Scope &scope, StringRef name, const Entity &entity) {
  auto [slot, isNew] = scope.values.try_emplace(name, entity);
  if (!isNew && slot->second.kind == Entity::Attribute && slot->second.port != entity.port)
    slot->second.kind = Entity::Ambiguous;
}

Scope &Scopes::placeScope(Scope &parent, const Place &place, Instance &inst,
                          llvm::ArrayRef<PortView> ports, llvm::ArrayRef<unsigned> visible) {
  Scope &scope = newScope(&parent, &place);
  for (unsigned i : visible)
    for (auto [index, attribute] : llvm::enumerate(ports[i].type->attributes))
      enterAttribute(scope, attribute.first, attributeEntity(i, index, ports[i]));
  // Labels do not hide attributes: language.md 11.2, 10 and 11.
  for (auto [i, port] : llvm::enumerate(ports))
    for (StringRef label : port.labels) {
      Entity entity;
      entity.kind = llvm::is_contained(visible, unsigned(i)) ? Entity::PortTuple : Entity::InPort;
      entity.port = i;
      entity.type = port.type;
      entity.range = port.range;
      auto [slot, isNew] = scope.values.try_emplace(label, entity);
      if (!isNew && slot->second.kind == Entity::InPort)
        slot->second = entity;
      else if (!isNew && slot->second.kind == Entity::PortTuple && entity.kind == Entity::PortTuple)
        slot->second.kind = Entity::Ambiguous;
    }
  bindFormals(scope, inst, ports, visible);
  return scope;
}

void Scopes::enterAliases(Scope &scope, llvm::ArrayRef<PortView> ports) {
  for (const PortView &port : ports)
    scope.types[port.name] = port.type;
}

//===--- formals ------------------------------------------------------------===//

/// Whether `ref` is `wanted` or was passed down from it. `depth` bounds the search: a composite
/// may pass its own output through.
static bool comesFrom(const StreamRef *ref, const StreamRef *wanted, unsigned depth = 0) {
  return ref == wanted || (depth < 64 && llvm::any_of(
                                             ref->same,
                                             [&](const StreamRef *other) {
                                               return comesFrom(other, wanted, depth + 1);
                                             }));
}

/// The port among `visible` that carries what `wanted` carries, or else the
/// first one that `fits`.
static std::optional<unsigned> matchingPort(const PortView &wanted, llvm::ArrayRef<PortView> ports,
                                            llvm::ArrayRef<unsigned> visible,
                                            llvm::function_ref<bool(Type)> fits) {
  for (unsigned i : visible)
    for (const StreamRef *mine : ports[i].streams)
      for (const StreamRef *theirs : wanted.streams)
        if (fits(ports[i].type) && comesFrom(mine, theirs))
          return i;
  for (unsigned i : visible)
    if (fits(ports[i].type))
      return i;
  return std::nullopt;
}

static std::optional<Entity> matchingAttribute(const PortView &wanted, StringRef name, Type type,
                                               llvm::ArrayRef<PortView> ports,
                                               llvm::ArrayRef<unsigned> visible) {
  auto port = matchingPort(wanted, ports, visible,
                           [&](Type tuple) { return tuple->attribute(name) == type; });
  if (!port)
    return std::nullopt;
  unsigned index = 0;
  ports[*port].type->attribute(name, &index);
  return attributeEntity(*port, index, ports[*port]);
}

/// The names of the invocation of `inst`, as the user of its formals sees them.
static void bindInvocation(Scope &bridge, const Instance &inst, llvm::ArrayRef<PortView> ports,
                           llvm::ArrayRef<unsigned> visible) {
  for (const PortView &wanted : inst.ports) {
    for (const auto &[name, type] : wanted.type->attributes)
      if (auto entity = matchingAttribute(wanted, name, type, ports, visible))
        enterAttribute(bridge, name, *entity);
    auto port =
        matchingPort(wanted, ports, visible, [&](Type tuple) { return tuple == wanted.type; });
    if (!port)
      continue;
    for (StringRef label : wanted.labels) {
      Entity entity;
      entity.kind = Entity::PortTuple;
      entity.port = *port;
      entity.type = wanted.type;
      entity.range = wanted.range;
      bridge.values.try_emplace(label, entity);
    }
  }
}

void Scopes::bindFormals(Scope &scope, Instance &inst, llvm::ArrayRef<PortView> ports,
                         llvm::ArrayRef<unsigned> visible) {
  Scope *written = nullptr; // where actuals are checked
  for (const Binding &binding : inst.bindings) {
    if (binding.formal->mode != ast::FormalMode::Expression &&
        binding.formal->mode != ast::FormalMode::Attribute)
      continue;
    Entity entity;
    if (binding.attributeType) {
      if (auto found = matchingAttribute(*binding.port, binding.attribute, binding.attributeType,
                                         ports, visible))
        entity = *found;
      else
        continue;
    } else {
      if (!binding.isDefault && !written) {
        written = &newScope(inst.parent->scope, &scope.where());
        written->variables = &scope.variableOwner();
        written->operatorName = scope.operatorName;
        written->isReplicated = scope.isReplicated;
        enterAliases(*written, inst.ports);
        bindInvocation(*written, inst, ports, visible);
        bindFormals(*written, *inst.parent, ports, visible);
      }
      Scope *at = written;
      if (binding.isDefault) {
        at = &newScope(inst.scope, &scope.where());
        at->variables = &scope.variableOwner();
      }
      entity.kind = Entity::Actual;
      entity.actual = binding.actual;
      entity.actualScope = at;
      entity.declared = binding.declared;
    }
    entity.range = binding.formal->name.range;
    scope.values[binding.formal->name.text] = entity;
  }
}

StringRef sema::attributeName(const Instance &inst, StringRef name) {
  for (const Binding &binding : inst.bindings)
    if (binding.formal->name.text == name && binding.attributeType)
      return binding.attribute;
  return name;
}

const Entity *sema::findEntity(Scope &scope, StringRef name) {
  for (Scope *s = &scope; s; s = s->parent)
    if (auto found = s->values.find(name); found != s->values.end())
      return &found->second;
  return nullptr;
}

std::vector<const ast::Expr *> sema::expandActual(const ast::Actual &actual, Scope *&scope) {
  const ast::Actual *current = &actual;
  while (current->values.size() == 1) {
    const ast::NameExpr *name = plainName(current->values.front());
    const Entity *entity =
        name && name->path.parts.empty() ? findEntity(*scope, name->name.text) : nullptr;
    if (!entity || entity->kind != Entity::Actual || !entity->actual)
      break;
    current = entity->actual;
    scope = entity->actualScope;
  }
  return {current->values.begin(), current->values.end()};
}
