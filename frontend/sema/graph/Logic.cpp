//===- Logic.cpp - logic clauses ---------------------===//
#include "frontend/sema/graph/OperatorCheck.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void OperatorCheck::logic() {
  for (const ast::LogicItem &item : invocation.logic)
    if (item.kind == ast::LogicKind::State)
      state(item);
  stateConflicts();
  for (const ast::LogicItem &item : invocation.logic) {
    if (item.kind == ast::LogicKind::OnProcess)
      onProcess(item);
    else if (item.kind != ast::LogicKind::State)
      handler(item);
  }
}

void OperatorCheck::state(const ast::LogicItem &item) {
  for (const ast::DeclStmt *decl : item.states)
    sema.checkState(decl, *scope, op.states, op.stateInits);
}

void OperatorCheck::stateConflicts() {
  for (const typed::Variable *variable : op.states)
    for (const PortView &port : ports)
      if (port.type->attribute(variable->name)) {
        auto error =
            diags.report(variable->range, Diag::err_state_is_attribute, variable->name, port.name);
        diags.note(error, port.range, Diag::note_input_port, port.name);
        break;
      }
}

Place &OperatorCheck::logicPlace() {
  Place &place = graph.newPlace(Place::Logic);
  place.maySubmit = model.handlers == Model::Handlers::Submit;
  place.outputs = &op.outputs;
  return place;
}

void OperatorCheck::handler(const ast::LogicItem &item) {
  int port = inputPort(item.label);
  if (port < 0)
    return;
  typed::InputPort &input = op.inputs[port];
  bool onTuple = item.kind == ast::LogicKind::OnTuple;
  typed::StmtPtr &slot = onTuple ? input.onTuple : input.onPunct;
  if (slot) {
    auto error = diags.report(item.label.range, Diag::err_logic_twice,
                              onTuple ? "onTuple" : "onPunct", item.label.text);
    diags.note(error, slot->range, Diag::note_previous_here);
    return;
  }
  Place &place = logicPlace();
  place.inOnPunct = !onTuple;
  place.mutableTuple = onTuple && model.input(port).isMutable;
  place.tupleWritten = &input.mutatesTuple;
  std::vector<unsigned> visible;
  if (onTuple)
    visible.push_back(port);
  Scope &inner = graph.placeScope(*scope, place, inst, ports, visible);
  enterOutputs(inner);
  slot = sema.checkStmt(item.body, inner);
}

void OperatorCheck::onProcess(const ast::LogicItem &item) {
  if (!ports.empty() || model.handlers != Model::Handlers::Submit) {
    diags.report(item.range, Diag::err_on_process);
    return;
  }
  if (op.onProcess) {
    auto error = diags.report(item.range, Diag::err_logic_twice, "onProcess", "this operator");
    diags.note(error, op.onProcess->range, Diag::note_previous_here);
    return;
  }
  Scope &inner = graph.placeScope(*scope, logicPlace(), inst, ports, {});
  enterOutputs(inner);
  op.onProcess = sema.checkStmt(item.body, inner);
}
