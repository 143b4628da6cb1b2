//===- GraphSema.cpp - instances of composites and their streams ------------===//
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/Formals.h"
#include "frontend/sema/graph/GraphChecks.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void GraphSema::run(const OperatorDef &main) {
  typed::Program &program = *sema.program;
  program.mainName = main.qualified();
  Instance &inst = newInstance(main, program.main, nullptr);
  inst.typed->definition = main.qualified();
  inst.typed->range = main.range();
  if (checkDefinition(main.composite) && Formals(*this, inst).bindAll()) {
    inst.threading = threadingInside(*this, inst, {});
    checkBody(inst);
  }
  checkPlacements(*this);
  resolveConnections();
  checkPunctuation(*this);
  checkExports(*this);
  spreadEventTime(*this);
  findConsistentRegions(*this);
  checkFiles(*this);
  warnUnread();
}

/// Whether `composite` has no ports and an operator of the file gives it some.
static bool lacksPorts(const ast::Unit &unit, const ast::Composite &composite) {
  if (!composite.inputs.empty() || !composite.outputs.empty())
    return false;
  for (const ast::Composite *other : unit.composites)
    for (const ast::Invocation *invocation : other->graph)
      if (invocation->op.text == composite.name.text &&
          !(invocation->inputs.empty() && invocation->outputs.empty()))
        return true;
  return false;
}

void GraphSema::checkOthers(const ast::Unit *unit) {
  // Where ports are missing, the operator that gives them tells so.
  std::vector<ast::Composite *> composites = unit->composites;
  std::stable_partition(composites.begin(), composites.end(),
                        [&](const ast::Composite *each) { return !lacksPorts(*unit, *each); });
  for (const ast::Composite *composite : composites) {
    OperatorDef def = {composite, nullptr, unit, unit->ns.str()};
    if (checkedDefinitions.contains(composite) || !checkDefinition(composite))
      continue;
    Instance &inst = newInstance(def, others.emplace_back(), nullptr);
    if (Formals(*this, inst).bindAll())
      checkBody(inst);
  }
}

Instance &GraphSema::newInstance(const OperatorDef &def, typed::Composite &typed,
                                 Instance *parent) {
  Instance &inst = instances.emplace_back();
  inst.def = def;
  inst.typed = &typed;
  inst.parent = parent;
  Scope &file = scopes.newScope(nullptr);
  file.unit = def.unit;
  inst.scope = &scopes.newScope(&file, &scopes.newPlace(Place::Constant));
  inst.scope->composite = &typed;
  inst.scope->variables = &noVariables;
  inst.scope->lateType = [this, &inst](StringRef name) -> Type {
    auto found = inst.streams.find(name);
    return found == inst.streams.end() ? nullptr : typeForReaders(inst, *found->second);
  };
  inst.scope->hasStream = [&inst](StringRef name) { return inst.streams.contains(name); };
  inst.scope->offerLateTypes = [&inst](NearNames &near) { near.offerKeys(inst.streams); };
  return inst;
}

void GraphSema::checkBody(Instance &inst) {
  expanding.push_back(&inst);
  const ast::Composite *def = inst.def.composite;
  for (const ast::TypeAlias &alias : def->types)
    inst.scope->aliases[alias.name.text] = &alias;
  declareStreams(inst);
  for (const ast::TypeAlias &alias : def->types)
    sema.findType(alias.name.text, *inst.scope);
  checkTypesOfStreams(inst);
  checkCompositeConfig(inst);
  for (const ast::Invocation *invocation : def->graph)
    checkInvocation(inst, *invocation);
  expanding.pop_back();
}

/// In the order of the text, so that errors are reported in that order.
void GraphSema::checkTypesOfStreams(Instance &inst) {
  for (const ast::Invocation *invocation : inst.def.composite->graph)
    for (const ast::OutPort &port : invocation->outputs) {
      StreamRef &ref = *inst.streams.lookup(port.stream.text);
      streamType(inst, ref);
      if (!ref.isMadeBy(port))
        sema.checkType(port.type, headScope(inst, invocation));
    }
}

