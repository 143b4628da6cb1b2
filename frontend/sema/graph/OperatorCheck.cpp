//===- OperatorCheck.cpp - invocations and their ports -----------------------===//
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/expr/hints/Foreign.h"
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/OperatorParts.h"
#include "frontend/sema/graph/program/Loops.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

//===--- any invocation -----------------------------------------------------===//

void GraphSema::checkInvocation(Instance &inst, const ast::Invocation &invocation) {
  checkClauseOrder(diags, invocation.clauses, {"logic", "window", "param", "output", "config"});
  std::optional<OperatorDef> def;
  if (invocation.op.text.starts_with("$")) {
    if (auto found = inst.operators.find(invocation.op.text); found != inst.operators.end())
      def = found->second;
    else
      diags.report(invocation.op.range, Diag::err_unknown_operator, invocation.op.text);
  } else {
    def = findOperator(inst.def.unit, invocation.path, invocation.op, &inst);
  }
  const typed::OperatorModel *operatorModel = def && def->model ? model(*def) : nullptr;
  size_t most = operatorModel           ? portCount(operatorModel->inputs).max
                : def && def->composite ? def->composite->inputs.size()
                                        : ~0u;
  std::vector<PortView> ports;
  bool portsValid = inputPorts(inst, invocation, invocation.inputs.size() < most, ports);
  if (!def)
    return;
  if (!*def) // a formal of mode operator without a value
    return diags.withhold();
  bool isComplete = operatorModel ? portCount(operatorModel->inputs).fits(ports.size())
                                  : ports.size() == def->composite->inputs.size();
  Annotations annotations = checkAnnotations(inst, invocation, def->composite, isComplete, ports);
  if (!portsValid)
    return;
  if (def->composite) {
    std::optional<typed::Placement> placement =
        checkConfig(inst, invocation, nullptr, ports, annotations.config);
    expandComposite(inst, invocation, *def, std::move(ports), annotations, placement);
    return;
  }
  if (const CppOperatorModel *cpp = modules.cppOperator(def->unit)) {
    if (!cpp->refusal.empty()) {
      diags.report(invocation.op.range, Diag::err_cpp_operator, def->qualified(), cpp->refusal);
      return;
    }
    sema.program->cppOperators.try_emplace(def->qualified(),
                                           typed::CppOperatorUse{cpp->code, invocation.op.range});
  }
  if (operatorModel->handlers == typed::OperatorModel::Handlers::None &&
      !invocation.logic.empty()) {
    auto error =
        diags.report(invocation.op.range, Diag::err_logic_not_allowed, operatorModel->qualified());
    diags.note(error, invocation.logic.front().range, Diag::note_clause_here);
  } else if (operatorModel->planned)
    diags.report(invocation.op.range, Diag::err_not_supported,
                 "operator `" + operatorModel->qualified() + "`");
  else if (!readsOnlyItself(diags, invocation) &&
           checkJobs(diags, invocation, *operatorModel, annotations, inst.region))
    expandPrimitive(inst, invocation, *operatorModel, std::move(ports), annotations);
}

std::optional<OperatorDef> GraphSema::findOperator(const ast::Unit *from, const ast::Path &path,
                                                   const ast::Ident &name, const Instance *inst) {
  std::string ns = path.str();
  std::vector<OperatorDef> all = modules.findOperators(from, ns, name.text), visible;
  for (const OperatorDef &def : all)
    if (def.isPublic() || def.ns == from->ns.str())
      visible.push_back(def);
  if (visible.empty()) {
    Range range =
        path.parts.empty() ? name.range : Range{name.range.file, path.range.begin, name.range.end};
    if (all.empty() && modules.isExplained(range, from, ns, name.text))
      return std::nullopt;
    auto error =
        diags.report(range, all.empty() ? Diag::err_unknown_operator : Diag::err_not_public,
                     path.parts.empty() ? name.text.str() : ns + "::" + name.text.str());
    for (const OperatorDef &def : all)
      diags.note(error, def.range(), Diag::note_defined_here, def.qualified());
    if (!all.empty())
      return std::nullopt;
    std::string formal = "$" + name.text.str();
    if (inst && path.parts.empty() && inst->operators.contains(formal))
      diags.note(error, range, Diag::note_did_you_mean, formal);
    else if (StringRef instead = modules.hints().find(HintKind::Operator, name.text);
             !instead.empty())
      diags.note(error, range, Diag::note_foreign, instead);
    else if (!modules.noteUnreadable(error, from, ns, name.text, /*isDeclared=*/true))
      modules.noteOperators(error, range, from, ns, name.text);
    return std::nullopt;
  }
  const OperatorDef &first = visible.front();
  std::vector<Range> definitions = {first.range()};
  for (const OperatorDef &def : visible)
    if (def.unit != first.unit && def.ns == first.ns)
      definitions.push_back(def.range());
  if (modules.reportSeveral(name.range, from, first.unit, first.ns, name.text, definitions))
    return std::nullopt;
  // Two definitions in one file were reported as a redefinition.
  if (visible.size() > 1 && visible[0].unit != visible[1].unit) {
    auto error = diags.report(name.range, Diag::err_operator_ambiguous, name.text);
    for (const OperatorDef &def : visible)
      diags.note(error, def.range(), Diag::note_defined_here, def.qualified());
    return std::nullopt;
  }
  if (ns.empty())
    modules.warnHiding(name.range, from, first.unit, Modules::Kind::Operator, name.text,
                       first.range());
  return first;
}

