//===- GraphEmitter.cpp - composites and streams ------------------------------===//
//
// The typed tree has streams of the whole program. In the IR, a composite instance takes
// the streams that it uses as inputs and exports those that are used outside. Both
// follow from where the producers and consumers of a stream are.
//
//===----------------------------------------------------------------------===//
#include "frontend/emit/GraphEmitter.h"
#include "frontend/sema/typed/TextOrder.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Value;
using typed::Composite;
using typed::Operator;
using typed::Stream;

void GraphEmitter::collect(const Composite &composite, StreamSet &used, StreamSet &produced) {
  for (const Operator &op : composite.operators) {
    for (const typed::InputPort &port : op.inputs)
      used.insert(port.streams.begin(), port.streams.end());
    for (const typed::OutputPort &port : op.outputs)
      produced.insert(port.stream);
  }
  for (const Composite &inner : composite.composites)
    collect(inner, used, produced);
}

/// The streams that `composite` uses but does not produce, and those that it produces and that
/// operators outside use.
const GraphEmitter::Border &GraphEmitter::borderOf(const Composite &composite) {
  auto [entry, isNew] = borders.try_emplace(&composite);
  Border &border = entry->second;
  if (!isNew)
    return border;
  StreamSet used, produced;
  collect(composite, used, produced);
  for (const Stream *stream : used)
    if (!produced.contains(stream))
      border.inputs.insert(stream);
  auto usedOutside = [&](const Composite &at, auto &&self) -> void {
    if (&at == &composite)
      return;
    for (const Operator &op : at.operators)
      for (const typed::InputPort &port : op.inputs)
        for (const Stream *stream : port.streams)
          if (produced.contains(stream))
            border.outputs.insert(stream);
    for (const Composite &inner : at.composites)
      self(inner, self);
  };
  usedOutside(*root, usedOutside);
  return border;
}

Value GraphEmitter::lookUp(const Stream *stream, Frame &frame) {
  if (Value value = frame.values.lookup(stream))
    return value;
  Value &placeholder = frame.placeholders[stream];
  if (!placeholder) {
    auto builder = mlir::OpBuilder::atBlockBegin(&frame.block);
    auto type = stream::StreamType::get(shared.context,
                                        mlir::cast<spl::TupleType>(shared.type(stream->type)));
    placeholder = mlir::UnrealizedConversionCastOp::create(builder, shared.location(stream->range),
                                                           type, mlir::ValueRange())
                      .getResult(0);
  }
  return placeholder;
}

void GraphEmitter::define(const Stream *stream, Value value, Frame &frame) {
  frame.values[stream] = value;
  auto placeholder = frame.placeholders.find(stream);
  if (placeholder == frame.placeholders.end())
    return;
  mlir::Operation *op = placeholder->second.getDefiningOp();
  placeholder->second.replaceAllUsesWith(value);
  op->erase();
  frame.placeholders.erase(placeholder);
}

void GraphEmitter::emitComposite(const Composite &composite, Frame &frame) {
  const Border border = borderOf(composite);
  llvm::SmallVector<Value> inputs;
  llvm::SmallVector<mlir::Type> outputs;
  for (const Stream *stream : border.inputs)
    inputs.push_back(lookUp(stream, frame));
  for (const Stream *stream : border.outputs)
    outputs.push_back(stream::StreamType::get(
        shared.context, mlir::cast<spl::TupleType>(shared.type(stream->type))));
  auto builder = mlir::OpBuilder::atBlockEnd(&frame.block);
  mlir::Location loc = shared.location(composite.range);
  auto op = stream::CompositeOp::create(builder, loc, outputs, composite.path, composite.definition,
                                        inputs);
  Frame inside(op.getBody().emplaceBlock());
  for (auto [stream, value] : llvm::zip(border.inputs, inputs))
    define(stream, inside.block.addArgument(value.getType(), shared.location(stream->range)),
           inside);
  emitItems(composite, inside);
  llvm::SmallVector<Value> exports;
  for (const Stream *stream : border.outputs)
    exports.push_back(lookUp(stream, inside));
  builder.setInsertionPointToEnd(&inside.block);
  stream::ExportOp::create(builder, loc, exports);
  for (auto [stream, value] : llvm::zip(border.outputs, op.getOutputs()))
    define(stream, value, frame);
}

void GraphEmitter::emitItems(const Composite &composite, Frame &frame) {
  for (const typed::Item &item : typed::inTextOrder(composite)) {
    if (item.inner) {
      emitComposite(*item.inner, frame);
      continue;
    }
    llvm::SmallVector<Value> inputs;
    for (const typed::InputPort &port : item.op->inputs)
      for (const Stream *stream : port.streams)
        inputs.push_back(lookUp(stream, frame));
    auto builder = mlir::OpBuilder::atBlockEnd(&frame.block);
    auto op = emitOperator(shared, builder, *item.op, inputs);
    for (auto [port, value] : llvm::zip(item.op->outputs, op.getOutputs()))
      define(port.stream, value, frame);
  }
}

void GraphEmitter::emitBody(const Composite &main, mlir::Block &block) {
  root = &main;
  Frame frame(block);
  emitItems(main, frame);
  assert(frame.placeholders.empty() && "a stream without a producer");
}
