//===- Rules.cpp - rules of spl.adapter::FileSource ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"
#include "stdlib/operators/FileSource/FormatRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void sema::fileSourceRules(OperatorRules &rules) {
  StringRef format = rules.literalOf("format", "csv");
  bool isOneOfBoth = rules.inputs.empty() == rules.has("file");
  if (!isOneOfBoth)
    rules.error(rules.inputs.empty() ? Diag::err_source_no_file : Diag::err_source_both);
  if (isOneOfBoth && !rules.inputs.empty() &&
      (rules.inputs.front().type->attributes.size() != 1 ||
       rules.inputs.front().type->attributes.front().second->kind != SplType::RString))
    rules.error(Diag::err_port_one_rstring, "input");
  checkSingleAttribute(rules, format, readAttributes(rules));
  checkFormat(rules, format);
  checkHeaderLine(rules);
  if (rules.has("deleteFile") && rules.has("moveFileToDirectory"))
    rules.paramError("moveFileToDirectory", Diag::err_params_exclude, "deleteFile");
  if (rules.has("hotFile") && (rules.has("deleteFile") || rules.has("moveFileToDirectory")))
    rules.paramError("hotFile", Diag::err_params_exclude,
                     rules.has("deleteFile") ? "deleteFile" : "moveFileToDirectory");
  if (rules.has("hotFile") && format == "block" && !rules.has("blockSize"))
    rules.paramError("hotFile", Diag::err_param_needs, "blockSize");
  if (rules.op.outputs.size() > 1) {
    const auto &attributes = rules.outputType(1)->attributes;
    auto has = [&](SplType::Kind kind) {
      return llvm::any_of(attributes, [&](auto &a) { return a.second->kind == kind; });
    };
    if (attributes.size() != 2 || !has(SplType::RString) || !has(SplType::Int32))
      rules.error(Diag::err_source_errors_type);
  }
}
