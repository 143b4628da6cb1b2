//===- Expand.cpp - com.ibm.streamsx.json::TupleToJSON as a call --------------===//
#include "toolkits/json/operators/shared/JsonExpand.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::json;

LogicalResult sluice::expandTupleToJSON(stream::OperatorOp op) {
  spl::TupleType in = op.inputTuple(0), out = op.outputTuple(0);
  HandlerBuilder code = beginOnTuple(op, 0);
  Value root = code.argument(0);
  auto named = namedAttribute(op, in, "inputAttribute");
  if (!named)
    named = namedAttribute(op, in, "rootAttribute");
  if (named)
    root = code.field(root, *named);
  Value text = callJSON(code, "sl_writeJSON_gr", root.getType(),
                        {root, textParam(op, code, "prefixToIgnore")}, {0},
                        spl::RStringType::get(op.getContext()));
  unsigned to = textAttribute(op, out, "jsonStringAttribute", "jsonStringAttribute");
  code.submit(0, with(code, copied(code, code.argument(0), out), to, text));
  code.end();
  addOnPunct(op, 0);
  return success();
}
