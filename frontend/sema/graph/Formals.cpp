//===- Formals.cpp - what the parameters of an instance stand for ----------===//
#include "frontend/sema/graph/Formals.h"
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/graph/GraphChecks.h"

using namespace sluice;
using namespace sluice::sema;
using ast::FormalMode;
using llvm::StringRef;

static StringRef spelling(FormalMode mode) {
  static const char *const names[] = {"attribute", "expression", "function", "operator", "type"};
  return names[unsigned(mode)];
}

/// The parameters of an invocation by name, without `$`. Reports those that the composite lacks.
static llvm::StringMap<const ast::ParamItem *> givenParams(Diagnostics &diags,
                                                           const ast::Composite *def,
                                                           llvm::ArrayRef<ast::ParamItem> params,
                                                           bool &anyUnknown) {
  llvm::StringMap<const ast::ParamItem *> given;
  for (const ast::ParamItem &item : params) {
    auto [slot, isNew] = given.try_emplace(item.name.text, &item);
    bool known = llvm::any_of(def->formals, [&](const ast::Formal &f) {
      return f.name.text.substr(1) == item.name.text;
    });
    if (!isNew) {
      auto error = diags.report(item.name.range, Diag::err_param_twice, item.name.text);
      diags.note(error, slot->second->name.range, Diag::note_previous_here);
    } else if (!known) {
      anyUnknown = true;
      auto error =
          diags.report(item.name.range, Diag::err_unknown_param, item.name.text, def->name.text);
      NearNames near(item.name.text);
      llvm::SmallVector<StringRef> names;
      for (const ast::Formal &formal : def->formals)
        names.push_back(formal.name.text.drop_front());
      near.offerAll(names);
      if (!diags.noteNear(error, item.name.range, near) && !names.empty())
        diags.note(error, item.name.range, Diag::note_parameters,
                   "`" + llvm::join(names, "`, `") + "`");
      diags.note(error, def->name.range, Diag::note_defined_here, def->name.text);
    }
  }
  return given;
}

void Formals::matchFormals() {
  const ast::Composite *def = inst.def.composite;
  llvm::ArrayRef<ast::ParamItem> params;
  if (inst.at)
    params = inst.at->params;
  bool anyUnknown = false;
  llvm::StringMap<const ast::ParamItem *> given = givenParams(diags, def, params, anyUnknown);
  for (const ast::Formal &formal : def->formals) {
    Binding binding;
    binding.formal = &formal;
    const ast::ParamItem *item = given.lookup(formal.name.text.substr(1));
    binding.isDefault = !item;
    binding.actual = item ? &item->value : formal.hasDefault ? &formal.value : nullptr;
    if (binding.actual)
      inst.bindings.push_back(binding);
    else if (!inst.at)
      bindUnknown(formal);
    else if (!anyUnknown) // it may be the missing one
      diags.report(inst.at->op.range, Diag::err_missing_param, formal.name.text.substr(1),
                   def->name.text);
  }
}

/// The composite is checked on its own: nothing is known of what the formal stands for.
void Formals::bindUnknown(const ast::Formal &formal) {
  StringRef name = formal.name.text;
  switch (formal.mode) {
  case FormalMode::Type:
    inst.scope->types[name] = types.get(SplType::Error);
    return;
  case FormalMode::Function:
    inst.scope->functions[name] = {};
    return;
  case FormalMode::Operator:
    inst.operators[name] = {};
    return;
  case FormalMode::Attribute:
  case FormalMode::Expression:
    if (formal.type)
      sema.checkType(formal.type, *inst.scope);
    Entity &entity = inst.scope->values[name];
    entity.kind = Entity::Unknown;
    entity.range = formal.name.range;
    return;
  }
  llvm_unreachable("unknown mode");
}

bool Formals::bindAll() {
  const ast::Composite *def = inst.def.composite;
  unsigned before = diags.errors();
  // Formals may be of static types. The other types may need the formals.
  for (const ast::TypeAlias &alias : def->types)
    if (alias.isStatic)
      inst.scope->aliases[alias.name.text] = &alias;
  matchFormals();
  // Types, functions and operators come first, because expression<$T> needs them.
  bool areNamed = true;
  for (Binding &binding : inst.bindings)
    areNamed &= bindName(binding);
  for (auto [declared, port] : llvm::zip(def->inputs, inst.ports)) {
    Type want = declared.type ? sema.checkType(declared.type, *inst.scope) : port.type;
    if (want != port.type && want->kind != SplType::Error) {
      auto error = diags.report(port.range, Diag::err_composite_input_type, declared.name.text,
                                def->name.text, want->str(), port.type->str());
      noteDifference(diags, error, port.range, port.type, want);
    }
  }
  for (Binding &binding : inst.bindings)
    bindValue(binding);
  if (!areNamed || diags.errors() != before)
    return false;
  graph.scopes.bindFormals(*inst.scope, inst, {}, {});
  return true;
}