const typed::OperatorModel *GraphSema::model(const OperatorDef &def) {
  std::unique_ptr<const typed::OperatorModel> &slot = models[def.model];
  if (!slot)
    slot = readModel(sema, *def.model, def.unit, def.ns);
  return slot.get();
}

bool GraphSema::connect(Instance &inst, const ast::InPort &in, const ast::Ident &name,
                        bool mayHaveMore, PortView &port) {
  StreamRef *ref = inst.streams.lookup(name.text);
  if (!ref && isMisspeltWhereMade(*inst.def.composite, name.text)) {
    diags.withhold();
    return false;
  }
  if (!ref) {
    auto error = diags.report(name.range, Diag::err_unknown_stream, name.text);
    NearNames near(name.text);
    near.offerKeys(inst.streams);
    diags.noteNear(error, name.range, near);
    return false;
  }
  if (llvm::is_contained(port.streams, ref)) {
    auto error = diags.report(name.range, Diag::err_stream_twice_on_port, name.text);
    diags.note(error, name.range, Diag::note_port_separator, name.text, name.text + " as Other");
  }
  if (name.text == in.alias.text)
    diags.report(in.alias.range, Diag::err_alias_clash, name.text);
  else
    port.labels.push_back(name.text);
  Type type = typeForReaders(inst, *ref);
  bool isKnown = type->kind != SplType::Error && port.type->kind != SplType::Error;
  if (port.streams.empty())
    port.type = type;
  else if (type != port.type && isKnown) {
    auto error = diags.report(name.range, Diag::err_port_types_differ, name.text, type->str(),
                              port.streams.front()->name, port.type->str());
    noteDifference(diags, error, name.range, type, port.type);
    if (mayHaveMore)
      diags.note(error, name.range, Diag::note_port_separator, port.streams.front()->name,
                 name.text);
  }
  port.streams.push_back(ref);
  return true;
}

bool GraphSema::inputPorts(Instance &inst, const ast::Invocation &invocation, bool mayHaveMore,
                           std::vector<PortView> &ports) {
  unsigned before = diags.errors();
  bool known = true;
  for (const ast::InPort &in : invocation.inputs) {
    PortView &port = ports.emplace_back();
    port.type = types.get(SplType::Error);
    port.range = in.range;
    port.name = in.alias.text.empty() && !in.streams.empty() ? in.streams.front().text.str()
                                                             : in.alias.text.str();
    if (!in.alias.text.empty())
      port.labels.push_back(in.alias.text);
    for (const ast::Ident &name : in.streams)
      known &= connect(inst, in, name, mayHaveMore, port);
    if (in.type && port.type->kind != SplType::Error) {
      Type restated = sema.checkType(in.type, *inst.scope);
      if (restated != port.type && restated->kind != SplType::Error) {
        auto error = diags.report(in.type->range, Diag::err_restated_type, restated->str(),
                                  port.type->str());
        noteDifference(diags, error, in.type->range, restated, port.type);
      }
    }
    known &= port.type->kind != SplType::Error;
  }
  return known && diags.errors() == before;
}

void GraphSema::expandPrimitive(Instance &inst, const ast::Invocation &invocation,
                                const typed::OperatorModel &model, std::vector<PortView> ports,
                                const Annotations &annotations) {
  typed::Operator &op = inst.typed->operators.emplace_back();
  op.name = instanceName(invocation);
  op.kind = model.qualified();
  op.facts = model.facts;
  size_t known = model.inputs.empty() ? 0 : std::min<size_t>(invocation.inputs.size(), 32);
  for (size_t port = 0; port < known; ++port) // whether there may be so many is checked later
    op.facts.controlPorts |= uint32_t(model.input(unsigned(port)).isControl) << port;
  op.range = invocation.op.range;
  op.isCatch = annotations.isCatch;
  op.region = annotations.region;
  op.threading = annotations.threading;
  op.recovery = recoveryInside(inst.recovery, annotations);
  op.placement = checkConfig(inst, invocation, &op, ports, op.recovery).value_or(inst.placement);
  OperatorCheck(*this, inst, invocation, model, std::move(ports), annotations, op).run();
}

