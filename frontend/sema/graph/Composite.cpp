//===- Composite.cpp - invocations of composites --------------------------===//
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/graph/Formals.h"
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

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
  child.ownRecovery = annotations.config;
  child.recovery = recoveryInside(inst.recovery, annotations);
  child.placement = placement.value_or(inst.placement);
  child.ownPlacement = placement.has_value();
  if (!Formals(*this, child).bindAll())
    return;
  child.threading = annotations.ownThreading ? annotations.threading
                                             : threadingInside(*this, child, annotations.threading);
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
