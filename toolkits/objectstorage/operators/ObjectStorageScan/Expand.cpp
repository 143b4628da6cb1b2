//===- Expand.cpp - the control port of ObjectStorageScan -----------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandObjectStorageScan(stream::OperatorOp op) {
  return detachInput(op);
}
