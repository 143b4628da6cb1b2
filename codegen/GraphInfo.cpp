//===- GraphInfo.cpp ------------------------------------------------------===//
#include "codegen/GraphInfo.h"
#include "codegen/Layout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace sluice;
using namespace sluice::stream;

std::string OpInfo::symbol(llvm::StringRef what, unsigned port) const {
  return (llvm::Twine("op") + llvm::Twine(index) + "." + what + llvm::Twine(port)).str();
}

GraphInfo::GraphInfo(GraphOp graph) {
  for (OperatorOp op : graph.getBody().getOps<OperatorOp>()) {
    auto info = std::make_unique<OpInfo>();
    info->op = op;
    info->index = ops.size();
    if (op.getNative())
      info->native = natives++;
    info->firstIn = inPorts;
    info->firstOut = outPorts;
    inPorts += op.inputPorts();
    outPorts += op.getOutputs().size();
    for (StateOp state : op.getBody().getOps<StateOp>()) {
      stateBytes = llvm::alignTo(stateBytes, layout::alignOf(state.getType()));
      info->stateOffsets.push_back(stateBytes);
      stateBytes += layout::sizeOf(state.getType());
    }
    byOp[op] = info.get();
    ops.push_back(std::move(info));
  }
}

llvm::SmallVector<Consumer> GraphInfo::consumers(OpInfo &producer, unsigned outPort) {
  llvm::SmallVector<Consumer> result;
  mlir::Value stream = producer.op.getOutputs()[outPort];
  for (mlir::OpOperand &use : stream.getUses()) {
    auto op = mlir::dyn_cast<OperatorOp>(use.getOwner());
    if (!op)
      continue;
    auto edges = op->getAttrOfType<mlir::DenseI32ArrayAttr>("edges");
    Edge edge = edges ? Edge(edges[use.getOperandNumber()]) : Edge::Direct;
    result.push_back({byOp[op], op.portOf(use.getOperandNumber()), edge});
  }
  // Uses come in no particular order; tuples are delivered in graph order.
  llvm::sort(result, [](const Consumer &a, const Consumer &b) {
    return std::make_pair(a.op->index, a.port) < std::make_pair(b.op->index, b.port);
  });
  return result;
}

bool GraphInfo::hasBatch(OpInfo &op, unsigned outPort) {
  return llvm::any_of(consumers(op, outPort), [](const Consumer &c) { return c.edge != Edge::Direct; });
}

llvm::SmallVector<unsigned> GraphInfo::batchPortsReached(OpInfo &op) {
  llvm::SetVector<OpInfo *> reached;
  llvm::SetVector<unsigned> ports;
  reached.insert(&op);
  for (unsigned i = 0; i < reached.size(); ++i)
    for (unsigned port = 0; port < reached[i]->op.getOutputs().size(); ++port)
      for (const Consumer &c : consumers(*reached[i], port)) {
        if (c.edge == Edge::Direct)
          reached.insert(c.op);
        else
          ports.insert(reached[i]->firstOut + port);
      }
  return llvm::SmallVector<unsigned>(ports.begin(), ports.end());
}
