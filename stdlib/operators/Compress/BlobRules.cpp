//===- BlobRules.cpp - operators that make blobs of blobs -----------------===//
#include "stdlib/operators/Compress/BlobRules.h"

using namespace sluice;
using namespace sluice::sema;

static bool isBlob(Type tuple) {
  const auto &attributes = tuple->attributes;
  return attributes.size() == 1 && attributes.front().second->kind == SplType::Blob;
}

void sema::checkBlobs(OperatorRules &rules, llvm::StringRef param) {
  if (!rules.has(param) && !isBlob(rules.inputs.front().type))
    rules.report(rules.op.range, Diag::err_missing_param, param, rules.op.kind);
  if (!isBlob(rules.outputType(0)))
    rules.report(rules.outputRange(0), Diag::err_port_one_blob, rules.op.kind);
}
