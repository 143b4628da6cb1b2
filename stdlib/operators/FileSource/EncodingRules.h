//===- EncodingRules.h - names of encodings ---------------------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

/// If the value is a constant: ICU has an encoding of that name. Where there is no ICU, the program
/// says so when it runs.
void checkEncoding(OperatorRules &, const typed::Expr &name);

} // namespace sluice::sema
