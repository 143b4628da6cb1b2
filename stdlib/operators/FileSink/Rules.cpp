//===- Rules.cpp - rules of spl.adapter::FileSink ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"
#include "stdlib/operators/FileSource/FormatRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

/// Several files of one name, of which nobody is told.
static void checkNames(OperatorRules &rules, StringRef mode) {
  bool isNamedAnew = mode != "never" && mode != "dynamic";
  if (!isNamedAnew || rules.has("append") || !rules.op.outputs.empty())
    return;
  const typed::Parameter *file = rules.op.param("file");
  auto *name = llvm::dyn_cast<typed::ConstExpr>(file->values.front().get());
  if (!name || name->text().starts_with("/dev/"))
    return;
  auto has = [&](StringRef part) { return name->text().contains(part); };
  if (!has("{id}") && !has("{localtime:") && !has("{gmtime:"))
    rules.report(name->range, Diag::warn_file_replaced, mode);
}

/// What stands in braces that FileName.cpp does not know is a part of the name. Doubled braces are
/// meant to be.
static void checkTemplates(OperatorRules &rules) {
  const typed::Parameter *file = rules.op.param("file");
  auto *name = file ? llvm::dyn_cast<typed::ConstExpr>(file->values.front().get()) : nullptr;
  if (!name || name->type->kind != SplType::RString)
    return;
  StringRef text = name->text();
  for (size_t at = 0; (at = text.find('{', at)) != StringRef::npos; ++at) {
    StringRef rest = text.drop_front(at);
    if (rest.starts_with("{{")) {
      ++at;
      continue;
    }
    size_t end = rest.find('}');
    StringRef inside = rest.slice(1, end);
    if (end != StringRef::npos && !inside.contains('{') && inside != "id" &&
        !inside.starts_with("localtime:") && !inside.starts_with("gmtime:"))
      rules.report(rules.partOf(*name, at, end + 1), Diag::warn_file_template,
                   rest.take_front(end + 1));
  }
}

void sema::fileSinkRules(OperatorRules &rules) {
  checkTemplates(rules);
  StringRef format = rules.literalOf("format", "csv");
  checkSingleAttribute(rules, format, writtenTypes(rules));
  checkFormat(rules, format);
  static const std::pair<StringRef, StringRef> limits[] = {
      {"count", "tuplesPerFile"}, {"size", "bytesPerFile"}, {"time", "timePerFile"}};
  StringRef mode = rules.literalOf("closeMode", "never");
  for (auto [closeMode, limit] : limits) {
    if (mode == closeMode && !rules.has(limit))
      rules.paramError("closeMode", Diag::err_param_needs, limit);
    else if (mode != closeMode && rules.has(limit))
      rules.paramError(limit, Diag::err_param_needs, ("closeMode : " + closeMode).str());
  }
  checkNames(rules, mode);
  const typed::Parameter *file = rules.op.param("file");
  if (file && mode == "never" && readsTuple(*file->values.front()))
    rules.report(file->range, Diag::warn_file_fixed);
  if (!rules.op.outputs.empty()) {
    const auto &attributes = rules.outputType(0)->attributes;
    if (attributes.size() != 1 || attributes.front().second->kind != SplType::RString)
      rules.error(Diag::err_port_one_rstring, "output");
  }
}