bool Formals::wrongMode(const Binding &binding, StringRef what, const NearNames *near) {
  auto error = diags.report(binding.actual->range, Diag::err_formal_mode, binding.formal->name.text,
                            spelling(binding.formal->mode), what);
  const ast::Expr *given =
      binding.actual->values.size() == 1 ? binding.actual->values.front() : nullptr;
  auto *call = llvm::dyn_cast_or_null<ast::CallExpr>(given);
  if (given && given->kind == ast::ExprKind::String)
    diags.note(error, given->range, Diag::note_no_quotes, diags.text(given->range).trim("\"'"));
  else if (call && binding.formal->mode == FormalMode::Function)
    diags.note(error, given->range, Diag::note_did_you_mean, diags.text(call->callee->range));
  else if (near)
    diags.noteNear(error, binding.actual->range, *near);
  diags.note(error, binding.formal->name.range, Diag::note_defined_here, binding.formal->name.text);
  return false;
}

bool Formals::bindName(Binding &binding) {
  const ast::Actual &actual = *binding.actual;
  StringRef formal = binding.formal->name.text;
  Scope &scope = binding.isDefault ? *inst.scope : *inst.parent->scope;
  const ast::NameExpr *name =
      actual.values.size() == 1 ? plainName(actual.values.front()) : nullptr;
  switch (binding.formal->mode) {
  case FormalMode::Type: {
    if (!actual.type)
      return wrongMode(binding, "a type");
    Scope &names = graph.scopes.newScope(&scope);
    if (!binding.isDefault)
      graph.scopes.enterAliases(names, inst.ports);
    inst.scope->types[formal] = sema.checkType(actual.type, names);
    return true;
  }
  case FormalMode::Function: {
    if (!name)
      return wrongMode(binding, "the name of a function");
    auto outer = scope.functions.find(name->name.text);
    if (!binding.isDefault && outer != scope.functions.end()) {
      inst.scope->functions[formal] = outer->second;
      return true;
    }
    inst.scope->functions[formal] = {&actual, &scope};
    return sema.checkFunctionName(*name, scope);
  }
  case FormalMode::Operator: {
    if (!name)
      return wrongMode(binding, "the name of an operator");
    if (inst.parent && inst.parent->operators.contains(name->name.text)) {
      inst.operators[formal] = inst.parent->operators[name->name.text];
      return true;
    }
    auto def = graph.findOperator(scope.file(), name->path, name->name);
    if (def)
      inst.operators[formal] = *def;
    return def.has_value();
  }
  case FormalMode::Attribute:
  case FormalMode::Expression:
    return true;
  }
  llvm_unreachable("unknown mode");
}

bool Formals::bindValue(Binding &binding) {
  FormalMode mode = binding.formal->mode;
  if (mode != FormalMode::Expression && mode != FormalMode::Attribute)
    return true;
  if (binding.actual->values.empty())
    return wrongMode(binding, mode == FormalMode::Attribute ? "an attribute" : "an expression");
  if (mode == FormalMode::Attribute)
    return bindAttribute(binding);
  if (binding.formal->type)
    binding.declared = sema.checkType(binding.formal->type, *inst.scope);
  if (binding.declared && !binding.isDefault && !checkDefault(binding))
    return false;
  return checkActual(binding);
}

/// Checks a default that no instance uses, if it is a literal: it needs no more than its type.
bool Formals::checkDefault(const Binding &binding) {
  const ast::Formal &formal = *binding.formal;
  bool depends = diags.text(formal.type->range).contains('$'); // on the actuals
  if (!formal.hasDefault || formal.value.values.size() != 1 || depends ||
      !llvm::isa<ast::LiteralExpr>(formal.value.values.front()) ||
      !graph.checkedDefaults.insert(&formal).second)
    return true;
  return sema.checkExpr(
             formal.value.values.front(),
             graph.scopes.newScope(inst.scope, &graph.scopes.newPlace(Place::PerTupleParam)),
             binding.declared) != nullptr;
}

