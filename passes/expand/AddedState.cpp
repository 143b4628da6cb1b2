//===- AddedState.cpp - state variables that expansions add ---------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

AddedState::AddedState(OperatorOp op, StringRef name, const llvm::Twine &what, mlir::Type type)
    : index(std::distance(op.getBody().getOps<StateOp>().begin(),
                          op.getBody().getOps<StateOp>().end())) {
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  state = StateOp::create(builder, op.getLoc(), ("$" + name).str(), type);
  state.setWhat(what.str());
}

Value AddedState::place(HandlerBuilder &code) const {
  StateOp item = state;
  mlir::Type type = spl::RefType::get(item.getContext(), item.getType());
  return spl::StateOp::create(code.ops(), code.loc(), type, item.getName(), index);
}

/// Whether the body is a literal and nothing else.
static bool isConstant(Region &body) {
  Operation &first = body.front().front();
  return isa<spl::ConstOp>(first) && first.getNextNode() == &body.front().back();
}

StartValue::StartValue(OperatorOp op, StringRef name, mlir::Type type)
    : param(*op.param(name)), type(type) {
  if (isConstant(param))
    return;
  state.emplace(op, name, "the parameter `" + name + "`", type);
  HandlerBuilder code(param.getLoc(), state->init(), {});
  Value value = code.cast(code.inlineBody(param, {}).front(), type);
  YieldOp::create(code.ops(), code.loc(), value);
}

Value StartValue::in(HandlerBuilder &code) const {
  return state ? code.load(state->place(code))
               : code.cast(code.inlineBody(param, {}).front(), type);
}
