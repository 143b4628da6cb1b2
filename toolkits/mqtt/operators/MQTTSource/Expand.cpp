//===- Expand.cpp - the control port of com.ibm.streamsx.mqtt::MQTTSource -===//
#include "passes/expand/OperatorExpansion.h"

using namespace sluice;

llvm::LogicalResult sluice::expandMQTTSource(stream::OperatorOp op) { return detachInput(op); }
