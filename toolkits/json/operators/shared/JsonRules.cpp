//===- JsonRules.cpp - attributes that parameters name --------------------===//
#include "toolkits/json/operators/shared/JsonRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

static const typed::ConstExpr &nameIn(const typed::Parameter &param) {
  return llvm::cast<typed::ConstExpr>(*param.values.front());
}

static bool isText(Type type) {
  return type->kind == SplType::RString || type->kind == SplType::UString;
}

/// Null if there is none, which is reported, or no parameter.
Type JsonRules::named(StringRef param, Type tuple) {
  const typed::Parameter *given = rules.op.param(param);
  if (!given)
    return nullptr;
  const typed::ConstExpr &name = nameIn(*given);
  Type type = tuple->attribute(name.text());
  if (!type)
    rules.report(name.range, Diag::err_unknown_attribute, name.text(), tuple->str());
  return type;
}

void JsonRules::wrongType(StringRef param, StringRef wanted, Type type) {
  const typed::ConstExpr &name = nameIn(*rules.op.param(param));
  rules.report(name.range, Diag::err_named_attribute, param, wanted, name.text(), type->str());
}

void JsonRules::optionalText(StringRef param, Type tuple) {
  Type type = named(param, tuple);
  if (type && !isText(type))
    wrongType(param, "an rstring or ustring", type);
}

void JsonRules::text(StringRef param, Type tuple, StringRef wanted) {
  if (rules.has(param))
    return optionalText(param, tuple);
  Type only = tuple->attributes.size() == 1 ? tuple->attributes.front().second
                                            : tuple->attribute("jsonString");
  if (!only || !isText(only))
    rules.report(rules.op.range, Diag::err_missing_param, wanted, rules.op.kind);
}

void JsonRules::root(StringRef param, Type tuple) {
  Type type = named(param, tuple);
  if (type && type->kind != SplType::Tuple && type->kind != SplType::List &&
      type->kind != SplType::Set)
    wrongType(param, "a tuple, list or set", type);
}