//===--- a primitive operator -----------------------------------------------===//

OperatorCheck::OperatorCheck(GraphSema &graph, Instance &inst, const ast::Invocation &invocation,
                             const Model &model, std::vector<PortView> ports,
                             const Annotations &annotations, typed::Operator &op)
    : graph(graph), sema(graph.sema), diags(graph.diags), types(graph.types), inst(inst),
      invocation(invocation), model(model), ports(std::move(ports)), annotations(annotations),
      op(op) {}

void OperatorCheck::run() {
  scope = &graph.scopes.newScope(inst.scope, &graph.scopes.newPlace(Place::StateInit));
  scope->variables = &op.variables;
  scope->operatorName = op.name;
  scope->isReplicated = op.region >= 0;
  graph.scopes.bindFormals(*scope, inst, {}, {});
  bool counted = portCounts();
  declareOutputs();
  // The clauses of an operator cannot be checked without its ports.
  bool typed = llvm::none_of(op.outputs, [](auto &port) {
    return !port.stream || port.stream->type->kind == SplType::Error;
  });
  if (!counted || !typed || isWrongOperator())
    return;
  graph.scopes.enterAliases(*scope, ports);
  for (const typed::OutputPort &port : op.outputs)
    scope->types[port.name] = port.stream->type;
  graph.findAbsent(inst, invocation, ports, *scope);
  unsigned before = diags.errors();
  if (annotations.eventTime)
    markEventTime(diags, op, *annotations.eventTime);
  LogicCheck(*this).logic();
  logicFailed = diags.errors() != before;
  windows();
  for (Doubt label : {Doubt::Label, Doubt::SharedLabel}) // nothing else can be said of its ports
    if (sema.suspicions.isInDoubt(label, Subject::of(&op)))
      return;
  unsigned beforeParams = diags.errors();
  ParamCheck(*this).params();
  followFile();
  OutputCheck(*this).outputs();
  if (diags.errors() == beforeParams)
    rules();
  if (model.facts.is(stream::OperatorTrait::native))
    nativeLimits();
  historyLimits();
  if (diags.errors() != before)
    return;
  for (auto &[range, what] : planned)
    diags.report(range, Diag::err_not_supported, what);
  sema.warnUnread(op);
  noteUnread();
  LogicCheck(*this).warnNothingSubmitted();
  LogicCheck(*this).warnWithoutLogic();
}

/// Who reads a file as it grows does not mind who writes it.
void OperatorCheck::followFile() {
  const typed::Parameter *param = op.param(model.followsFile);
  if (!param || param->values.empty())
    return;
  auto *follows = llvm::dyn_cast<typed::ConstExpr>(param->values.front().get());
  if (follows && follows->integer())
    op.facts.readsFile.clear();
}

/// Streams that are all that an operator is for, and that nothing in the composite reads.
void OperatorCheck::noteUnread() {
  bool hasEffects = portCount(model.outputs).min == 0 || !invocation.logic.empty();
  if (hasEffects)
    return;
  const ast::Composite &composite = *inst.def.composite;
  auto isRead = [&](const ast::OutPort &out) {
    auto isOut = [&](const ast::Ident &name) { return name.text == out.stream.text; };
    return llvm::any_of(composite.outputs, [&](auto &port) { return isOut(port.name); }) ||
           llvm::any_of(composite.graph, [&](const ast::Invocation *other) {
             return llvm::any_of(other->inputs, [&](const ast::InPort &in) {
               return llvm::any_of(in.streams, isOut);
             });
           });
  };
  if (llvm::none_of(invocation.outputs, isRead))
    graph.unread.insert(&invocation.outputs.front().stream);
}

void GraphSema::warnUnread() {
  if (diags.errors())
    return;
  for (const ast::Ident *stream : unread) {
    auto warning = diags.report(stream->range, Diag::warn_unread_stream, stream->text);
    diags.note(warning, stream->range, Diag::note_print_stream, stream->text,
               modules.hints().role("print"));
  }
  for (auto &[def, valid] : checkedDefinitions)
    warnUnreadFormals(*def);
}

static std::string countText(PortCount count) {
  if (count.max == ~0u)
    return llvm::formatv("at least {0}", count.min).str();
  return count.min == count.max ? llvm::formatv("{0}", count.min).str()
                                : llvm::formatv("{0} to {1}", count.min, count.max).str();
}