void GraphSema::declareStreams(Instance &inst) {
  for (auto [index, port] : llvm::enumerate(inst.def.composite->inputs)) {
    StreamRef &ref = refs.emplace_back();
    ref.name = port.name.text.str();
    ref.range = port.name.range;
    ref.type = types.get(SplType::Error);
    if (index < inst.ports.size()) {
      ref.type = inst.ports[index].type;
      ref.same = inst.ports[index].streams;
      if (index < inst.splits.size())
        ref.split = inst.splits[index];
    } else if (port.type) { // the composite is checked on its own
      ref.typeNode = port.type;
      ref.type = nullptr;
    }
    inst.streams[ref.name] = &ref;
  }
  for (const ast::Invocation *invocation : inst.def.composite->graph) {
    for (const ast::OutPort &port : invocation->outputs) {
      auto [slot, isNew] = inst.streams.try_emplace(port.stream.text, nullptr);
      if (!isNew) {
        auto isInput = [&](const ast::PortDecl &input) { return input.name.text == slot->first(); };
        bool isPort = llvm::any_of(inst.def.composite->inputs, isInput);
        llvm::SmallVector<Suspicion, 1> suspicions;
        if (isPort) // `input In, Out`: one word is missing for all of them
          suspicions.push_back({Doubt::MakesInput, Subject::of(inst.def.composite)});
        auto error = sema.suspicions.report(suspicions, port.stream.range, Diag::err_stream_twice,
                                            port.stream.text);
        diags.note(error, slot->second->range,
                   isPort ? Diag::note_made_input : Diag::note_previous_here);
        const ast::TypeNode *first = slot->second->typeNode;
        if (!first || diags.text(first->range) != diags.text(port.type->range))
          sema.suspicions.doubt(Doubt::DefinedTwice, Subject::of(slot->second));
        continue;
      }
      StreamRef &ref = refs.emplace_back();
      ref.name = port.stream.text.str();
      ref.range = port.stream.range;
      ref.typeNode = port.type;
      ref.maker = invocation;
      slot->second = &ref;
      if (inst.scope->aliases.contains(port.stream.text))
        diags.report(port.stream.range, Diag::err_name_clash, port.stream.text,
                     "a type of this composite");
    }
  }
  for (const ast::Invocation *invocation : inst.def.composite->graph)
    if (!invocation->alias.text.empty())
      declareName(inst, invocation->alias, *invocation);
}

/// `as Name`: no other instance or stream of the composite is called so.
void GraphSema::declareName(Instance &inst, const ast::Ident &alias,
                            const ast::Invocation &invocation) {
  auto [slot, isNew] = inst.names.try_emplace(alias.text, alias.range);
  if (!isNew) {
    auto error = diags.report(alias.range, Diag::err_name_clash, alias.text, "another operator");
    diags.note(error, slot->second, Diag::note_previous_here);
    return;
  }
  bool own = llvm::any_of(invocation.outputs,
                          [&](const ast::OutPort &port) { return port.stream.text == alias.text; });
  if (StreamRef *stream = own ? nullptr : inst.streams.lookup(alias.text)) {
    auto error = diags.report(alias.range, Diag::err_name_clash, alias.text, "a stream");
    diags.note(error, stream->range, Diag::note_previous_here);
  }
}

/// What types are called in the head of an invocation: an alias of an input port is the type of its
/// tuples.
Scope &GraphSema::headScope(Instance &inst, const ast::Invocation *invocation) {
  auto hasAlias = [](const ast::InPort &port) { return !port.alias.text.empty(); };
  if (!invocation || llvm::none_of(invocation->inputs, hasAlias))
    return *inst.scope;
  Scope &scope = scopes.newScope(inst.scope);
  scope.lateType = [this, &inst, invocation](StringRef name) -> Type {
    for (const ast::InPort &port : invocation->inputs)
      if (port.alias.text == name && !port.streams.empty())
        if (StreamRef *stream = inst.streams.lookup(port.streams.front().text))
          return typeForReaders(inst, *stream);
    return nullptr;
  };
  scope.offerLateTypes = [invocation](NearNames &near) {
    for (const ast::InPort &port : invocation->inputs)
      near.offer(port.alias.text);
  };
  return scope;
}

/// `stream<Reading Reading>`
static bool isNamedAsType(const ast::TypeNode &tuple) {
  if (tuple.attributes.size() != 1)
    return false;
  const ast::Attribute &only = tuple.attributes.front();
  return only.type->kind == ast::TypeKind::Named && only.type->name.text == only.name.text;
}

