//===- Composite.cpp - formals, actuals, expansion ----------------------===//
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using ast::FormalMode;
using llvm::StringRef;

static StringRef spelling(FormalMode mode) {
  static const char *const names[] = {"attribute", "expression", "function", "operator", "type"};
  return names[unsigned(mode)];
}

//===--- expansion ----------------------------------------------------------===//

void GraphSema::expandComposite(Instance &inst, const ast::Invocation &invocation,
                                const OperatorDef &def, std::vector<PortView> ports,
                                const Annotations &annotations,
                                const std::optional<typed::Placement> &placement) {
  if (!checkInstantiation(inst, invocation, def, ports) || !checkDefinition(def.composite))
    return;
  typed::Composite &typed = inst.typed->composites.emplace_back();
  typed.path = instanceName(invocation);
  typed.definition = def.qualified();
  typed.range = invocation.range;
  Instance &child = newInstance(def, typed, &inst);
  child.at = &invocation;
  child.ports = std::move(ports);
  child.isCatch = annotations.isCatch;
  child.region = annotations.region;
  child.splits = annotations.splits;
  child.placement = placement.value_or(inst.placement);
  child.ownPlacement = placement.has_value();
  if (!bindAll(child))
    return;
  child.threading = annotations.ownThreading ? annotations.threading
                                             : threadingInside(child, annotations.threading);
  if (checkInstance(child))
    connectOutputs(child, invocation);
}

bool GraphSema::checkInstantiation(Instance &inst, const ast::Invocation &invocation,
                                   const OperatorDef &def, llvm::ArrayRef<PortView> ports) {
  const ast::Composite *composite = def.composite;
  StringRef name = composite->name.text;
  unsigned before = diags.errors();
  for (const ast::ClauseMark &clause : invocation.clauses)
    if (clause.name != "param" && clause.name != "config")
      diags.report(clause.range, Diag::err_composite_clause, clause.name, name);
  for (Instance *outer = &inst; outer; outer = outer->parent)
    if (outer->def.composite == composite) {
      diags.report(invocation.op.range, Diag::err_composite_recursion, name);
      return false;
    }
  checkPortCounts(invocation, *composite, ports.size());
  return diags.errors() == before;
}

/// The same difference at several invocations has one cause, in the composite: it is reported
/// twice.
void GraphSema::checkPortCounts(const ast::Invocation &invocation, const ast::Composite &composite,
                                size_t inputs) {
  StringRef name = composite.name.text;
  size_t outputs = invocation.outputs.size();
  Subject counts{.object = &composite, .counts = {inputs, outputs}};
  bool hasNone = composite.inputs.empty() && composite.outputs.empty();
  if (hasNone && inputs + outputs > 0) {
    checkedDefinitions[&composite] = false; // in it the ports are unknown
    auto error = sema.suspicions.report({{Doubt::NoPorts, counts}}, invocation.op.range,
                                        Diag::err_no_ports, name);
    diags.note(error, composite.name.range, Diag::note_defined_here, name);
    return;
  }
  bool wrongInputs = composite.inputs.size() != inputs;
  bool wrongOutputs = composite.outputs.size() != outputs;
  bool isBoth = wrongInputs && wrongOutputs; // `input In, Out` lacks the word `output`
  Doubt doubt = isBoth ? Doubt::PortCounts : Doubt::PortCount;
  auto check = [&](StringRef what, size_t expected, size_t got) {
    if (expected == got)
      return;
    auto error =
        sema.suspicions.report({{doubt, counts}}, invocation.op.range, Diag::err_port_count, name,
                               expected, what, expected == 1 ? "" : "s", got);
    diags.note(error, composite.name.range, Diag::note_defined_here, name);
  };
  check("input port", composite.inputs.size(), inputs);
  if (!isBoth)
    check("output port", composite.outputs.size(), outputs);
}

/// What a composite declares of an output port holds for its stream. Reported once.
void GraphSema::checkOutputType(Instance &inst, const ast::PortDecl &port,
                                const StreamRef &stream) {
  if (!port.type)
    return;
  Type want = sema.checkType(port.type, *inst.scope);
  bool isKnown = want->kind != SplType::Error && stream.type->kind != SplType::Error;
  if (!isKnown || want == stream.type)
    return;
  auto error = sema.suspicions.report(
      {{Doubt::OutputType, Subject::of(&port)}}, port.type->range, Diag::err_output_port_type,
      port.name.text, inst.def.composite->name.text, want->str(), stream.type->str());
  noteDifference(diags, error, port.type->range, stream.type, want);
  diags.note(error, stream.range, Diag::note_defined_here, stream.name);
}

void GraphSema::connectOutputs(Instance &inst, const ast::Invocation &invocation) {
  for (auto [declared, port] : llvm::zip(inst.def.composite->outputs, invocation.outputs)) {
    StreamRef *inner = inst.streams.lookup(declared.name.text);
    StreamRef *outer = inst.parent->streams.lookup(port.stream.text);
    if (!inner || !outer || !outer->isMadeBy(port)) // a second stream of that name: reported
      continue;
    outer->same.push_back(inner);
    checkOutputType(inst, declared, *inner);
    bool bad = inner->type->kind == SplType::Error || outer->type->kind == SplType::Error;
    if (bad || inner->type == outer->type)
      continue;
    auto error = diags.report(port.type->range, Diag::err_composite_output_type, outer->name,
                              outer->type->str(), declared.name.text, inst.def.composite->name.text,
                              inner->type->str());
    noteDifference(diags, error, port.type->range, outer->type, inner->type);
    diags.note(error, inner->range, Diag::note_defined_here, inner->name);
    outer->type = types.get(SplType::Error); // which of both is meant is not known
  }
}

