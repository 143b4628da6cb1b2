//===- Rules.cpp - rules of spl.utility::Decompress -----------------------===//
#include "stdlib/operators/Compress/BlobRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::decompressRules(OperatorRules &rules) {
  checkBlobs(rules, "decompressionInput");
  if (rules.has("flushOnPunct"))
    rules.paramError("flushPerTuple", Diag::err_params_exclude, "flushOnPunct");
}
