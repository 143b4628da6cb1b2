//===- GraphInfo.cpp ------------------------------------------------------===//
#include "codegen/segments/GraphInfo.h"
#include "codegen/Layout.h"
#include "passes/analyze/Graph.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace sluice;
using namespace sluice::stream;

std::string OpInfo::symbol(llvm::StringRef what, unsigned port) const {
  return (llvm::Twine("op") + llvm::Twine(index) + "." + what + llvm::Twine(port)).str();
}

/// Operators of the region, and of those around it, follow.
void GraphInfo::enter(int region) {
  RegionInfo &info = regionList[region];
  info.ops.first = ops.size();
  info.ins.first = inPorts;
  info.outs.first = outPorts;
  info.natives.first = natives;
  info.firstState = stateBytes = llvm::alignTo(stateBytes, 16);
}

void GraphInfo::leave(int region) {
  RegionInfo &info = regionList[region];
  info.ops.count = ops.size() - info.ops.first;
  info.ins.count = inPorts - info.ins.first;
  info.outs.count = outPorts - info.outs.first;
  info.natives.count = natives - info.natives.first;
  stateBytes = llvm::alignTo(stateBytes, 16);
  info.stateBytes = stateBytes - info.firstState;
}

GraphInfo::GraphInfo(GraphOp graph) {
  for (auto desc : graph.getParallelRegions().getAsRange<RegionAttr>())
    regionList.emplace_back().desc = desc;
  llvm::SmallVector<int> inside; // outermost first
  auto goTo = [&](int region) {
    llvm::SmallVector<int> path;
    for (int r = region; r >= 0; r = regionList[r].desc.getParent())
      path.insert(path.begin(), r);
    size_t common = 0;
    while (common < path.size() && common < inside.size() && path[common] == inside[common])
      ++common;
    while (inside.size() > common)
      leave(inside.pop_back_val());
    for (; common < path.size(); ++common)
      enter(inside.emplace_back(path[common]));
  };
  for (OperatorOp op : graph.getBody().getOps<OperatorOp>()) {
    goTo(op.parallelRegion());
    auto info = std::make_unique<OpInfo>();
    info->op = op;
    info->index = ops.size();
    if (op.getNative())
      info->native = natives++;
    info->firstIn = inPorts;
    info->firstOut = outPorts;
    inPorts += op.inputPorts();
    outPorts += op.getOutputs().size();
    info->firstState = stateBytes;
    for (StateOp state : op.getBody().getOps<StateOp>()) {
      stateBytes = llvm::alignTo(stateBytes, layout::alignOf(state.getType()));
      info->stateOffsets.push_back(stateBytes);
      stateBytes += layout::sizeOf(state.getType());
    }
    info->stateEnd = stateBytes;
    byOp[op] = info.get();
    ops.push_back(std::move(info));
  }
  goTo(-1);
}

llvm::SmallVector<Consumer> GraphInfo::consumers(OpInfo &producer, unsigned outPort) {
  llvm::SmallVector<Consumer> result;
  mlir::Value stream = producer.op.getOutputs()[outPort];
  for (mlir::OpOperand &use : stream.getUses()) {
    auto op = mlir::dyn_cast<OperatorOp>(use.getOwner());
    if (!op)
      continue;
    unsigned operand = use.getOperandNumber();
    result.push_back({byOp[op], op.portOf(operand), operand, op.edge(operand)});
  }
  // Uses come in no particular order; tuples are delivered in graph order.
  llvm::sort(result, [](const Consumer &a, const Consumer &b) {
    return std::make_pair(a.op->index, a.port) < std::make_pair(b.op->index, b.port);
  });
  return result;
}

std::optional<unsigned> GraphInfo::producer(OpInfo &op, unsigned inPort) {
  std::optional<unsigned> found;
  for (unsigned i = 0; i < op.op.getInputs().size(); ++i) {
    if (op.op.portOf(i) != inPort)
      continue;
    auto result = mlir::cast<mlir::OpResult>(op.op.getInputs()[i]);
    auto from = mlir::dyn_cast<OperatorOp>(result.getOwner());
    if (!from || found)
      return std::nullopt;
    found = byOp[from]->firstOut + result.getResultNumber();
  }
  return found;
}

bool GraphInfo::hasBatch(OpInfo &op, unsigned outPort) {
  return llvm::any_of(consumers(op, outPort),
                      [](const Consumer &c) { return c.edge != Edge::Call; });
}

llvm::SmallVector<Caller> GraphInfo::callers(OpInfo &op) {
  llvm::SmallVector<Caller> found;
  for (auto [operand, stream] : llvm::enumerate(op.op.getInputs()))
    if (op.op.edge(operand) == Edge::Call)
      found.push_back(
          {byOp[stream.getDefiningOp()], mlir::cast<mlir::OpResult>(stream).getResultNumber()});
  return found;
}

