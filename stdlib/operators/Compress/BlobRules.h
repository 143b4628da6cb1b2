//===- BlobRules.h - operators that make blobs of blobs ---------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

/// The only attribute of the output is a blob, and so is that of the input, unless parameter
/// `param` says what is read.
void checkBlobs(OperatorRules &, llvm::StringRef param);

} // namespace sluice::sema
