//===- StreamDialect.cpp - registration and types of the stream dialect ---===//
#include "ir/Stream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::stream;

#include "ir/StreamDialect.cpp.inc"
#include "ir/StreamEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/StreamTypes.cpp.inc"

void StreamDialect::initialize() {
  registerAttributes();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/StreamTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/StreamOps.cpp.inc"
      >();
}
