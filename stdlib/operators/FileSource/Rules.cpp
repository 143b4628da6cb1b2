//===- Rules.cpp - what models cannot say -----------------------===//
//
// Rules of single operators (toolkit.md 3.3 to 3.5): which parameters go
// together, what their values say about types.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/OperatorCheck.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

const typed::Parameter *typed::Operator::param(StringRef wanted) const {
  for (const typed::Parameter &p : params)
    if (p.name == wanted)
      return &p;
  return nullptr;
}

void OperatorCheck::rules() {
  std::string kind = model.qualified();
  if (kind == "spl.utility::Split")
    splitRules();
  else if (kind == "spl.utility::Union")
    unionRules();
  else if (kind == "spl.adapter::FileSource")
    fileSourceRules();
  else if (kind == "spl.adapter::FileSink")
    fileSinkRules();
}

StringRef OperatorCheck::literalOf(StringRef param, StringRef otherwise) const {
  const typed::Parameter *p = op.param(param);
  return p && !p->values.empty() ? StringRef(p->values.front()->text) : otherwise;
}

void OperatorCheck::splitRules() {
  if (has("index") && (has("key") || has("file")))
    paramError(has("file") ? "file" : "key", Diag::err_params_exclude, "index");
  else if (has("file") && !has("key"))
    paramError("file", Diag::err_param_needs, "key");
  else if (!has("index") && !has("file"))
    ruleError(Diag::err_split_index);
  if (const typed::Parameter *index = op.param("index")) {
    Type type = index->values.front()->type;
    bool list = type->kind == SplType::List;
    if (!(list ? type->args.front() : type)->isInteger())
      diags.report(index->values.front()->range, Diag::err_split_index_type, type->str());
  }
}

void OperatorCheck::unionRules() {
  for (const auto &[attribute, type] : op.outputs.front().stream->type->attributes)
    for (const PortView &port : ports)
      if (port.type->attribute(attribute) != type)
        ruleError(Diag::err_union_attribute, type->str(), attribute, port.name);
}

//===--- files --------------------------------------------------------------===//

/// Formats `line` and `block` deal in one attribute.
void OperatorCheck::singleAttribute(StringRef format, llvm::ArrayRef<Type> attributes) {
  if (format != "line" && format != "block")
    return;
  SplType::Kind want = format == "line" ? SplType::RString : SplType::Blob;
  if (attributes.size() != 1 || attributes.front()->kind != want)
    ruleError(Diag::err_format_attribute, format, types.get(want)->str());
}

/// Parameters that go with some formats only.
void OperatorCheck::formatRules(StringRef format) {
  struct Rule {
    StringRef param, formats;
    bool atFormat = false; // the format is the odd one out
  };
  static const Rule table[] = {{"separator", "csv", true},
                               {"encoding", "csv txt line block", true},
                               {"defaultTuple", "csv"},
                               {"hasHeaderLine", "csv"},
                               {"quoteStrings", "csv"},
                               {"eolMarker", "line"},
                               {"blockSize", "block"},
                               {"readPunctuations", "bin"},
                               {"writePunctuations", "csv txt bin"},
                               {"parsing", "csv txt bin"},
                               {"hasDelayField", "csv txt bin"}};
  for (const Rule &rule : table) {
    llvm::SmallVector<StringRef> formats;
    rule.formats.split(formats, ' ');
    const typed::Parameter *param = op.param(rule.param);
    if (!param || llvm::is_contained(formats, format))
      continue;
    const typed::Parameter *at = rule.atFormat ? op.param("format") : param;
    diags.report((at ? at : param)->range, Diag::err_param_format, rule.param,
                 llvm::join(formats, ", "), format);
  }
}

void OperatorCheck::fileSourceRules() {
  StringRef format = literalOf("format", "csv");
  if (ports.empty() != has("file"))
    ruleError(ports.empty() ? Diag::err_source_no_file : Diag::err_source_both);
  if (!ports.empty() && (ports.front().type->attributes.size() != 1 ||
                         ports.front().type->attributes.front().second->kind != SplType::RString))
    ruleError(Diag::err_port_one_rstring, "input");
  std::vector<Type> fromFile;
  for (auto [value, attribute] :
       llvm::zip(op.outputs.front().values, op.outputs.front().stream->type->attributes))
    if (value->kind == typed::ExprKind::OutputFn && value->name == "AsIs")
      fromFile.push_back(attribute.second);
    else if (readsTuple(*value))
      notYet(value->range, "assignments of `" + name() + "` that use its input");
  singleAttribute(format, fromFile);
  formatRules(format);
  if (const typed::Parameter *p = op.param("defaultTuple");
      p && p->values.front()->type != op.outputs.front().stream->type)
    diags.report(p->range, Diag::err_default_tuple, op.outputs.front().stream->type->str(),
                 p->values.front()->type->str());
  if (has("deleteFile") && has("moveFileToDirectory"))
    paramError("moveFileToDirectory", Diag::err_params_exclude, "deleteFile");
  if (has("hotFile") && (has("deleteFile") || has("moveFileToDirectory")))
    paramError("hotFile", Diag::err_params_exclude,
               has("deleteFile") ? "deleteFile" : "moveFileToDirectory");
  if (op.outputs.size() > 1) {
    const auto &attributes = op.outputs[1].stream->type->attributes;
    if (attributes.size() != 2 || attributes[0].second->kind != SplType::RString ||
        attributes[1].second->kind != SplType::Int32)
      ruleError(Diag::err_source_errors_type);
  }
}

void OperatorCheck::fileSinkRules() {
  StringRef format = literalOf("format", "csv");
  std::vector<Type> written;
  for (const auto &[attribute, type] : ports.front().type->attributes) {
    const typed::Parameter *suppress = op.param("suppress");
    if (!suppress ||
        llvm::none_of(suppress->values, [&](auto &value) { return value->text == attribute; }))
      written.push_back(type);
  }
  singleAttribute(format, written);
  formatRules(format);
  static const std::pair<StringRef, StringRef> limits[] = {
      {"count", "tuplesPerFile"}, {"size", "bytesPerFile"}, {"time", "timePerFile"}};
  StringRef mode = literalOf("closeMode", "never");
  for (auto [closeMode, limit] : limits) {
    if (mode == closeMode && !has(limit))
      paramError("closeMode", Diag::err_param_needs, limit);
    else if (mode != closeMode && has(limit))
      paramError(limit, Diag::err_param_needs, ("closeMode : " + closeMode).str());
  }
  if (!op.outputs.empty()) {
    const auto &attributes = op.outputs.front().stream->type->attributes;
    if (attributes.size() != 1 || attributes.front().second->kind != SplType::RString)
      ruleError(Diag::err_port_one_rstring, "output");
    notYet(invocation.outputs.front().stream.range, "the output port of `" + name() + "`");
  }
  for (typed::Parameter &param : op.params) {
    if (param.name != "file")
      continue;
    if (readsTuple(*param.values.front()))
      notYet(param.range, "a file name that depends on the tuple");
    param.perTuple = false;
  }
}
