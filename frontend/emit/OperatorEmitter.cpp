//===- OperatorEmitter.cpp - one operator invocation --------------------------===//
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
    for (auto [port, input] : llvm::enumerate(op.inputs))
      if (input.window)
        emitWindow(shared, builder, port, input);
    for (auto [port, output] : llvm::enumerate(op.outputs))
      if (output.watermarks)
        emitWatermarks(port, output);
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

  /// The output functions in `value` that summarise tuples, as items.
  void emitSummaries(const Expr &value) {
    anyExpr(value, [&](const Expr &part) {
      auto *fn = llvm::dyn_cast<typed::OutputFnExpr>(&part);
      if (fn && fn->algebra)
        emitAggregate(*fn);
      else if (fn && fn->proto->facts.isFold)
        emitFold(*fn);
      return false;
    });
  }

  void emitAggregate(const typed::OutputFnExpr &fn) {
    Location loc = shared.location(fn.range);
    unsigned number = shared.summaries[&fn] = aggregates++;
    auto item =
        stream::AggregateOp::create(builder, loc, number, fn.proto->name, emitAlgebra(*fn.algebra));
    llvm::SmallVector<const Expr *> arguments;
    for (const typed::ExprPtr &argument : fn.args)
      arguments.push_back(argument.get());
    beginValues(item.getArguments(), /*withTuples=*/true).emitYield(arguments, loc);
  }

  spl::AggregateAttr emitAlgebra(const typed::Algebra &algebra) {
    auto symbol = [&](const typed::Function *function) {
      return function ? mlir::FlatSymbolRefAttr::get(shared.context, function->symbol)
                      : mlir::FlatSymbolRefAttr();
    };
    return spl::AggregateAttr::get(shared.context, shared.type(algebra.state), symbol(algebra.lift),
                                   symbol(algebra.add), symbol(algebra.merge),
                                   symbol(algebra.remove), symbol(algebra.result));
  }

  void emitStates() {
    for (auto [state, init] : llvm::zip(op.states, op.stateInits)) {
      Location loc = shared.location(state->range);
      auto item = stream::StateOp::create(builder, loc, state->name, shared.type(state->type));
      if (init)
        BodyEmitter(shared, item.getInit()).emitYield(init.get(), loc);
    }
  }

  void emitWatermarks(unsigned port, const typed::OutputPort &output) {
    Range range = output.stream->range;
    auto item = stream::EventTimeOp::create(builder, shared.location(range), port,
                                            output.watermarks->gap, output.watermarks->lag);
    BodyEmitter(shared, item.getTime()).emitNanos(*output.eventTime, output.stream->type, range);
  }

  void emitParam(const typed::Parameter &param) {
    Location loc = shared.location(param.range);
    auto item = stream::ParamOp::create(builder, loc, param.name);
    llvm::SmallVector<const Expr *> values;
    for (const typed::ExprPtr &value : param.values)
      values.push_back(value.get());
    beginValues(item.getBody(), param.perTuple).emitYield(values, loc);
  }

  void emitFold(const typed::OutputFnExpr &fold) {
    Location loc = shared.location(fold.range);
    unsigned number = shared.summaries[&fold] = folds++;
    auto item = stream::FoldOp::create(builder, loc, number);
    beginValues(item.getInit(), /*withTuples=*/false).emitEffect(*fold.args[0]);
    beginValues(item.getStep(), /*withTuples=*/true).emitEffect(*fold.args[1]);
    beginValues(item.getResult(), /*withTuples=*/false).emitYield(fold.args[2].get(), loc);
  }

  void emitOutput(unsigned port) {
    const typed::OutputPort &output = op.outputs[port];
    if (output.values.empty())
      return;
    Location loc = shared.location(output.stream->range);
    llvm::SmallVector<const Expr *> values;
    for (const typed::ExprPtr &value : output.values) {
      values.push_back(value.get());
      emitSummaries(*value);
    }
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
  unsigned aggregates = 0, folds = 0; // emitted so far
};
} // namespace

/// By stream, how it enters @parallel regions; null if none does.
static mlir::ArrayAttr emitSplits(mlir::OpBuilder &builder, const Operator &op) {
  llvm::SmallVector<mlir::Attribute> streams;
  bool any = false;
  for (const typed::InputPort &port : op.inputs)
    for (const std::vector<typed::Split> &path : port.splits) {
      llvm::SmallVector<mlir::Attribute> splits;
      for (const typed::Split &split : path) {
        llvm::SmallVector<int32_t> keys(split.keys.begin(), split.keys.end());
        splits.push_back(
            stream::SplitAttr::get(builder.getContext(), split.region, stream::SplitBy(split.by),
                                   split.by == SplitKind::ByKey ? builder.getDenseI32ArrayAttr(keys)
                                                                : mlir::DenseI32ArrayAttr()));
        any = true;
      }
      streams.push_back(builder.getArrayAttr(splits));
    }
  return any ? builder.getArrayAttr(streams) : mlir::ArrayAttr();
}

