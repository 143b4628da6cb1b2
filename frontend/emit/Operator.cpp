//===- Operator.cpp - one operator invocation --------------------------===//
#include "frontend/emit/GraphEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Location;
using typed::Expr;
using typed::Operator;

namespace {
class OperatorEmitter {
public:
  OperatorEmitter(Shared &shared, const Operator &op, stream::OperatorOp into)
      : shared(shared), op(op),
        builder(mlir::OpBuilder::atBlockEnd(&into.getBody().emplaceBlock())) {}

  void emit() {
    emitStates();
    for (const typed::Parameter &param : op.params)
      emitParam(param);
    for (size_t port = 0; port < op.outputs.size(); ++port)
      emitOutput(port);
    for (size_t port = 0; port < op.inputs.size(); ++port)
      emitLogic(port);
    if (op.onProcess) {
      auto handler = stream::OnProcessOp::create(builder, shared.location(op.onProcess->range));
      BodyEmitter(shared, handler.getBody()).emitHandler(*op.onProcess);
    }
  }

private:
  /// A region whose arguments are, if wanted, the current tuples of all input ports.
  BodyEmitter beginValues(mlir::Region &region, bool withTuples) {
    BodyEmitter body(shared, region);
    for (size_t port = 0; withTuples && port < op.inputs.size(); ++port)
      body.addTuple(port, op.inputs[port].type, shared.location(op.inputs[port].range));
    return body;
  }

  void emitStates() {
    for (auto [state, init] : llvm::zip(op.states, op.stateInits)) {
      Location loc = shared.location(state->range);
      auto item = stream::StateOp::create(builder, loc, state->name, shared.type(state->type));
      if (init)
        BodyEmitter(shared, item.getInit()).emitYield(init.get(), loc);
    }
  }

  void emitParam(const typed::Parameter &param) {
    Location loc = shared.location(param.range);
    auto item = stream::ParamOp::create(builder, loc, param.name);
    llvm::SmallVector<const Expr *> values;
    for (const typed::ExprPtr &value : param.values)
      values.push_back(value.get());
    beginValues(item.getBody(), param.perTuple).emitYield(values, loc);
  }

  void emitOutput(unsigned port) {
    const typed::OutputPort &output = op.outputs[port];
    if (output.values.empty())
      return;
    Location loc = shared.location(output.stream->range);
    llvm::SmallVector<const Expr *> values;
    for (const typed::ExprPtr &value : output.values)
      values.push_back(value.get());
    auto item = stream::OutputOp::create(builder, loc, port);
    beginValues(item.getBody(), /*withTuples=*/true).emitYield(values, loc);
  }

  void emitLogic(unsigned port) {
    const typed::InputPort &input = op.inputs[port];
    Location portLoc = shared.location(input.range);
    if (input.onTuple) {
      auto handler =
          stream::OnTupleOp::create(builder, shared.location(input.onTuple->range), port);
      BodyEmitter body(shared, handler.getBody(),
                       input.mutatesTuple || writesTuple(*input.onTuple));
      body.addTuple(port, input.type, portLoc);
      body.emitHandler(*input.onTuple);
    }
    if (input.onPunct) {
      auto handler =
          stream::OnPunctOp::create(builder, shared.location(input.onPunct->range), port);
      BodyEmitter body(shared, handler.getBody());
      body.addMarker(portLoc);
      body.emitHandler(*input.onPunct);
    }
  }

  Shared &shared;
  const Operator &op;
  mlir::OpBuilder builder;
};
} // namespace

/// By stream, how it enters @parallel regions; null if none does.
static mlir::Attribute emitSplits(mlir::OpBuilder &builder, const Operator &op) {
  static const llvm::StringRef names[] = {"row", "key", "all"};
  llvm::SmallVector<mlir::Attribute> streams;
  bool any = false;
  for (const typed::InputPort &port : op.inputs)
    for (const std::vector<typed::Split> &path : port.splits) {
      llvm::SmallVector<mlir::Attribute> splits;
      for (const typed::Split &split : path) {
        llvm::SmallVector<mlir::NamedAttribute> entry = {
            builder.getNamedAttr("region", builder.getI32IntegerAttr(split.region)),
            builder.getNamedAttr("by", builder.getStringAttr(names[split.by]))};
        if (split.by == typed::Split::Key)
          entry.push_back(
              builder.getNamedAttr("keys", builder.getDenseI32ArrayAttr(llvm::SmallVector<int32_t>(
                                               split.keys.begin(), split.keys.end()))));
        splits.push_back(builder.getDictionaryAttr(entry));
        any = true;
      }
      streams.push_back(builder.getArrayAttr(splits));
    }
  return any ? builder.getArrayAttr(streams) : mlir::Attribute();
}

