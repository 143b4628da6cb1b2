//===- Life.cpp - functions of the life of operators ----------------------===//
#include "codegen/Layout.h"
#include "codegen/RuntimeABI.h"
#include "codegen/segments/Parts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

void LifeFunctions::processFunction(OpInfo &op) {
  Location loc = op.op.getLoc();
  std::string body = Handlers(c).handler(op, *op.op.onProcess(), op.symbol("run", 0), {});
  Block *entry = begin(function(op.symbol("process", 0), {}, loc));
  Value ctx = entry->getArgument(0);
  Value status = call(loc, body, {ctx});
  flow.ifThen(flow.isNotZero(status),
              [&] { flow.check(SegmentFunctions(c).unwind(op, ctx, loc)); });
  if (!op.op.getOutputs().empty())
    Handlers(c).close(op, ctx, loc);
  SegmentFunctions(c).forwardAll(op, ctx, loc);
  endOk(loc);
}

std::string LifeFunctions::valueFunction(OpInfo &op, Region &region, const std::string &name,
                                         llvm::function_ref<void(OperandRange)> use) {
  func::FuncOp f = function(name, {}, region.getLoc());
  cloneInto(region, f);
  spl::SplDialect::StateOffsetsAttrHelper(b.getContext())
      .setAttr(f, b.getDenseI64ArrayAttr(op.stateOffsets));
  nameOperator(op, f);
  SmallVector<YieldOp> yields;
  f.walk([&](YieldOp yield) { yields.push_back(yield); });
  for (YieldOp yield : yields) {
    b.setInsertionPoint(yield);
    use(yield.getOperands());
    endOk(yield.getLoc());
    yield.erase();
  }
  return name;
}

void LifeFunctions::paramsFunction(OpInfo &op) {
  Location loc = op.op.getLoc();
  SmallVector<std::string> parts;
  for (ParamOp param : op.op.getBody().getOps<ParamOp>()) {
    StringRef name = param.getName();
    parts.push_back(valueFunction(
        op, param.getBody(), op.symbol("param", parts.size()), [&](OperandRange values) {
          Value ctx = b.getInsertionBlock()->getParent()->getArgument(0);
          // The name lies on the stack: sl_param copies it.
          Value text =
              LLVM::AllocaOp::create(b, loc, ptr, b.getI8Type(), i32(loc, name.size() + 1));
          for (unsigned i = 0; i <= name.size(); ++i) {
            Value c = arith::ConstantIntOp::create(b, loc, i < name.size() ? name[i] : 0, 8);
            LLVM::StoreOp::create(b, loc, c, address(text, i, loc));
          }
          for (Value value : values) {
            Value slot = LLVM::AllocaOp::create(b, loc, ptr, b.getI8Type(),
                                                i32(loc, layout::sizeOf(value.getType())), 16);
            spl::PutOp::create(b, loc, value, slot);
            Value desc = spl::TypeDescOp::create(b, loc, ptr, value.getType());
            runtime(loc, "sl_param", {ctx, i32(loc, op.native), text, desc, slot});
          }
        }));
  }
  Block *entry = begin(function(op.symbol("params", 0), {}, loc));
  Value ctx = entry->getArgument(0);
  for (const std::string &part : parts)
    Handlers(c).failIfAtSite(op, ctx, call(loc, part, {ctx}), "sl_fail");
  endOk(loc);
}

std::string LifeFunctions::regionFunction(StringRef name, int region) {
  return region < 0 ? name.str() : (name + llvm::Twine(region)).str();
}

void LifeFunctions::initFunction(int region) {
  Location loc = graph.getLoc();
  SmallVector<std::pair<std::string, OpInfo *>> inits; // functions, and of which operator
  for (auto &op : info.operators()) {
    unsigned index = 0;
    if (op->op.parallelRegion() != region)
      continue;
    for (StateOp state : op->op.getBody().getOps<StateOp>()) {
      unsigned i = index++;
      if (state.getInit().empty())
        continue;
      auto store = [&, i](OperandRange values) {
        mlir::Type place = spl::RefType::get(b.getContext(), state.getType());
        Value ref = spl::StateOp::create(b, state.getLoc(), place, state.getName(), i);
        spl::StoreOp::create(b, state.getLoc(), values[0], ref);
      };
      inits.emplace_back(valueFunction(*op, state.getInit(), op->symbol("state", i), store),
                         op.get());
    }
  }
  Block *entry = begin(function(regionFunction("sl.init", region), {}, loc));
  Value ctx = entry->getArgument(0);
  for (auto &[name, op] : inits) {
    auto init = [&, &name = name, &op = op] {
      Handlers(c).failIfAtSite(*op, ctx, call(loc, name, {ctx}), "sl_fail");
    };
    if (graph.getPes().empty())
      init();
    else // initialisers may have effects
      flow.ifThen(flow.isNotZero(runtime(loc, "sl_is_here", {ctx, i32(loc, op->index)})), init);
  }
  endOk(loc);
}

void LifeFunctions::destroyFunction(int region) {
  Location loc = graph.getLoc();
  Block *entry = begin(function(regionFunction("sl.destroy", region), {}, loc));
  Value ctx = entry->getArgument(0);
  Value base = field(ctx, layout::ctxState, ptr, loc);
  for (auto &op : info.operators()) {
    if (op->op.parallelRegion() != region)
      continue;
    for (auto [state, offset] : llvm::zip(op->op.getBody().getOps<StateOp>(), op->stateOffsets))
      if (!layout::isPlain(state.getType())) {
        Value desc = spl::TypeDescOp::create(b, loc, ptr, state.getType());
        runtime(loc, "sl_destroy", {ctx, desc, address(base, offset, loc)});
      }
  }
  endOk(loc);
}
