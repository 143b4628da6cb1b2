//===- FormatRules.h - rules of operators with formats ----------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

/// The types of the input's attributes without those that parameter `suppress` lists.
std::vector<Type> writtenTypes(OperatorRules &);
/// Formats `line` and `block` hold one attribute: of `attributes`, those in the file.
void checkSingleAttribute(OperatorRules &, llvm::StringRef format, llvm::ArrayRef<Type> attributes);
/// Reports parameters that do not go with the format.
void checkFormat(OperatorRules &, llvm::StringRef format);

} // namespace sluice::sema
