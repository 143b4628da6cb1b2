//===- Expand.cpp - the control port of S3ObjectStorageScan ---------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandS3ObjectStorageScan(stream::OperatorOp op) {
  return detachInput(op);
}
