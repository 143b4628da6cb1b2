//===- Table.cpp - what the program table keeps of the graph --------------===//
#include "codegen/segments/Parts.h"
#include "ir/Stream.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

static FlatSymbolRefAttr symbolOf(Builder &b, StringRef function) {
  return FlatSymbolRefAttr::get(b.getContext(), function);
}

//===--- ports --------------------------------------------------------------===//

TableInputAttr TableMaker::inputTable(OpInfo &op, unsigned port) {
  // A port closes when every producer outside its loops has sent Final.
  uint32_t producers = 0;
  for (unsigned i = 0; i < op.op.getInputs().size(); ++i)
    producers += op.op.portOf(i) == port && op.op.edge(i) != Edge::Back;
  ThreadedPortAttr threaded = op.op.threadedPort(port);
  bool delays = op.op.is(OperatorTrait::delays);
  bool ownThread = delays || threaded || op.op.threadingModel() == ThreadingModel::Dedicated;
  bool holds = delays;
  op.op.walk([&](HoldOp hold) { holds |= hold.getPort() == port; });
  OperatorFactsAttr facts = op.op.getFactsAttr();
  bool control = facts && port < 32 && (facts.getControls() >> port & 1);
  std::optional<uint32_t> inPlaceOutput;
  FlatSymbolRefAttr rows;
  if (auto plan = moves.find(op.firstIn + port); plan != moves.end()) {
    inPlaceOutput = plan->second->out;
    if (!plan->second->marks)
      rows = symbolOf(b, op.symbol("rows", port));
  }
  StringAttr why;
  if (ArrayAttr reasons = op.op.getReasonsAttr())
    why = cast<StringAttr>(reasons[port]);
  return TableInputAttr::get(b.getContext(), op.op.inputTuple(port), producers,
                             op.op.boundary(port), ownThread, holds, delays, control, threaded,
                             inPlaceOutput, rows, why);
}

TableOutputAttr TableMaker::outputTable(OpInfo &op, unsigned port) {
  SmallVector<FlatSymbolRefAttr> segments;
  SmallVector<TableSplitAttr> splits;
  SmallVector<uint32_t> consumers;
  bool back = false;
  SmallVector<Consumer> ordered = info.consumers(op, port); // those that take batches come first
  llvm::stable_sort(ordered, [](const Consumer &a, const Consumer &b) {
    return a.edge != Edge::Call && b.edge == Edge::Call;
  });
  for (const Consumer &c : ordered) {
    for (SplitAttr split : c.op->op.splitsOf(c.operand))
      splits.push_back(TableSplitAttr::get(b.getContext(), consumers.size(), split));
    consumers.push_back(c.op->firstIn + c.port);
    if (c.edge != Edge::Call)
      segments.push_back(symbolOf(b, c.op->symbol("seg", c.port)));
    back |= c.edge == Edge::Back;
  }
  FlatSymbolRefAttr emit, emitPunct;
  if (op.native >= 0) {
    emit = symbolOf(b, op.symbol("emit", port));
    emitPunct = symbolOf(b, op.symbol("emitpunct", port));
  }
  return TableOutputAttr::get(b.getContext(), op.op.outputTuple(port), op.op.order(port), back,
                              info.countsTuples(op, port), consumers, segments, splits, emit,
                              emitPunct);
}

//===--- operators ----------------------------------------------------------===//

/// One for one where the only submit stands where control always passes, once: in the first block.
static stream::RowsOut tuplesOut(Region *onTuple, unsigned port) {
  SmallVector<SubmitOp> submits;
  if (onTuple)
    onTuple->walk([&](SubmitOp submit) {
      if (submit.getPort() == port)
        submits.push_back(submit);
    });
  if (submits.empty())
    return stream::RowsOut::None;
  bool always = submits.size() == 1 && submits[0]->getBlock() == &onTuple->front();
  return always ? stream::RowsOut::One : stream::RowsOut::Unknown;
}

SmallVector<stream::RowsOut> TableMaker::tuplesOut(OpInfo &op) {
  unsigned inputs = op.op.inputPorts(), outputs = op.op.getOutputs().size();
  SmallVector<stream::RowsOut> result(inputs * outputs, stream::RowsOut::Unknown);
  for (unsigned out = 0; op.native < 0 && out < outputs; ++out) {
    // Punctuation may bring forth tuples, and a Final that a handler submits drops those after it.
    bool others = Handlers::mayClose(op, out);
    for (unsigned in = 0; in < inputs; ++in)
      for (Region *handler : op.op.onMarks(in))
        handler->walk([&](SubmitOp submit) { others |= submit.getPort() == out; });
    for (unsigned in = 0; !others && in < inputs; ++in)
      result[in * outputs + out] = ::tuplesOut(op.op.onTuple(in), out);
  }
  return result;
}

