//===- Expand.cpp - spl.utility::Union as handlers ----------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Each output attribute is the input's of the same name.
LogicalResult sluice::expandUnion(OperatorOp op) {
  spl::TupleType type = op.outputTuple(0);
  for (unsigned port = 0; port < op.inputPorts(); ++port) {
    HandlerBuilder code = beginOnTuple(op, port);
    auto names = op.inputTuple(port).getNames();
    SmallVector<Value> values;
    for (StringAttr name : type.getNames()) {
      auto found = llvm::find(names, name);
      if (found == names.end())
        return op.emitError("input port ")
               << port << " lacks attribute '" << name.getValue() << "'";
      values.push_back(code.field(code.argument(0), found - names.begin()));
    }
    code.submit(0, code.tuple(type, values));
    code.end();
    addOnPunct(op, port);
  }
  return success();
}
