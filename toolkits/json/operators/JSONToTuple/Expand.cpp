//===- Expand.cpp - com.ibm.streamsx.json::JSONToTuple as a call --------------===//
#include "toolkits/json/operators/JSONToTuple/BadTexts.h"
#include "toolkits/json/operators/shared/JsonExpand.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::json;

static BadTexts badTexts(stream::OperatorOp op) {
  return op.getNumResults() > 1                                  ? BadTexts::Submitted
         : flagOf(op, "ignoreParsingError", /*otherwise=*/false) ? BadTexts::LeftOut
                                                                 : BadTexts::Fail;
}

LogicalResult sluice::expandJSONToTuple(stream::OperatorOp op) {
  MLIRContext *context = op.getContext();
  spl::TupleType in = op.inputTuple(0), out = op.outputTuple(0);
  HandlerBuilder code = beginOnTuple(op, 0);
  Value tuple = copied(code, code.argument(0), out);
  Value given =
      code.field(code.argument(0), textAttribute(op, in, "inputAttribute", "jsonStringAttribute"));
  Value text = code.cast(given, spl::RStringType::get(context));

  auto target = namedAttribute(op, out, "targetAttribute");
  Value before = target ? code.zero(out.getTypes()[*target]) : tuple;
  mlir::Type type = before.getType(), flag = code.ops().getI1Type();
  auto result = spl::TupleType::get(
      context, {code.ops().getStringAttr("isBad"), code.ops().getStringAttr("value")},
      {flag, type});
  BadTexts bad = badTexts(op);
  mlir::Type byte = IntegerType::get(context, 8, IntegerType::Unsigned);
  Value read = callJSON(
      code, "sl_readJSON_rgrh", {result, type},
      {text, before, textParam(op, code, "prefixToIgnore"), code.constant(byte, int64_t(bad))}, {1},
      result, bad == BadTexts::LeftOut ? spl::Effect::metrics : spl::Effect::none);

  auto submit = [&] {
    Value value = code.field(read, 1);
    value = target ? with(code, tuple, *target, value) : value;
    if (auto copy = namedAttribute(op, out, "jsonStringOutputAttribute"))
      value = with(code, value, *copy, given);
    code.submit(0, value);
  };
  if (bad == BadTexts::Fail)
    submit();
  else
    code.when(
        code.field(read, 0),
        [&] {
          if (bad == BadTexts::Submitted)
            code.submit(1, code.argument(0));
        },
        submit);
  code.end();
  addOnPunct(op, 0);
  return success();
}
