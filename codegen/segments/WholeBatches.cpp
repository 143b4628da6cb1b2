//===- WholeBatches.cpp - regions whose channels are alike ----------------===//
#include "codegen/segments/WholeBatches.h"
#include "codegen/segments/InPlace.h"
#include "ir/Kinds.h"
#include "passes/analyze/Counted.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
class Finder {
public:
  Finder(GraphInfo &info, ModuleOp module, ArrayRef<double> costs)
      : info(info), module(module), costs(costs), counted(module) {}
  bool isAlike(int region);

private:
  bool isSegment(OpInfo &head, int region);
  bool isDealtOn(OpInfo &op, int region);
  bool isAlike(OpInfo &op);
  bool saysChannel(Operation *root, bool inHandler, llvm::StringSet<> &called);

  GraphInfo &info;
  ModuleOp module;
  ArrayRef<double> costs;
  Counted counted;
};
} // namespace

/// Whether what `root` computes depends on the channel, but for calls of getChannel() right in a
/// handler of tuples.
bool Finder::saysChannel(Operation *root, bool inHandler, llvm::StringSet<> &called) {
  auto look = [&](Operation *op) {
    bool says = false;
    if (auto native = dyn_cast<spl::NativeOp>(op))
      says = native.is(spl::CallTrait::perChannel) &&
             !(inHandler && native.is(spl::Intrinsic::channel) &&
               native->getParentOfType<OnTupleOp>());
    else if (auto call = dyn_cast<spl::CallOp>(op); call && called.insert(call.getCallee()).second)
      if (auto function = module.lookupSymbol<spl::FuncOp>(call.getCallee()))
        says = saysChannel(function, /*inHandler=*/false, called);
    return says ? WalkResult::interrupt() : WalkResult::advance();
  };
  return root->walk(look).wasInterrupted();
}

/// Whether what the operator does is the same in all channels. What it does about punctuation need
/// not be: each channel gets that.
bool Finder::isAlike(OpInfo &op) {
  llvm::StringSet<> called;
  return op.native < 0 && op.op.sharing() == Sharing::Any && !op.op.getIsCatch() &&
         op.op.getBody().getOps<StateOp>().empty() && !counted(op.op) && op.op.onTuple(0) &&
         !saysChannel(op.op, /*inHandler=*/true, called);
}

/// Whether the segment of the head changes its batches in place, keeps each row, and is all that
/// the head calls. Its batches come from outside, or from one segment of the channel only.
bool Finder::isSegment(OpInfo &head, int region) {
  for (mlir::Value stream : head.op.getInputs())
    if (auto producer = stream.getDefiningOp<OperatorOp>();
        !producer || (producer.parallelRegion() == region && head.op.getInputs().size() > 1))
      return false;
  std::optional<InPlace> plan = planInPlace(info, head, 0, costs);
  return plan && plan->everyRow && !plan->marks &&
         llvm::all_of(info.segment(head), [&](OpInfo *op) {
           return llvm::any_of(plan->path, [&](auto &step) { return step.first == op; });
         });
}

/// Whether a stream of the operator is dealt by turns to channels of another region: those begin at
/// the channel that a tuple comes from.
bool Finder::isDealtOn(OpInfo &op, int region) {
  for (unsigned port = 0; port < op.op.getNumResults(); ++port)
    for (const Consumer &consumer : info.consumers(op, port))
      if (consumer.op->op.parallelRegion() != region &&
          llvm::any_of(consumer.op->op.splitsOf(consumer.operand),
                       [](SplitAttr split) { return split.getBy() == SplitBy::Row; }))
        return true;
  return false;
}

bool Finder::isAlike(int region) {
  for (const RegionInfo &other : info.regions())
    if (other.desc.getParent() == region)
      return false;
  bool any = false;
  for (auto &op : info.operators()) {
    if (op->op.parallelRegion() != region)
      continue;
    any = true;
    if (!isAlike(*op) || isDealtOn(*op, region) || op->op.inputPorts() != 1 ||
        (op->op.isHead(0) && !isSegment(*op, region)))
      return false;
  }
  return any;
}

llvm::SmallVector<bool> sluice::findWholeBatches(GraphInfo &info, ModuleOp module,
                                                 ArrayRef<double> costs) {
  Finder finder(info, module, costs);
  llvm::SmallVector<bool> whole;
  for (unsigned region = 0; region < info.regions().size(); ++region)
    whole.push_back(finder.isAlike(int(region)));
  return whole;
}

llvm::DenseSet<Operation *> sluice::runningWholeBatches(ModuleOp module) {
  llvm::DenseSet<Operation *> running;
  for (auto graph : module.getOps<GraphOp>()) {
    GraphInfo info(graph);
    SmallVector<bool> whole = findWholeBatches(info, module, segmentNanos(info, module));
    for (auto &op : info.operators())
      if (int region = op->op.parallelRegion(); region >= 0 && whole[region])
        running.insert(op->op);
  }
  return running;
}
