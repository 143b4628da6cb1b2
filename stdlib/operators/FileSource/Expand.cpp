//===- Expand.cpp - the parts of spl.adapter::FileSource ------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandFileSource(stream::OperatorOp op) { return moveOutput(op); }
