//===- Expand.cpp - spl.utility::CharacterTransform as handlers -----------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// The values of the output clause, in which Convert() is a call of the library (ConvertText.cpp).
static SmallVector<Value> convertedValues(OperatorOp op, HandlerBuilder &code) {
  SmallVector<Value> values = code.inlineBody(*op.output(0), code.argument(0));
  Operation *handler = code.ops().getInsertionBlock()->getParentOp();
  handler->walk([&](spl::OutputFnOp fn) {
    OpBuilder builder(fn);
    Value blob = spl::NativeOp::create(builder, fn.getLoc(), fn.getType(), "sl_convertText_rrB",
                                       fn.getArgs(), builder.getArrayAttr({}), ArrayRef<int32_t>(),
                                       StringAttr(), spl::CallFactsAttr())
                     .getResult();
    for (Value &value : values)
      if (value == fn.getResult())
        value = blob;
    fn.replaceAllUsesWith(blob);
    fn.erase();
  });
  return values;
}

LogicalResult sluice::expandCharacterTransform(OperatorOp op) {
  HandlerBuilder code = beginOnTuple(op, 0);
  code.submit(0, op.output(0) ? code.tuple(op.outputTuple(0), convertedValues(op, code))
                              : outputTuple(op, code, 0));
  code.end();
  addOnPunct(op, 0);
  return success();
}
