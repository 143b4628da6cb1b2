//===- Rules.cpp - rules of spl.utility::CharacterTransform ---------------===//
#include "stdlib/operators/FileSource/EncodingRules.h"

using namespace sluice;
using namespace sluice::sema;

/// The encodings in calls of Convert(): AsIs() has one argument.
static void checkCalls(OperatorRules &rules, const typed::Expr &value) {
  auto *call = llvm::dyn_cast<typed::OutputFnExpr>(&value);
  for (size_t i = 0; call && i + 1 < call->args.size(); ++i)
    checkEncoding(rules, *call->args[i]);
  typed::forEachOperand(value, [&](const typed::Expr &part) { checkCalls(rules, part); });
}

void sema::characterTransformRules(OperatorRules &rules) {
  for (const typed::ExprPtr &value : rules.op.outputs.front().values)
    checkCalls(rules, *value);
}