Type GraphSema::streamType(Instance &inst, StreamRef &ref) {
  if (ref.type)
    return ref.type;
  if (ref.resolving) {
    diags.report(ref.typeNode->range, Diag::err_stream_type_cycle, ref.name);
    return ref.type = types.get(SplType::Error);
  }
  ref.resolving = true;
  if (isNamedAsType(*ref.typeNode))
    diags.report(ref.typeNode->range, Diag::warn_stream_of_tuples,
                 ref.typeNode->attributes.front().name.text);
  Type type = sema.checkType(ref.typeNode, headScope(inst, ref.maker));
  if (!ref.type)
    ref.type = type;
  return ref.type;
}

Type GraphSema::typeForReaders(Instance &inst, StreamRef &ref) {
  Type type = streamType(inst, ref);
  bool isTwice = sema.suspicions.isInDoubt(Doubt::DefinedTwice, Subject::of(&ref));
  return isTwice ? types.get(SplType::Error) : type;
}

//===--- connections --------------------------------------------------------===//

/// Gives every input port the streams of the operators that feed it, through any number of
/// composites.
void GraphSema::connectLater(typed::Operator &op, unsigned port, std::vector<StreamRef *> streams,
                             const std::vector<typed::Split> &splits) {
  connections.push_back({&op, port, std::move(streams), {}});
  if (!splits.empty())
    connections.back().path.push_back(splits[port]);
}

void GraphSema::resolveConnections() {
  for (Connection &connection : connections)
    for (StreamRef *ref : connection.streams) {
      llvm::SmallPtrSet<StreamRef *, 4> seen;
      if (!producers(ref, connection, seen))
        diags.report(ref->range, Diag::err_stream_without_producer, ref->name);
    }
}

bool GraphSema::producers(StreamRef *ref, Connection &to,
                          llvm::SmallPtrSetImpl<StreamRef *> &seen) {
  if (!seen.insert(ref).second)
    return false; // a composite that passes its own output through
  const std::vector<typed::Region> &regions = sema.program->regions;
  bool enters = false; // false where the stream only passes through the region
  for (int region = to.op->region; ref->split && region >= 0; region = regions[region].parent)
    enters |= unsigned(region) == ref->split->region;
  if (enters)
    to.path.push_back(*ref->split);
  if (ref->stream) {
    typed::InputPort &port = to.op->inputs[to.port];
    port.streams.push_back(ref->stream);
    port.splits.emplace_back(to.path.rbegin(), to.path.rend());
  }
  bool any = ref->stream || diags.errors();
  for (StreamRef *other : ref->same)
    any |= producers(other, to, seen);
  if (enters)
    to.path.pop_back();
  return any;
}

//===--- small things -------------------------------------------------------===//

std::string GraphSema::instanceName(const ast::Invocation &invocation) const {
  StringRef name = invocation.alias.text;
  if (name.empty() && !invocation.outputs.empty())
    name = invocation.outputs.front().stream.text;
  std::string prefix = expanding.empty() ? "" : expanding.back()->typed->path;
  return prefix.empty() ? name.str() : prefix + "." + name.str();
}

void sema::checkClauseOrder(Diagnostics &diags, llvm::ArrayRef<ast::ClauseMark> clauses,
                            llvm::ArrayRef<StringRef> order) {
  const ast::ClauseMark *last = nullptr;
  llvm::StringMap<Range> seen;
  for (const ast::ClauseMark &clause : clauses) {
    auto [slot, isNew] = seen.try_emplace(clause.name, clause.range);
    if (!isNew) {
      auto error = diags.report(clause.range, Diag::err_clause_twice, clause.name);
      diags.note(error, slot->second, Diag::note_previous_here);
      continue;
    }
    if (last && llvm::find(order, clause.name) < llvm::find(order, last->name))
      diags.report(clause.range, Diag::err_clause_order, clause.name, last->name);
    else
      last = &clause;
  }
}

const ast::NameExpr *sema::plainName(const ast::Expr *e) {
  while (auto *paren = llvm::dyn_cast<ast::ParenExpr>(e))
    e = paren->inner;
  return llvm::dyn_cast<ast::NameExpr>(e);
}
