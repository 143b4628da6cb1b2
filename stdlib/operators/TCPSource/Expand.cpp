//===- Expand.cpp - the parts of spl.adapter::TCPSource -------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandTCPSource(stream::OperatorOp op) { return moveOutput(op); }