/// By input port, config threadedPort; null if it is there for none.
static mlir::Attribute emitThreadedPorts(mlir::OpBuilder &builder, const Operator &op) {
  static const llvm::StringRef names[] = {"wait", "drop_first", "drop_last"};
  llvm::SmallVector<mlir::Attribute> ports(op.inputs.size(), builder.getDictionaryAttr({}));
  for (auto [port, threaded] : op.threadedPorts)
    ports[port] = builder.getDictionaryAttr(
        {builder.getNamedAttr("policy", builder.getStringAttr(names[threaded.policy])),
         builder.getNamedAttr("size", builder.getI32IntegerAttr(threaded.size))});
  return op.threadedPorts.empty() ? mlir::Attribute() : builder.getArrayAttr(ports);
}

/// @threading; null where there is none.
static mlir::Attribute emitThreading(mlir::OpBuilder &builder, const typed::Threading &threading) {
  static const llvm::StringRef names[] = {"", "manual", "automatic", "dynamic", "dedicated"};
  if (threading.model == typed::Threading::None)
    return {};
  llvm::SmallVector<mlir::NamedAttribute> entries = {
      builder.getNamedAttr("model", builder.getStringAttr(names[threading.model]))};
  if (threading.threads)
    entries.push_back(
        builder.getNamedAttr("threads", builder.getI32IntegerAttr(threading.threads)));
  if (!threading.elastic)
    entries.push_back(builder.getNamedAttr("elastic", builder.getBoolAttr(false)));
  return builder.getDictionaryAttr(entries);
}

/// What later phases read; null where there is nothing to say.
static stream::OperatorFactsAttr emitFacts(mlir::OpBuilder &builder,
                                           const typed::OperatorFacts &facts) {
  using Trait = stream::OperatorTrait;
  Trait traits = (facts.isNative ? Trait::native : Trait::none) |
                 (facts.forwardsPunctuation ? Trait::forwards : Trait::none);
  auto text = [&](const std::string &name) {
    return name.empty() ? mlir::StringAttr() : builder.getStringAttr(name);
  };
  auto reads = text(facts.readsFile), writes = text(facts.writesFile);
  if (traits == Trait::none && !reads && !writes)
    return {};
  return stream::OperatorFactsAttr::get(builder.getContext(), traits, reads, writes);
}

stream::OperatorOp emission::emitOperator(Shared &shared, mlir::OpBuilder &builder,
                                          const Operator &op, mlir::ValueRange inputs) {
  llvm::SmallVector<mlir::Type> outputs;
  for (const typed::OutputPort &port : op.outputs)
    outputs.push_back(stream::StreamType::get(
        shared.context, mlir::cast<spl::TupleType>(shared.type(port.stream->type))));
  llvm::SmallVector<int32_t> ports;
  for (const typed::InputPort &port : op.inputs)
    ports.push_back(port.streams.size());
  // By name: later phases add attributes of their own.
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      builder.getNamedAttr("name", builder.getStringAttr(op.name)),
      builder.getNamedAttr("kind", builder.getStringAttr(op.kind)),
      builder.getNamedAttr("ports", builder.getDenseI32ArrayAttr(ports))};
  if (op.region >= 0)
    attributes.push_back(
        builder.getNamedAttr("parallel_region", builder.getI32IntegerAttr(op.region)));
  if (mlir::Attribute splits = emitSplits(builder, op))
    attributes.push_back(builder.getNamedAttr("splits", splits));
  if (op.isCatch)
    attributes.push_back(builder.getNamedAttr("isCatch", builder.getUnitAttr()));
  if (mlir::Attribute threaded = emitThreadedPorts(builder, op))
    attributes.push_back(builder.getNamedAttr("threaded_ports", threaded));
  if (mlir::Attribute threading = emitThreading(builder, op.threading))
    attributes.push_back(builder.getNamedAttr("threading", threading));
  if (stream::OperatorFactsAttr facts = emitFacts(builder, op.facts))
    attributes.push_back(builder.getNamedAttr("facts", facts));
  auto result =
      stream::OperatorOp::create(builder, shared.location(op.range), outputs, inputs, attributes);
  OperatorEmitter(shared, op, result).emit();
  return result;
}