SmallVector<TableVariableAttr> TableMaker::stateTable(OpInfo &op) {
  SmallVector<TableVariableAttr> variables;
  for (auto [state, offset] : llvm::zip(op.op.getBody().getOps<StateOp>(), op.stateOffsets))
    variables.push_back(
        TableVariableAttr::get(b.getContext(), state.getNameAttr(), offset, state.getType()));
  return variables;
}

/// The variables are those that handlers use at the key (StreamAnalyzeState).
TableKeyedAttr TableMaker::keyedTable(OpInfo &op) {
  std::optional<unsigned> column = keyColumn(op);
  if (!column)
    return {};
  SmallVector<TableVariableAttr> variables;
  for (auto [state, offset] : llvm::zip(op.op.getBody().getOps<StateOp>(), op.stateOffsets))
    if (llvm::is_contained(op.op.getState()->getVariables(), state.getNameAttr()))
      variables.push_back(
          TableVariableAttr::get(b.getContext(), state.getNameAttr(), offset, state.getType()));
  return TableKeyedAttr::get(b.getContext(), symbolOf(b, op.symbol("keyed", 0)), *column,
                             variables);
}

TableOperatorAttr TableMaker::operatorTable(OpInfo &op) {
  SmallVector<TableInputAttr> inputs;
  SmallVector<TableOutputAttr> outputs;
  for (unsigned port = 0; port < op.op.inputPorts(); ++port)
    inputs.push_back(inputTable(op, port));
  for (unsigned port = 0; port < op.op.getOutputs().size(); ++port)
    outputs.push_back(outputTable(op, port));
  bool isNative = op.native >= 0;
  std::optional<uint32_t> native;
  if (isNative)
    native = op.native;
  return TableOperatorAttr::get(
      b.getContext(), op.op.getNameAttr(), b.getStringAttr(op.op.sourceKind()), op.op.getPartAttr(),
      native, isNative ? op.op.getKindAttr() : StringAttr(),
      /*is_catch=*/op.op.getIsCatch(),
      /*shared=*/op.op.getState() && op.op.sharing() == Sharing::Any,
      /*bounded=*/op.op.getBounded(), /*daemon=*/op.op.is(OperatorTrait::daemon),
      /*waits=*/waits[op.index],
      /*pe=*/op.op.getPe().value_or(0), /*link=*/int32_t(op.op.getLink().value_or(-1)),
      op.op.getRecoveryAttr(), b.getF64FloatAttr(costs[op.index]),
      /*first_state=*/op.firstState, /*state_bytes=*/op.stateEnd - op.firstState, inputs, outputs,
      tuplesOut(op), stateTable(op), keyedTable(op),
      /*process=*/op.hasProcess() ? symbolOf(b, op.symbol("process", 0)) : FlatSymbolRefAttr(),
      /*set_params=*/isNative ? symbolOf(b, op.symbol("params", 0)) : FlatSymbolRefAttr(),
      /*end=*/op.op.onEnd() ? symbolOf(b, op.symbol("end", 0)) : FlatSymbolRefAttr(),
      op.op.getLoc());
}

//===--- the program --------------------------------------------------------===//

TableRegionAttr TableMaker::regionTable(unsigned index) {
  const RegionInfo &region = info.regions()[index];
  auto ids = [&](RegionInfo::Ids ids) {
    return TableIdsAttr::get(b.getContext(), ids.first, ids.count);
  };
  return TableRegionAttr::get(b.getContext(), region.desc, ids(region.ops), ids(region.ins),
                              ids(region.outs), ids(region.natives), region.firstState,
                              region.stateBytes, c.wholeBatches[index],
                              symbolOf(b, LifeFunctions::regionFunction("sl.init", index)),
                              symbolOf(b, LifeFunctions::regionFunction("sl.destroy", index)));
}

TableAttr TableMaker::table() {
  SmallVector<TableOperatorAttr> operators;
  uint32_t threads = 0;
  for (auto &op : info.operators()) {
    operators.push_back(operatorTable(*op));
    if (auto threading = op->op.getThreading())
      threads = std::max<uint32_t>(threads, threading->getThreads());
  }
  SmallVector<TableRegionAttr> regions;
  for (unsigned index = 0; index < info.regions().size(); ++index)
    regions.push_back(regionTable(index));
  return TableAttr::get(b.getContext(), graph.getSymNameAttr(), info.stateBytes, threads,
                        symbolOf(b, LifeFunctions::regionFunction("sl.init", -1)),
                        symbolOf(b, LifeFunctions::regionFunction("sl.destroy", -1)),
                        llvm::to_vector(graph.getSubmissions().getAsRange<SubmissionAttr>()),
                        operators, regions, llvm::to_vector(graph.getPes().getAsRange<PeAttr>()),
                        llvm::to_vector(graph.getConsistents().getAsRange<ConsistentAttr>()));
}