bool OperatorCheck::portCounts() {
  bool valid = true;
  auto check = [&](PortCount count, size_t got, StringRef what) {
    if (count.fits(got))
      return;
    auto error = diags.report(invocation.op.range, Diag::err_port_count, name(), countText(count),
                              what, count.max == 1 ? "" : "s", got);
    for (const ast::InPort &port : invocation.inputs) // `Join(A, B)`
      if (got == ports.size() && got < count.min && port.streams.size() > 1)
        diags.note(error, port.range, Diag::note_port_separator, port.streams[0].text,
                   port.streams[1].text);
    valid = false;
  };
  check(portCount(model.inputs), ports.size(), "input port");
  check(portCount(model.outputs), invocation.outputs.size(), "output port");
  return valid;
}

void OperatorCheck::declareOutputs() {
  op.inputs.resize(ports.size());
  for (auto [index, port, view] : llvm::enumerate(op.inputs, ports)) {
    port.name = view.name;
    port.type = view.type;
    port.range = view.range;
    if (!model.inputs.empty() && model.input(index).punct == Model::InputPunct::Expecting)
      port.needsPunct = view.range;
    graph.connectLater(op, index, view.streams, annotations.splits);
  }
  op.outputs.resize(invocation.outputs.size());
  for (auto [index, out] : llvm::enumerate(invocation.outputs)) {
    typed::OutputPort &port = op.outputs[index];
    port.name = (out.alias.text.empty() ? out.stream.text : out.alias.text).str();
    if (!model.outputs.empty())
      port.punct = model.output(index).punct;
    port.stream = nullptr;
    StreamRef *ref = inst.streams.lookup(out.stream.text);
    if (!ref || !ref->isMadeBy(out))
      continue; // a second stream of that name: reported
    typed::Stream &stream = inst.typed->streams.emplace_back();
    stream.name = inst.typed->path.empty() ? ref->name : inst.typed->path + "." + ref->name;
    stream.type = ref->type;
    stream.range = ref->range;
    ref->stream = port.stream = &stream;
  }
}

void OperatorCheck::enterOutputs(Scope &to) {
  for (auto [index, out] : llvm::enumerate(invocation.outputs))
    for (StringRef label : {out.stream.text, out.alias.text}) {
      Entity entity;
      entity.kind = Entity::OutPort;
      entity.port = index;
      entity.type = op.outputs[index].stream->type;
      entity.range = out.stream.range;
      // An attribute of that name stays visible. submit() finds the port in spite of it.
      if (!label.empty())
        to.values.try_emplace(label, entity);
    }
}

std::vector<unsigned> OperatorCheck::allPorts() const {
  auto indices = llvm::seq<unsigned>(0, ports.size());
  return {indices.begin(), indices.end()};
}

void sema::unknownInputPort(Diagnostics &diags, Range range, StringRef label,
                            llvm::ArrayRef<PortView> ports) {
  auto error = diags.report(range, Diag::err_unknown_input_port, label);
  NearNames near(label);
  for (const PortView &port : ports)
    near.offerAll(port.labels);
  if (diags.noteNear(error, range, near))
    return;
  for (const PortView &port : ports)
    diags.note(error, port.range, Diag::note_input_port, port.name);
}

int OperatorCheck::inputPort(const ast::Ident &label) {
  int result = -1;
  for (auto [index, port] : llvm::enumerate(ports)) {
    if (!llvm::is_contained(port.labels, label.text))
      continue;
    if (result >= 0) {
      sema.suspicions.report({{Doubt::SharedLabel, Subject::of(&op)}}, label.range,
                             Diag::err_port_label_ambiguous, label.text);
      return -1;
    }
    result = index;
  }
  bool isShared = sema.suspicions.isInDoubt(Doubt::SharedLabel, Subject::of(&op));
  if (result < 0 && !isShared && !isAbsent(label))
    unknownInputPort(diags, label.range, label.text, ports);
  return result;
}

int OperatorCheck::outputPort(const ast::Ident &label) {
  for (auto [index, port] : llvm::enumerate(invocation.outputs))
    if (port.stream.text == label.text || port.alias.text == label.text)
      return index;
  auto error = diags.report(label.range, Diag::err_unknown_output_port, label.text);
  NearNames near(label.text);
  for (const ast::OutPort &port : invocation.outputs)
    for (StringRef name : {port.stream.text, port.alias.text})
      near.offer(name);
  if (diags.noteNear(error, label.range, near))
    return -1;
  for (const ast::OutPort &port : invocation.outputs)
    diags.note(error, port.stream.range, Diag::note_output_port, port.stream.text);
  return -1;
}
