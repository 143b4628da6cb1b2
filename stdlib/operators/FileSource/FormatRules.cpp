//===- FormatRules.cpp - rules of operators with formats ------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"
#include "stdlib/operators/FileSource/EncodingRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

std::vector<Type> sema::writtenTypes(OperatorRules &rules) {
  std::vector<Type> written;
  const typed::Parameter *suppress = rules.op.param("suppress");
  for (const auto &[attribute, type] : rules.inputs.front().type->attributes) {
    auto names = [&](const typed::ExprPtr &value) {
      return llvm::cast<typed::ConstExpr>(*value).text() == attribute;
    };
    if (!suppress || llvm::none_of(suppress->values, names))
      written.push_back(type);
  }
  return written;
}

std::vector<Type> sema::readAttributes(OperatorRules &rules) {
  std::vector<Type> read;
  for (auto [value, attribute] :
       llvm::zip(rules.op.outputs.front().values, rules.outputType(0)->attributes))
    if (llvm::isa<typed::SuppliedExpr>(*value))
      read.push_back(attribute.second);
    else if (readsTuple(*value))
      rules.notYet(value->range, "assignments of `" + rules.op.kind + "` that use its input");
  return read;
}

void sema::checkSingleAttribute(OperatorRules &rules, StringRef format,
                                llvm::ArrayRef<Type> attributes) {
  if (format != "line" && format != "block")
    return;
  SplType::Kind want = format == "line" ? SplType::RString : SplType::Blob;
  if (attributes.size() != 1 || attributes.front()->kind != want)
    rules.error(Diag::err_format_attribute, format, rules.types.get(want)->str());
}

/// A separator is a byte: a string or a small number. No reader tells blanks, line ends and quotes
/// from what they are otherwise.
static void checkSeparator(OperatorRules &rules) {
  const typed::Parameter *param = rules.op.param("separator");
  if (!param)
    return;
  Type type = param->values.front()->type;
  if (type->kind != SplType::RString && type->kind != SplType::Int8 && type->kind != SplType::UInt8)
    return rules.typeError("separator", rules.types.get(SplType::UInt8), "rstring, int8 or uint8");
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(param->values.front().get());
  if (!constant)
    return;
  std::string byte = type->kind == SplType::RString ? constant->text().str()
                                                    : std::string(1, char(constant->integer()));
  if (byte.size() != 1 || StringRef(" \n\r\"'").contains(byte[0]))
    rules.report(constant->range, Diag::err_separator);
}

void sema::checkFormat(OperatorRules &rules, StringRef format) {
  checkSeparator(rules);
  if (const typed::Parameter *encoding = rules.op.param("encoding"))
    checkEncoding(rules, *encoding->values.front());
  struct Rule {
    StringRef param, formats;
    enum Wrong { Param, Format, Nothing } wrong = Param; // of the two, if they do not go together
  };
  static const Rule table[] = {{"separator", "csv", Rule::Format},
                               {"encoding", "csv txt line block", Rule::Format},
                               {"defaultTuple", "csv"},
                               {"hasHeaderLine", "csv"},
                               {"quoteStrings", "csv"},
                               {"quoting", "csv"},
                               {"eolMarker", "line"},
                               {"blockSize", "block"},
                               {"readPunctuations", "bin"},
                               {"writePunctuations", "csv txt bin"},
                               {"parsing", "csv txt bin", Rule::Nothing},
                               {"hasDelayField", "csv txt bin"}};
  for (const Rule &rule : table) {
    llvm::SmallVector<StringRef> formats;
    rule.formats.split(formats, ' ');
    const typed::Parameter *param = rules.op.param(rule.param);
    if (!param || llvm::is_contained(formats, format))
      continue;
    const typed::Parameter *at = rule.wrong == Rule::Format ? rules.op.param("format") : param;
    Diag id = rule.wrong == Rule::Nothing ? Diag::warn_param_format : Diag::err_param_format;
    rules.report((at ? at : param)->range, id, rule.param, llvm::join(formats, ", "), format);
  }
}

void sema::checkHeaderLine(OperatorRules &rules) {
  const typed::Parameter *p = rules.op.param("hasHeaderLine");
  if (!p)
    return;
  const typed::Expr &value = *p->values.front();
  if (value.type->kind == SplType::Boolean || value.type->inClass("integral"))
    return;
  auto error = rules.diags.report(value.range, Diag::err_param_takes, "hasHeaderLine",
                                  "a number of lines or a boolean", value.type->str());
  auto *text = llvm::dyn_cast<typed::ConstExpr>(&value);
  unsigned lines;
  if (text && value.type->isString() &&
      (text->text() == "true" || text->text() == "false" || !text->text().getAsInteger(10, lines)))
    rules.diags.note(error, value.range, Diag::note_no_quotes, text->text());
}
