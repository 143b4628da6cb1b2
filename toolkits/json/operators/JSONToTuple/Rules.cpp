//===- Rules.cpp - rules of com.ibm.streamsx.json::JSONToTuple --------------===//
#include "toolkits/json/operators/shared/JsonRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::jsonToTupleRules(OperatorRules &rules) {
  JsonRules json(rules);
  Type in = rules.inputs.front().type, out = rules.outputType(0);
  if (rules.has("inputAttribute") && rules.has("jsonStringAttribute"))
    rules.paramError("jsonStringAttribute", Diag::err_params_exclude, "inputAttribute");
  json.text(rules.has("inputAttribute") ? "inputAttribute" : "jsonStringAttribute", in,
            "inputAttribute");
  json.optionalText("jsonStringOutputAttribute", out);
  json.root("targetAttribute", out);
}