//===--- binding ------------------------------------------------------------===//

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

void GraphSema::matchFormals(Instance &inst) {
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
      bindUnknown(inst, formal);
    else if (!anyUnknown) // it may be the missing one
      diags.report(inst.at->op.range, Diag::err_missing_param, formal.name.text.substr(1),
                   def->name.text);
  }
}

/// The composite is checked on its own: nothing is known of what the formal stands for.
void GraphSema::bindUnknown(Instance &inst, const ast::Formal &formal) {
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

bool GraphSema::bindAll(Instance &inst) {
  const ast::Composite *def = inst.def.composite;
  unsigned before = diags.errors();
  // Formals may be of static types. The other types may need the formals.
  for (const ast::TypeAlias &alias : def->types)
    if (alias.isStatic)
      inst.scope->aliases[alias.name.text] = &alias;
  matchFormals(inst);
  // Types, functions and operators come first, because expression<$T> needs them.
  bool areNamed = true;
  for (Binding &binding : inst.bindings)
    areNamed &= bindName(inst, binding);
  for (auto [declared, port] : llvm::zip(def->inputs, inst.ports)) {
    Type want = declared.type ? sema.checkType(declared.type, *inst.scope) : port.type;
    if (want != port.type && want->kind != SplType::Error) {
      auto error = diags.report(port.range, Diag::err_composite_input_type, declared.name.text,
                                def->name.text, want->str(), port.type->str());
      noteDifference(diags, error, port.range, port.type, want);
    }
  }
  for (Binding &binding : inst.bindings)
    bindValue(inst, binding);
  if (!areNamed || diags.errors() != before)
    return false;
  bindFormals(*inst.scope, inst, {}, {});
  return true;
}

bool GraphSema::wrongMode(const Binding &binding, StringRef what, const NearNames *near) {
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

bool GraphSema::bindName(Instance &inst, Binding &binding) {
  const ast::Actual &actual = *binding.actual;
  StringRef formal = binding.formal->name.text;
  Scope &scope = binding.isDefault ? *inst.scope : *inst.parent->scope;
  const ast::NameExpr *name =
      actual.values.size() == 1 ? plainName(actual.values.front()) : nullptr;
  switch (binding.formal->mode) {
  case FormalMode::Type: {
    if (!actual.type)
      return wrongMode(binding, "a type");
    Scope &names = newScope(&scope);
    if (!binding.isDefault)
      enterAliases(names, inst.ports);
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
    auto def = findOperator(scope.file(), name->path, name->name);
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

bool GraphSema::bindValue(Instance &inst, Binding &binding) {
  FormalMode mode = binding.formal->mode;
  if (mode != FormalMode::Expression && mode != FormalMode::Attribute)
    return true;
  if (binding.actual->values.empty())
    return wrongMode(binding, mode == FormalMode::Attribute ? "an attribute" : "an expression");
  if (mode == FormalMode::Attribute)
    return bindAttribute(inst, binding);
  if (binding.formal->type)
    binding.declared = sema.checkType(binding.formal->type, *inst.scope);
  if (binding.declared && !binding.isDefault && !checkDefault(inst, binding))
    return false;
  return checkActual(inst, binding);
}

/// Checks a default that no instance uses, if it is a literal: it needs no more than its type.
bool GraphSema::checkDefault(Instance &inst, const Binding &binding) {
  const ast::Formal &formal = *binding.formal;
  bool depends = diags.text(formal.type->range).contains('$'); // on the actuals
  if (!formal.hasDefault || formal.value.values.size() != 1 || depends ||
      !llvm::isa<ast::LiteralExpr>(formal.value.values.front()) ||
      !checkedDefaults.insert(&formal).second)
    return true;
  return sema.checkExpr(formal.value.values.front(),
                        newScope(inst.scope, &newPlace(Place::PerTupleParam)),
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
bool GraphSema::bindAttributeOf(Binding &binding, llvm::ArrayRef<PortView> ports, StringRef label,
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
bool GraphSema::bindAttribute(Instance &inst, Binding &binding) {
  const ast::Expr *e = binding.actual->values.front();
  auto *member = llvm::dyn_cast<ast::MemberExpr>(e);
  const ast::NameExpr *name = plainName(member ? member->base : e);
  if (!name && member)
    return checkActual(inst, binding);
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
    inst.made =
        madePorts(inst, [&](StreamRef &stream) { return typeForReaders(*inst.parent, stream); });
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
bool GraphSema::checkActual(Instance &inst, Binding &binding) {
  std::vector<unsigned> visible(llvm::seq<unsigned>(0, inst.ports.size()).begin(),
                                llvm::seq<unsigned>(0, inst.ports.size()).end());
  Place &place = newPlace(Place::PerTupleParam);
  Scope *scope;
  if (binding.isDefault)
    scope = &newScope(inst.scope, &place);
  else
    scope = &placeScope(*inst.parent->scope, place, *inst.parent, inst.ports, visible);
  if (!binding.isDefault) {
    enterAliases(*scope, inst.ports);
    findAbsent(*inst.parent, *inst.at, inst.ports, *scope);
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
