//===- Rules.cpp - rules of com.ibm.streamsx.json::TupleToJSON --------------===//
#include "toolkits/json/operators/shared/JsonRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::tupleToJSONRules(OperatorRules &rules) {
  JsonRules json(rules);
  Type in = rules.inputs.front().type;
  if (rules.has("inputAttribute") && rules.has("rootAttribute"))
    rules.paramError("rootAttribute", Diag::err_params_exclude, "inputAttribute");
  json.root("inputAttribute", in);
  json.root("rootAttribute", in);
  json.text("jsonStringAttribute", rules.outputType(0), "jsonStringAttribute");
}
