//===- EncodingRules.cpp - names of encodings -----------------------------===//
#include "stdlib/operators/FileSource/EncodingRules.h"
#include "frontend/diagnostics/Spelling.h"
#include "stdlib/native/unicode/Icu.h"

using namespace sluice;
using namespace sluice::sema;

/// All names of all encodings.
static void offerEncodings(NearNames &names) {
  for (int32_t i = 0; i < icu()->ucnv_countAvailable(); ++i) {
    IcuError error = 0;
    const char *encoding = icu()->ucnv_getAvailableName(i);
    uint16_t count = icu()->ucnv_countAliases(encoding, &error);
    for (uint16_t alias = 0; error <= 0 && alias < count; ++alias)
      names.offer(icu()->ucnv_getAlias(encoding, alias, &error));
  }
}

void sema::checkEncoding(OperatorRules &rules, const typed::Expr &name) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&name);
  if (!constant || !constant->type->isString() || !icu())
    return;
  std::string encoding = constant->text().str();
  if (IcuConverter *converter = icuConverter(encoding))
    return icu()->ucnv_close(converter);
  auto error = rules.diags.report(constant->range, Diag::err_unknown_encoding, encoding);
  NearNames near(encoding);
  offerEncodings(near);
  for (const std::string &other : near.best())
    rules.diags.note(error, constant->range, Diag::note_did_you_mean, other);
}