/// By output port, the input ports with the same event time; null if no output port has any. An
/// operator with @eventTime begins anew.
static mlir::ArrayAttr emitWatermarkPorts(mlir::OpBuilder &builder, const Operator &op) {
  llvm::SmallVector<mlir::Attribute> outputs;
  bool any = false;
  for (const typed::OutputPort &output : op.outputs) {
    llvm::SmallVector<int32_t> ports;
    for (auto [index, input] : llvm::enumerate(op.inputs))
      if (output.eventTime && !output.watermarks && input.eventTime == output.eventTime)
        ports.push_back(index);
    any |= !ports.empty();
    outputs.push_back(builder.getDenseI32ArrayAttr(ports));
  }
  return any ? builder.getArrayAttr(outputs) : mlir::ArrayAttr();
}

/// config threadedPort of input ports; null if none has it.
static mlir::ArrayAttr emitThreadedPorts(mlir::OpBuilder &builder, const Operator &op) {
  llvm::SmallVector<mlir::Attribute> ports;
  for (const auto &[port, threaded] : op.threadedPorts)
    ports.push_back(stream::ThreadedPortAttr::get(
        builder.getContext(), port, stream::Congestion(threaded.policy), threaded.size));
  return ports.empty() ? mlir::ArrayAttr() : builder.getArrayAttr(ports);
}

/// The names of the streams; null if each is that of the operator.
static mlir::ArrayAttr emitStreamNames(mlir::OpBuilder &builder, const Operator &op) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const typed::OutputPort &port : op.outputs)
    names.push_back(port.stream->name);
  bool same = llvm::all_of(names, [&](llvm::StringRef name) { return name == op.name; });
  return same ? mlir::ArrayAttr() : builder.getStrArrayAttr(names);
}

/// What later phases read; null where there is nothing to say.
static stream::OperatorFactsAttr emitFacts(mlir::OpBuilder &builder,
                                           const typed::OperatorFacts &facts) {
  auto text = [&](const std::string &name) {
    return name.empty() ? mlir::StringAttr() : builder.getStringAttr(name);
  };
  auto reads = text(facts.readsFile), writes = text(facts.writesFile);
  if (facts.traits == stream::OperatorTrait::none && !reads && !writes && !facts.controlPorts)
    return {};
  return stream::OperatorFactsAttr::get(builder.getContext(), facts.traits, reads, writes,
                                        facts.controlPorts);
}

/// config placement; null if there is none that concerns PEs.
static stream::PlacementAttr emitPlacement(mlir::OpBuilder &builder,
                                           const typed::Placement &placement) {
  auto ids = [&](llvm::ArrayRef<typed::Placement::Id> list) {
    return llvm::map_to_vector(list, [&](const typed::Placement::Id &id) {
      return stream::PlacementIdAttr::get(builder.getContext(), builder.getStringAttr(id.text),
                                          id.perReplica);
    });
  };
  if (!placement.isGiven())
    return {};
  return stream::PlacementAttr::get(builder.getContext(), ids(placement.colocation),
                                    ids(placement.exlocation), placement.isolation);
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
  auto result = stream::OperatorOp::create(builder, shared.location(op.range), outputs, op.name,
                                           op.kind, inputs, ports, op.isCatch);
  if (mlir::ArrayAttr names = emitStreamNames(builder, op))
    result.setStreamsAttr(names);
  if (op.region >= 0)
    result.setParallelRegion(op.region);
  if (mlir::ArrayAttr splits = emitSplits(builder, op))
    result.setSplitsAttr(splits);
  if (mlir::ArrayAttr ports = emitWatermarkPorts(builder, op))
    result.setWatermarkPortsAttr(ports);
  if (mlir::ArrayAttr threaded = emitThreadedPorts(builder, op))
    result.setThreadedPortsAttr(threaded);
  if (auto model = op.threading.model)
    result.setThreadingAttr(stream::ThreadingAttr::get(shared.context, *model, op.threading.threads,
                                                       op.threading.elastic));
  if (stream::PlacementAttr placement = emitPlacement(builder, op.placement))
    result.setPlacementAttr(placement);
  const typed::Recovery &recovery = op.recovery;
  if (recovery.region >= 0 || recovery.roles != stream::RecoveryRole::None)
    result.setRecoveryAttr(stream::RecoveryAttr::get(shared.context, recovery.region,
                                                     recovery.roles, recovery.inputs));
  if (stream::OperatorFactsAttr facts = emitFacts(builder, op.facts))
    result.setFactsAttr(facts);
  shared.op = &op;
  OperatorEmitter(shared, op, result).emit();
  return result;
}