/// The output ports of the invocation of `inst`.
static std::vector<PortView> madePorts(Instance &inst,
                                       llvm::function_ref<Type(StreamRef &)> typeOf) {
  std::vector<PortView> result;
  for (const ast::OutPort &port : inst.at->outputs)
    if (StreamRef *stream = inst.parent->streams.lookup(port.stream.text)) {
      PortView &view = result.emplace_back();
      view.name = port.stream.text.str();
      view.labels = {port.stream.text, port.alias.text};
      view.streams = {stream};
      view.type = typeOf(*stream);
      view.range = port.stream.range;
    }
  return result;
}

/// Binds to the attribute of one of `ports`, if they have it; false if several do. `label`, unless
/// it is empty, says of which.
bool Formals::bindAttributeOf(Binding &binding, llvm::ArrayRef<PortView> ports, StringRef label,
                              StringRef attribute, NearNames &near) {
  for (const PortView &port : ports) {
    for (const SplType::Attribute &each : port.type->attributes)
      near.offer(each.first);
    Type type = port.type->attribute(attribute);
    if (!type || (!label.empty() && !llvm::is_contained(port.labels, label)))
      continue;
    if (binding.port) {
      diags.report(binding.actual->range, Diag::err_attribute_ambiguous, attribute);
      return false;
    }
    binding.attribute = attribute;
    binding.attributeType = type;
    binding.port = &port;
  }
  return true;
}

/// Binds to `a`, `In.a`, or an attribute formal of the enclosing composite. An attribute of an
/// attribute is an expression. What no input has may be of an output.
bool Formals::bindAttribute(Binding &binding) {
  const ast::Expr *e = binding.actual->values.front();
  auto *member = llvm::dyn_cast<ast::MemberExpr>(e);
  const ast::NameExpr *name = plainName(member ? member->base : e);
  if (!name && member)
    return checkActual(binding);
  if (!name || binding.isDefault)
    return wrongMode(binding, "an attribute");
  if (!member)
    for (const Binding &outer : inst.parent->bindings)
      if (outer.formal->name.text == name->name.text && outer.attributeType) {
        binding.attribute = outer.attribute;
        binding.attributeType = outer.attributeType;
        binding.port = outer.port;
        return true;
      }
  StringRef attribute = member ? member->name.text : name->name.text;
  if (inst.made.empty())
    inst.made = madePorts(
        inst, [&](StreamRef &stream) { return graph.typeForReaders(*inst.parent, stream); });
  NearNames near(attribute);
  for (llvm::ArrayRef<PortView> ports : {llvm::ArrayRef(inst.ports), llvm::ArrayRef(inst.made)}) {
    if (!bindAttributeOf(binding, ports, member ? name->name.text : "", attribute, near))
      return false;
    if (binding.port)
      return true;
  }
  auto isMisspelt = [&](const PortView &port) {
    return sema.suspicions.covers({{Doubt::Misspelt, Subject::called(attribute), {}, port.type}});
  };
  if (llvm::any_of(inst.ports, isMisspelt) || llvm::any_of(inst.made, isMisspelt))
    return false;
  return wrongMode(binding, "an attribute of one of its streams", &near);
}

/// Checks an actual where it is written, so that an error is not reported at each use.
bool Formals::checkActual(Binding &binding) {
  std::vector<unsigned> visible(llvm::seq<unsigned>(0, inst.ports.size()).begin(),
                                llvm::seq<unsigned>(0, inst.ports.size()).end());
  Place &place = graph.scopes.newPlace(Place::PerTupleParam);
  Scope *scope;
  if (binding.isDefault)
    scope = &graph.scopes.newScope(inst.scope, &place);
  else
    scope = &graph.scopes.placeScope(*inst.parent->scope, place, *inst.parent, inst.ports, visible);
  if (!binding.isDefault) {
    graph.scopes.enterAliases(*scope, inst.ports);
    graph.findAbsent(*inst.parent, *inst.at, inst.ports, *scope);
  }
  unsigned before = diags.errors();
  for (const ast::Expr *value : binding.actual->values) {
    // The use decides whether a bare name is a custom literal, and which type an empty
    // literal has.
    bool open =
        !binding.declared && (plainName(value) || llvm::isa<ast::ListExpr, ast::BraceExpr>(value));
    if (!open)
      sema.checkExpr(value, *scope, binding.declared);
  }
  return diags.errors() == before;
}
