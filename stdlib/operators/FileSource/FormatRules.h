//===- FormatRules.h - rules of operators with formats ----------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

/// The types of the input's attributes without those that parameter `suppress` lists.
std::vector<Type> writtenTypes(OperatorRules &);
/// The types of the attributes that are read: those without an assignment. Reports assignments that
/// use the input.
std::vector<Type> readAttributes(OperatorRules &);
/// Formats `line` and `block` hold one attribute: of `attributes`, those in the file.
void checkSingleAttribute(OperatorRules &, llvm::StringRef format, llvm::ArrayRef<Type> attributes);
/// Reports parameters that do not go with the format.
void checkFormat(OperatorRules &, llvm::StringRef format);
/// Reports `hasHeaderLine` of a wrong type.
void checkHeaderLine(OperatorRules &);

} // namespace sluice::sema
