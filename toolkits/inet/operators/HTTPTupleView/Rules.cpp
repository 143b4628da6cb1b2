//===- Rules.cpp - rules of com.ibm.streamsx.inet.rest::HTTPTupleView -----===//
#include "frontend/sema/graph/OperatorRules.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void sema::httpTupleViewRules(OperatorRules &rules) {
  const typed::InputPort &input = rules.op.inputs[0];
  const typed::Parameter *key = rules.op.param("partitionKey");
  if (input.window && input.window->partitioned && !key)
    rules.report(input.window->range, Diag::err_window_partition_by, "partitionKey");
  if (input.window && !input.window->partitioned)
    rules.paramError("partitionKey", Diag::err_window_not_partitioned, input.name);
  if (!key)
    return;
  Type tuple = rules.inputs.front().type;
  for (const typed::ExprPtr &value : key->values)
    for (StringRef name : llvm::split(llvm::cast<typed::ConstExpr>(*value).text(), ','))
      if (!tuple->attribute(name.trim()))
        rules.report(value->range, Diag::err_unknown_attribute, name.trim(), tuple->str());
}
