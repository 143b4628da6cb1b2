//===- Rules.cpp - rules of spl.adapter::Export --------------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

/// Smaller numbers are sent as int64 and float64.
static bool isProperty(Type type) {
  return type->kind == SplType::RString || type->kind == SplType::Float32 ||
         type->kind == SplType::Float64 || (type->isInteger() && type->kind != SplType::UInt64);
}

void sema::exportRules(OperatorRules &rules) {
  if (rules.has("streamId") && rules.has("properties"))
    rules.report(rules.op.range, Diag::err_params_exclude, "properties", "streamId");
  const typed::Parameter *properties = rules.op.param("properties");
  if (!properties)
    return;
  const typed::Expr &tuple = *properties->values.front();
  if (tuple.type->kind != SplType::Tuple)
    return rules.report(tuple.range, Diag::err_param_takes, "properties",
                        "a tuple, such as `{kind = \"trade\", level = 3l}`", tuple.type->str());
  for (const auto &[name, type] : tuple.type->attributes) {
    bool isList = type->kind == SplType::List;
    if (isProperty(isList ? type->args[0] : type))
      continue;
    if (type->isInteger())
      rules.reportWith(Diag::note_property_int64, tuple.range, Diag::err_property_type, name,
                       type->str());
    else
      rules.report(tuple.range, Diag::err_property_type, name, type->str());
  }
}
