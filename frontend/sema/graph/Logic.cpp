//===- Logic.cpp - logic clauses ---------------------===//
#include "frontend/sema/graph/OperatorParts.h"
#include "frontend/sema/graph/program/Producers.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void sema::forSubmissions(const typed::Operator &op,
                          llvm::function_ref<void(const typed::SubmitExpr &)> f) {
  auto inspect = [&](const typed::StmtPtr &logic) {
    if (logic)
      anyExpr(*logic, [&](const typed::Expr &part) {
        if (auto *submit = llvm::dyn_cast<typed::SubmitExpr>(&part))
          f(*submit);
        return false;
      });
  };
  inspect(op.onProcess);
  for (const typed::InputPort &port : op.inputs) {
    inspect(port.onTuple);
    inspect(port.onPunct);
  }
}

/// `submit({a = ..., b = ...}, Out);`, where it stands in the logic of the operator.
static std::string exampleOfSubmit(const typed::Operator &op, const typed::OutputPort &out) {
  constexpr size_t most = 3;
  const auto &attributes = out.stream->type->attributes;
  std::string tuple;
  for (const auto &[name, type] : llvm::ArrayRef(attributes).take_front(most))
    tuple += (tuple.empty() ? "" : ", ") + name + " = ...";
  tuple = "{" + tuple + (attributes.size() > most ? ", ...}" : "}");
  const typed::InputPort *in = op.inputs.empty() ? nullptr : &op.inputs.front();
  bool passes = in && in->type == out.stream->type;
  return (in ? "onTuple " + in->name : std::string("onProcess")) + " : submit(" +
         (passes ? in->name : tuple) + ", " + out.name + ");";
}

/// An operator whose tuples all come from its logic, which has none for a stream.
void LogicCheck::warnNothingSubmitted() {
  bool isFormal = invocation.op.text.starts_with("$"); // other instances may have another operator
  if (isFormal || model.handlers != Model::Handlers::Submit)
    return;
  std::vector<bool> gets(op.outputs.size());
  forSubmissions(op, [&](const typed::SubmitExpr &submit) { gets[submit.port] = true; });
  for (auto [got, port, written] : llvm::zip(gets, op.outputs, invocation.outputs)) {
    if (got)
      continue;
    auto warning =
        diags.report(written.stream.range, Diag::warn_nothing_submitted, written.stream.text);
    diags.note(warning, written.stream.range, Diag::note_submit, exampleOfSubmit(op, port));
  }
}

/// An input port that the logic leaves out, though it has others: `Custom(A; B)` may be meant as
/// `Custom(A, B)`.
void LogicCheck::warnWithoutLogic() {
  auto hasLogic = [](const typed::InputPort &port) { return port.onTuple || port.onPunct; };
  bool isFormal = invocation.op.text.starts_with("$"); // other instances may have another operator
  if (isFormal || model.handlers != Model::Handlers::Submit || llvm::none_of(op.inputs, hasLogic))
    return;
  for (auto [port, view] : llvm::zip(op.inputs, ports)) {
    if (hasLogic(port))
      continue;
    auto warning = diags.report(port.range, Diag::warn_port_without_logic, port.name);
    bool mayJoin = llvm::any_of(llvm::zip(op.inputs, ports), [&](auto other) {
      auto &[otherPort, otherView] = other;
      return hasLogic(otherPort) && otherView.type == view.type &&
             otherView.streams != view.streams;
    });
    if (mayJoin)
      diags.note(warning, port.range, Diag::note_one_port);
  }
}

void LogicCheck::logic() {
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

void LogicCheck::state(const ast::LogicItem &item) {
  for (const ast::DeclStmt *decl : item.states)
    sema.checkState(decl, *scope, op.states, op.stateInits);
}

void LogicCheck::stateConflicts() {
  for (const typed::Variable *variable : op.states)
    for (const PortView &port : ports)
      if (port.type->attribute(variable->name)) {
        auto error =
            diags.report(variable->range, Diag::err_state_is_attribute, variable->name, port.name);
        diags.note(error, port.range, Diag::note_input_port, port.name);
        break;
      }
}

Place &LogicCheck::logicPlace() {
  Place &place = graph.scopes.newPlace(Place::Logic);
  place.maySubmit = model.handlers == Model::Handlers::Submit;
  place.outputs = &op.outputs;
  return place;
}

void LogicCheck::handler(const ast::LogicItem &item) {
  int port = check.inputPort(item.label);
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
  Scope &inner = graph.scopes.placeScope(*scope, place, inst, ports, visible);
  check.enterOutputs(inner);
  slot = sema.checkStmt(item.body, inner);
}

void LogicCheck::onProcess(const ast::LogicItem &item) {
  if (!ports.empty() || model.handlers != Model::Handlers::Submit) {
    diags.report(item.range, Diag::err_on_process);
    return;
  }
  if (op.onProcess) {
    auto error = diags.report(item.range, Diag::err_logic_twice, "onProcess", "this operator");
    diags.note(error, op.onProcess->range, Diag::note_previous_here);
    return;
  }
  Scope &inner = graph.scopes.placeScope(*scope, logicPlace(), inst, ports, {});
  check.enterOutputs(inner);
  op.onProcess = sema.checkStmt(item.body, inner);
}
