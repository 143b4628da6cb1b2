//===- Expand.cpp - spl.control::JobControlPlane has no handlers ------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

LogicalResult sluice::expandJobControlPlane(OperatorOp) { return success(); }
