//===- Rules.cpp - rules of spl.utility::Parse --------------------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void sema::parseRules(OperatorRules &rules) {
  StringRef format = rules.literalOf("format", "csv");
  const auto &attributes = rules.inputs.front().type->attributes;
  bool isBlob = attributes.size() == 1 && attributes.front().second->kind == SplType::Blob;
  if (!isBlob && !rules.has("parseInput"))
    rules.report(rules.op.range, Diag::err_missing_param, "parseInput", rules.op.kind);
  if (format == "block" && !rules.has("blockSize"))
    rules.paramError("format", Diag::err_param_needs, "blockSize");
  checkSingleAttribute(rules, format, readAttributes(rules));
  checkFormat(rules, format);
  checkHeaderLine(rules);
}
