//===- Expand.cpp - the parts of spl.adapter::FileSink --------------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Ticker.h"

using namespace sluice;

llvm::LogicalResult sluice::expandFileSink(stream::OperatorOp op) {
  if (literalOf(op, "closeMode") == "time")
    window::addTicker(op, *op.param("timePerFile"), 0, "ticker of files", /*finely=*/true);
  return llvm::success();
}
