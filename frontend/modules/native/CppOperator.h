//===- CppOperator.h - operators that a toolkit has in C++ -------*- C++ -*-===//
//
// An operator model is a file NAME/NAME.xml in the directory of a namespace; NAME/NAME.cpp is the
// operator. The model is read as an `operator` declaration (OperatorModel.h) that says the same.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/modules/native/NativeModel.h"

namespace sluice {

/// The C++ of an operator.
struct CppOperator {
  std::shared_ptr<const NativeSet> set;
  std::string source;       // the path
  bool isStateless = false; // it remembers nothing from one tuple to the next
};

namespace sema {

/// What the XML of an operator says.
struct CppOperatorModel {
  CppOperator code;
  std::string declaration;     // of a toolkit file
  std::vector<uint32_t> lines; // for each line of it, the line of the XML that it is from
  std::string refusal;         // why no program can use it; empty: it can
  std::optional<NativeModel::Problem> problem;
};

/// Reads the model `xml`, whose path is `path`, of the operator `name`.
CppOperatorModel readCppOperator(llvm::StringRef xml, llvm::StringRef path, llvm::StringRef name,
                                 llvm::StringRef toolkit);

} // namespace sema
} // namespace sluice
