//===- JsonRules.h - attributes that parameters name ------------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

/// Of parameters that name an attribute, by itself or as a text.
class JsonRules {
public:
  explicit JsonRules(OperatorRules &rules) : rules(rules) {}

  /// Whether the text is that of an attribute: the type that parameter `param` names in `type`, a
  /// rstring or ustring. Without the parameter it is the only attribute of the type, or
  /// `jsonString`; if that is not there, parameter `wanted` is missing.
  void text(llvm::StringRef param, Type tuple, llvm::StringRef wanted);
  /// The attribute that the parameter names, if it is given, is a tuple, a list or a set.
  void root(llvm::StringRef param, Type tuple);
  /// The attribute that the parameter names, if it is given, is an rstring or a ustring.
  void optionalText(llvm::StringRef param, Type tuple);

private:
  Type named(llvm::StringRef param, Type tuple);
  void wrongType(llvm::StringRef param, llvm::StringRef wanted, Type type);

  OperatorRules &rules;
};

} // namespace sluice::sema
