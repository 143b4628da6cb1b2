//===- InPlace.cpp - segments that forward their input batch --------------===//
#include "codegen/segments/InPlace.h"
#include "codegen/Layout.h"
#include "codegen/selections/Origins.h"
#include "ir/Kinds.h"
#include "passes/analyze/Graph.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Rows are forwarded together at the end, of a full batch after about ten milliseconds: as long
/// as a source takes for two of its batches. In ns a row.
static constexpr double kMostCost = 10'000;
/// The same where key shards may run the rows, which copies them into batches of their own: to
/// forward in place pays only if a row costs less than its copy.
static constexpr double kMostCostByKey = 200;

/// Every batch of the port's streams comes to it and to nobody else.
static bool ownsBatches(GraphInfo &info, OpInfo &op, unsigned inPort) {
  for (unsigned operand = 0; operand < op.op.getInputs().size(); ++operand) {
    if (op.op.portOf(operand) != inPort)
      continue;
    auto stream = cast<OpResult>(op.op.getInputs()[operand]);
    auto producer = dyn_cast<OperatorOp>(stream.getOwner());
    if (!producer)
      return false;
    for (const Consumer &c : info.consumers(info.info(producer), stream.getResultNumber()))
      if (c.edge == Edge::Back || (c.edge == Edge::Batch && (c.op != &op || c.port != inPort)))
        return false;
    for (SplitAttr split : op.op.splitsOf(operand))
      if (split.getBy() == SplitBy::All)
        return false;
  }
  return true;
}

/// The way of a row from `head` to the output port: operators with the output ports that it leaves
/// by. Nothing if rows come together on it.
static SmallVector<std::pair<OpInfo *, unsigned>> findPath(GraphInfo &info, OpInfo &head,
                                                           unsigned out) {
  SmallVector<std::pair<OpInfo *, unsigned>> path;
  for (OpInfo *op : info.segment(head))
    if (out >= op->firstOut && out < op->firstOut + op->op.getOutputs().size())
      path.emplace_back(op, out - op->firstOut);
  while (path.back().first != &head) {
    SmallVector<Caller> callers = info.callers(*path.back().first);
    if (callers.size() != 1)
      return {};
    path.emplace_back(callers[0].op, callers[0].outPort);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// Rows appear only where tuples come in, nobody waits and nothing closes early.
static bool isSimple(OpInfo &op) {
  if (op.native >= 0 || op.op.inputPorts() != 1)
    return false;
  return !op.op
              .walk([](Operation *inside) {
                auto native = dyn_cast<spl::NativeOp>(inside);
                bool waits = isa<WaitOp>(inside) || (native && native.is(spl::CallTrait::waits));
                Operation *handler = inside->getBlock()->getParentOp();
                bool atMark = isa<SubmitOp>(inside) && isa<OnPunctOp, OnWatermarkOp>(handler);
                return waits || atMark ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Whether `op` submits punctuation for a tuple.
static bool marksTuples(OpInfo &op) {
  return op.op
      .walk([](Operation *inside) {
        bool marks = isa<SubmitPunctOp>(inside) && inside->getParentOfType<OnTupleOp>();
        return marks ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool sameColumns(const layout::Batch &a, const layout::Batch &b) {
  return a.rows == b.rows && a.bytes == b.bytes &&
         llvm::equal(a.columns, b.columns, [](const layout::Column &x, const layout::Column &y) {
           return x.size == y.size && x.offset == y.offset &&
                  layout::isPlain(x.type) == layout::isPlain(y.type);
         });
}

std::optional<InPlace> sluice::planInPlace(GraphInfo &info, OpInfo &head, unsigned port,
                                           llvm::ArrayRef<double> costs) {
  if (head.op.inputPorts() != 1 || llvm::is_contained(*head.op.getEdges(), Edge::Call))
    return std::nullopt;
  SmallVector<unsigned> outs = info.batchPortsReached(head);
  InPlace plan;
  if (outs.size() != 1 || !ownsBatches(info, head, port))
    return std::nullopt;
  plan.path = findPath(info, head, outs[0]);
  if (plan.path.empty())
    return std::nullopt;
  // The queue of a threadedPort counts tuples: its batches are short ones.
  for (const Consumer &c : info.consumers(*plan.path.back().first, plan.path.back().second))
    if (!c.op->op.getThreadedPorts().empty())
      return std::nullopt;
  plan.out = outs[0];
  plan.producer = info.producer(head, port);
  auto [last, lastPort] = plan.path.back();
  layout::Batch to = layout::batchLayout(last->op.outputTuple(lastPort));
  if (!info.isStripped(*last, lastPort) || last->op.order(lastPort) == Order::Puncts ||
      !sameColumns(layout::batchLayout(head.op.inputTuple(port)), to))
    return std::nullopt;

  double cost = 0;
  for (OpInfo *op : info.segment(head)) {
    cost += costs[op->index];
    if (!isSimple(*op))
      return std::nullopt;
    plan.marks |= marksTuples(*op);
  }
  if (cost > (head.op.sharing() == Sharing::ByKey ? kMostCostByKey : kMostCost))
    return std::nullopt;

  plan.everyRow = true;
  for (unsigned i = 0; i < to.columns.size(); ++i)
    plan.origins.push_back(i);
  for (auto [op, out] : plan.path) {
    if (!op->op.onTuple(0))
      return std::nullopt;
    plan.everyRow &= submitsAlways(*op, out);
    SmallVector<int> step = originsOf(*op, 0, out);
    if (step.empty() && !plan.origins.empty())
      return std::nullopt; // it never submits
    for (int &origin : step)
      origin = origin < 0 ? -1 : plan.origins[origin];
    plan.origins = step;
  }
  for (auto [column, origin] : llvm::zip_equal(to.columns, plan.origins))
    if (!layout::isPlain(column.type) && origin < 0)
      return std::nullopt;
  return plan;
}

llvm::SmallVector<Cost> sluice::segmentCosts(GraphInfo &info, ModuleOp module) {
  CostEstimate estimate(module); // of handlers as they are now
  llvm::SmallVector<Cost> costs;
  for (auto &op : info.operators())
    costs.push_back(op->op.isSource() ? estimate.ofSource(op->op) : estimate.of(op->op));
  return costs;
}

llvm::SmallVector<double> sluice::segmentNanos(GraphInfo &info, ModuleOp module) {
  return llvm::map_to_vector(segmentCosts(info, module),
                             [](const Cost &cost) { return cost.nanos; });
}

llvm::DenseSet<Operation *> sluice::inPlaceHeads(ModuleOp module) {
  llvm::DenseSet<Operation *> heads;
  for (auto graph : module.getOps<GraphOp>()) {
    GraphInfo info(graph);
    SmallVector<double> nanos = segmentNanos(info, module);
    for (auto &op : info.operators())
      if (planInPlace(info, *op, 0, nanos))
        heads.insert(op->op);
  }
  return heads;
}
