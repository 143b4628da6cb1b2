//===- Operators.cpp - operators become handlers --------------------===//
#include "passes/Passes.h"
#include "passes/expand/OperatorExpansion.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMEXPANDOPERATORS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
struct Entry {
  StringLiteral kind;
  ExpandFn expand;
};
} // namespace

static constexpr Entry kExpansions[] = {
    {"spl.relational::Functor", expandFunctor}, {"spl.relational::Filter", expandFilter},
    {"spl.utility::Split", expandSplit},        {"spl.utility::Union", expandUnion},
    {"spl.utility::Beacon", expandBeacon},      {"spl.utility::Throttle", expandNative},
    {"spl.adapter::FileSink", expandNative},    {"spl.adapter::FileSource", expandFileSource},
};

LogicalResult sluice::checkParams(OperatorOp op, ArrayRef<StringRef> known) {
  for (auto param : op.getBody().getOps<ParamOp>())
    if (!llvm::is_contained(known, param.getName()))
      return param.emitError("not supported yet: parameter `")
             << param.getName() << "` of operator `" << op.getKind() << "`";
  return success();
}

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

void sluice::addOnPunct(OperatorOp target, OperatorOp logic, unsigned port, bool forward) {
  Region *body = logic.onPunct(port);
  if (!body && (!forward || target.getNumResults() == 0))
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(&target.getBody().front());
  auto handler = OnPunctOp::create(builder, target.getLoc(), port);
  auto type =
      body ? cast<spl::EnumType>(body->getArgument(0).getType()) : markerType(target.getContext());
  HandlerBuilder code(target.getLoc(), handler.getBody(), {type});
  if (body)
    code.inlineBody(*body, code.argument(0));
  if (forward && target.getNumResults()) {
    Block *window = code.newBlock(), *done = code.newBlock();
    // Submitting the constant says that this is no Final.
    Value marker = code.constant(type, int64_t(Marker::Window));
    code.branch(code.compare(spl::CompareKind::eq, code.argument(0), marker), window, done);
    code.enter(window);
    for (unsigned out = 0; out < target.getNumResults(); ++out)
      SubmitPunctOp::create(code.ops(), target.getLoc(), out, marker);
    code.branch(done);
    code.enter(done);
  }
  code.end();
}

void sluice::addOnPunct(OperatorOp op, unsigned port, bool forward) {
  addOnPunct(op, op, port, forward);
}

/// AsIs(x) is x, wherever it stands.
static void replaceAsIs(OperatorOp op) {
  op.walk([](spl::OutputFnOp fn) {
    if (fn.getName() != "AsIs" || fn.getArgs().size() != 1)
      return;
    fn.replaceAllUsesWith(fn.getArgs()[0]);
    fn.erase();
  });
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
    const Entry *entry =
        llvm::find_if(kExpansions, [&](const Entry &e) { return e.kind == op.getKind(); });
    if (entry == std::end(kExpansions))
      return op.emitError("not supported yet: operator `") << op.getKind() << "`";
    replaceAsIs(op);
    SmallVector<Operation *> old;
    for (Operation &item : op.getBody().front())
      old.push_back(&item);
    if (failed(entry->expand(op)))
      return failure();
    if (op.getNative()) {
      ++natives;
      return success();
    }
    for (Operation *item : old)
      if (!isa<StateOp>(item))
        item->erase();
    op.setOriginal(op.getKind());
    op.setKind("spl.utility::Custom");
    ++expanded;
    return success();
  }
};
} // namespace
