//===- Ticker.cpp - time as a stream --------------------------------------===//
#include "passes/expand/window/Ticker.h"
#include "mlir/IR/IRMapping.h"
#include "passes/expand/window/Record.h"

using namespace mlir;
using namespace sluice;

unsigned window::addTicker(stream::OperatorOp op, stream::WindowOp window, unsigned index,
                           bool finely) {
  return addTicker(op, window.getSizes(), index,
                   "ticker of input " + std::to_string(window.getPort()), finely);
}

unsigned window::addTicker(stream::OperatorOp op, Region &periods, unsigned index, StringRef part,
                           bool finely) {
  Location loc = periods.getLoc();
  MLIRContext *context = op.getContext();
  OpBuilder builder(op);
  auto tuple = spl::TupleType::get(context, builder.getStringAttr("now"), si64(context));
  auto ticker = stream::OperatorOp::create(builder, loc, stream::StreamType::get(context, tuple),
                                           op.getName(), stream::OperatorOp::kTicker, ValueRange(),
                                           {}, false);
  builder.setInsertionPointToStart(&ticker.getBody().emplaceBlock());
  ticker.setNative(true);
  ticker.setOriginal(op.sourceKind());
  ticker.setPart(part);
  ticker.setFactsAttr(stream::OperatorFactsAttr::get(
      context, stream::OperatorTrait::native | stream::OperatorTrait::daemon, {}, {}, 0));
  ticker.setParallelRegionAttr(op.getParallelRegionAttr());
  auto period = stream::ParamOp::create(builder, loc, "period");
  IRMapping mapping;
  periods.cloneInto(&period.getBody(), mapping);
  auto yield = cast<stream::YieldOp>(period.getBody().back().back());
  Value seconds = yield.getValues()[index];
  if (finely) {
    builder.setInsertionPoint(yield);
    auto number = [&](double value) {
      return spl::ConstOp::create(builder, loc, seconds.getType(), builder.getF64FloatAttr(value));
    };
    auto binary = [&](spl::BinaryKind kind, Value lhs, Value rhs) {
      return spl::BinaryOp::create(builder, loc, lhs.getType(), kind, lhs, rhs);
    };
    seconds = binary(spl::BinaryKind::add, binary(spl::BinaryKind::mul, seconds, number(0.125)),
                     number(0.01));
    builder.setInsertionPoint(op);
  }
  yield.getValuesMutable().assign(seconds);

  op.getInputsMutable().append(ticker.getOutputs());
  SmallVector<int32_t> ports(op.getPorts());
  ports.push_back(1);
  op.setPorts(ports);
  if (!op.getSplits().empty()) {
    SmallVector<Attribute> splits(op.getSplits().begin(), op.getSplits().end());
    splits.push_back(builder.getArrayAttr({}));
    op.setSplitsAttr(builder.getArrayAttr(splits));
  }
  return ports.size() - 1;
}