GraphInfo::Calls GraphInfo::callsFrom(OpInfo &from, unsigned outPort, OpInfo &target,
                                      CallCounts &known) {
  Calls calls = Calls::None;
  for (const Consumer &c : consumers(from, outPort))
    if (Calls more = c.edge == Edge::Call ? callsOf(*c.op, target, known) : Calls::None;
        more != Calls::None)
      calls = calls == Calls::None ? more : Calls::Several;
  return calls;
}

/// Two submits of which one may follow the other both count.
GraphInfo::Calls GraphInfo::callsOf(OpInfo &from, OpInfo &target, CallCounts &known) {
  if (&from == &target)
    return Calls::One;
  if (auto found = known.find(&from); found != known.end())
    return found->second;
  Calls calls = Calls::None;
  llvm::SmallVector<mlir::Operation *> leading;
  from.op.walk([&](SubmitOp submit) {
    Calls here = callsFrom(from, submit.getPort(), target, known);
    if (here == Calls::None)
      return;
    calls = std::max(calls, here);
    if (submit->getParentOfType<OnTupleOp>())
      leading.push_back(submit);
  });
  for (mlir::Operation *first : leading)
    for (mlir::Operation *second : leading)
      if (first->getParentOp() == second->getParentOp() && mayFollow(first, second))
        calls = Calls::Several;
  return known[&from] = calls;
}

bool GraphInfo::isCalledOnce(OpInfo &op) {
  if (auto found = calledOnce.find(&op); found != calledOnce.end())
    return found->second;
  llvm::SmallVector<Caller> from = callers(op);
  bool once = true;
  if (from.size() == 1) {
    once = !submitsSeveral(from[0].op->op, from[0].outPort) && isCalledOnce(*from[0].op);
  } else if (!from.empty()) {
    OpInfo *head = &op;
    for (auto up = from; !up.empty(); up = callers(*head))
      head = up[0].op;
    CallCounts known;
    once = callsOf(*head, op, known) != Calls::Several;
  }
  return calledOnce[&op] = once;
}

bool GraphInfo::countsTuples(OpInfo &op, unsigned outPort) {
  if (op.op.isSource() || hasBatch(op, outPort)) // counted: where it asks whether to end, by batch
    return false;
  return llvm::any_of(consumers(op, outPort), [&](const Consumer &c) {
    return c.edge == Edge::Call &&
           (c.op->op.getInputs().size() > 1 || submitsSeveral(op.op, outPort));
  });
}

bool GraphInfo::isStripped(OpInfo &op, unsigned outPort) {
  return hasBatch(op, outPort) && op.op.order(outPort) != Order::All && op.native < 0 &&
         !submitsSeveral(op.op, outPort) && isCalledOnce(op) &&
         llvm::none_of(
             consumers(op, outPort), [](const Consumer &c) { return c.edge == Edge::Back; });
}

llvm::SmallVector<StrippedPort> GraphInfo::strippedReached(OpInfo &op,
                                                           std::optional<unsigned> outPort) {
  llvm::SmallVector<StrippedPort> found;
  llvm::SetVector<OpInfo *> reached;
  auto follow = [&](OpInfo &from, unsigned port) {
    for (const Consumer &c : consumers(from, port))
      if (c.edge == Edge::Call)
        reached.insert(c.op);
    if (!isStripped(from, port))
      return;
    auto columns = layout::batchLayout(from.op.outputTuple(port)).columns;
    bool payload = llvm::any_of(
        columns, [](const layout::Column &column) { return !layout::isPlain(column.type); });
    found.push_back({from.firstOut + port, payload});
  };
  auto followAll = [&](OpInfo &from) {
    for (unsigned port = 0; port < from.op.getOutputs().size(); ++port)
      follow(from, port);
  };
  outPort ? follow(op, *outPort) : followAll(op);
  for (unsigned i = 0; i < reached.size(); ++i)
    followAll(*reached[i]);
  return found;
}

llvm::SmallVector<OpInfo *> GraphInfo::segment(OpInfo &head) {
  llvm::SetVector<OpInfo *> reached;
  reached.insert(&head);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (unsigned port = 0; port < reached[i]->op.getOutputs().size(); ++port)
      for (const Consumer &c : consumers(*reached[i], port))
        if (c.edge == Edge::Call)
          reached.insert(c.op);
  return reached.takeVector();
}

llvm::SmallVector<unsigned> GraphInfo::batchPortsReached(OpInfo &op) {
  llvm::SmallVector<unsigned> ports;
  for (OpInfo *from : segment(op))
    for (unsigned port = 0; port < from->op.getOutputs().size(); ++port)
      if (hasBatch(*from, port))
        ports.push_back(from->firstOut + port);
  return ports;
}
