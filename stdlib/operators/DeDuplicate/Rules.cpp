//===- Rules.cpp - rules of spl.utility::DeDuplicate ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

/// An attribute of numbers or timestamps, and a distance of the same type.
static void checkDelta(OperatorRules &rules) {
  const typed::Expr &name = *rules.op.param("deltaAttribute")->values.front();
  Type attribute = rules.inputs[0].type->attribute(llvm::cast<typed::ConstExpr>(name).text());
  Type delta = rules.op.param("delta")->values.front()->type;
  bool hasDistance = attribute->inClass("ordered") && attribute->inClass("numeric");
  if (!hasDistance && attribute->kind != SplType::Timestamp)
    rules.paramError("deltaAttribute", Diag::err_param_class, "numeric", attribute->str());
  else if (delta != attribute)
    rules.typeError("delta", attribute, attribute->str());
}

void sema::deDuplicateRules(OperatorRules &rules) {
  rules.checkKey("key", "all tuples are one group");
  llvm::StringRef first = rules.has("count") ? "count" : "timeOut";
  if (rules.has("count"))
    rules.paramError("timeOut", Diag::err_params_exclude, "count");
  if (rules.has(first))
    for (llvm::StringRef other : {"deltaAttribute", "delta"})
      rules.paramError(other, Diag::err_params_exclude, first);
  if (!rules.has("delta"))
    rules.paramError("deltaAttribute", Diag::err_param_needs, "delta");
  else if (!rules.has("deltaAttribute"))
    rules.paramError("delta", Diag::err_param_needs, "deltaAttribute");
  else
    checkDelta(rules);
  Type wanted = rules.types.get(SplType::UInt64);
  if (const typed::Parameter *count = rules.op.param("count"))
    if (count->values.front()->type != wanted)
      rules.typeError("count", wanted, wanted->str());
}
