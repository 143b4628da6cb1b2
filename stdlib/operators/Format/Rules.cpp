//===- Rules.cpp - rules of spl.utility::Format ---------------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::formatRules(OperatorRules &rules) {
  llvm::StringRef format = rules.literalOf("format", "csv");
  checkSingleAttribute(rules, format, writtenTypes(rules));
  checkFormat(rules, format);
}
