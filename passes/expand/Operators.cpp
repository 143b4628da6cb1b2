//===- Operators.cpp - operators become handlers --------------------===//
#include "ir/Kinds.h"
#include "passes/Passes.h"
#include "passes/expand/OperatorExpansion.h"
#include "sluice/enums.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMEXPANDOPERATORS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

HandlerBuilder sluice::beginOnTuple(OperatorOp target, OperatorOp logic, unsigned port) {
  Region *body = logic.onTuple(port);
  OpBuilder builder = OpBuilder::atBlockEnd(&target.getBody().front());
  auto handler = OnTupleOp::create(builder, target.getLoc(), port);
  HandlerBuilder result(target.getLoc(), handler.getBody(), {logic.inputTuple(port)});
  if (body)
    result.inlineBody(*body, result.argument(0));
  return result;
}

HandlerBuilder sluice::beginOnTuple(OperatorOp op, unsigned port) {
  return beginOnTuple(op, op, port);
}

void sluice::addOnPunct(OperatorOp target, OperatorOp logic, unsigned port, bool forward,
                        ExtraCode atWindow, ExtraCode atFinal) {
  Region *body = logic.onPunct(port);
  forward &= target.getNumResults() != 0;
  if (!body && !forward && !atWindow && !atFinal)
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(&target.getBody().front());
  auto handler = OnPunctOp::create(builder, target.getLoc(), port);
  auto type = body ? cast<spl::EnumType>(body->getArgument(0).getType())
                   : spl::markerType(target.getContext());
  HandlerBuilder code(target.getLoc(), handler.getBody(), {type});
  if (body)
    code.inlineBody(*body, code.argument(0));
  if (forward || atWindow || atFinal) {
    // Submitting the constant says that this is no Final.
    Value marker = code.constant(type, int64_t(PunctuationKind::Window));
    auto window = [&] {
      if (atWindow)
        atWindow(code);
      for (unsigned out = 0; forward && out < target.getNumResults(); ++out)
        SubmitPunctOp::create(code.ops(), target.getLoc(), out, marker);
    };
    auto final = [&] { atFinal(code); };
    Value isWindow = code.compare(spl::CompareKind::eq, code.argument(0), marker);
    if (atFinal)
      code.when(isWindow, window, final);
    else
      code.when(isWindow, window);
  }
  code.end();
}

void sluice::addOnPunct(OperatorOp op, unsigned port, ExtraCode atWindow) {
  addOnPunct(op, op, port, op.is(OperatorTrait::forwards), atWindow);
}

void sluice::addOnEnd(OperatorOp op, ExtraCode count) {
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = OnEndOp::create(builder, op.getLoc());
  HandlerBuilder code(op.getLoc(), handler.getBody(), {});
  count(code);
  code.end();
}

Value sluice::outputTuple(OperatorOp op, HandlerBuilder &code, unsigned port, ValueRange tuples) {
  Region *values = op.output(port);
  if (!values)
    return tuples.front();
  return code.tuple(op.outputTuple(port), code.inlineBody(*values, tuples));
}

Value sluice::outputTuple(OperatorOp op, HandlerBuilder &code, unsigned port) {
  SmallVector<Value> tuples(op.inputPorts());
  tuples.front() = code.argument(0);
  return outputTuple(op, code, port, tuples);
}

Block *sluice::branchOnCondition(OperatorOp op, HandlerBuilder &code, StringRef name) {
  Region *param = op.param(name);
  if (!param)
    return nullptr;
  Value condition = code.inlineBody(*param, code.argument(0)).front();
  Block *accepted = code.newBlock(), *rejected = code.newBlock();
  code.branch(condition, accepted, rejected);
  code.enter(accepted);
  return rejected;
}

/// Null if the operator has none.
static ExpandFn expansionOf(StringRef wanted) {
  static constexpr std::pair<StringLiteral, ExpandFn> all[] = {
#define EXPANSION(kind, function) {kind, function},
#include "stdlib/operators/Operators.def"
  };
  for (auto [kind, expand] : all)
    if (kind == wanted)
      return expand;
  return nullptr;
}

namespace {
struct ExpandOperators : sluice::impl::StreamExpandOperatorsBase<ExpandOperators> {
  void runOnOperation() override {
    SmallVector<OperatorOp> operators;
    getOperation().walk([&](OperatorOp op) { operators.push_back(op); });
    bool failedAny = false;
    for (OperatorOp op : operators)
      failedAny |= failed(expand(op));
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult expand(OperatorOp op) {
    if (op.isCustom() || op.getNative())
      return success();
    ExpandFn expansion = expansionOf(op.getKind());
    if (op.is(OperatorTrait::native)) {
      ++natives;
      return failure(failed(moveLogic(op)) || (expansion && failed(expansion(op))) ||
                     failed(makeNative(op)));
    }
    if (!expansion)
      return op.emitError("internal error: operator `") << op.getKind() << "` has no expansion";
    SmallVector<Operation *> old;
    for (Operation &item : op.getBody().front())
      old.push_back(&item);
    if (failed(expansion(op)))
      return failure();
    for (Operation *item : old)
      if (!isa<StateOp>(item))
        item->erase();
    op.setOriginal(op.getKind());
    op.setKind(OperatorOp::kCustom);
    OperatorFactsAttr facts = op.getFactsAttr();
    op.removeFactsAttr();
    if (facts && facts.getControls()) // the one that logic may ask for
      op.setFactsAttr(OperatorFactsAttr::get(op.getContext(), OperatorTrait::none, {}, {},
                                             facts.getControls()));
    ++expanded;
    return success();
  }
};
} // namespace
