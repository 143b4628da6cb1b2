//===- Rules.cpp - rules of com.ibm.streamsx.inet.http::HTTPRequest -------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::httpRequestRules(OperatorRules &rules) {
  for (auto [one, other] : {std::pair{"url", "fixedUrl"}, {"method", "fixedMethod"}}) {
    if (rules.has(one) && rules.has(other))
      rules.paramError(other, Diag::err_params_exclude, one);
    if (!rules.has(one) && !rules.has(other))
      rules.report(rules.op.range, Diag::err_missing_param, one, rules.op.kind);
  }
  if (rules.has("contentType"))
    rules.paramError("fixedContentType", Diag::err_params_exclude, "contentType");
  if (rules.has("outputBody"))
    rules.paramError("outputDataLine", Diag::err_params_exclude, "outputBody");
}
