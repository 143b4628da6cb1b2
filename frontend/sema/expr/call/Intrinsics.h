//===- Intrinsics.h - functions that the compiler evaluates ---*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// A function that the compiler evaluates or rewrites.
enum class Intrinsic;
/// Whether it is a function of the language that no file declares, and one without arguments.
bool isIntrinsic(llvm::StringRef name);
bool takesNothing(llvm::StringRef intrinsic);

/// Calls of intrinsics: values of the compilation, ports, submission.
class Intrinsics : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  /// True if `name` is an intrinsic; `result` is null after an error.
  bool intrinsic(llvm::StringRef name, const ast::CallExpr *, ExprPtr &result);
  void offerIntrinsics(NearNames &);

private:
  ExprPtr replicaName(llvm::StringRef function, const std::string &name, Range);
  ExprPtr placeName(Intrinsic which, llvm::StringRef name, Range);
  ExprPtr operatorName(Intrinsic which, llvm::StringRef name, Range);
  ExprPtr submissionValue(const ast::CallExpr *, bool isList);
  ExprPtr compileTimeValue(const ast::CallExpr *, bool isList);
  ExprPtr portIndex(const ast::CallExpr *, bool output);
  ExprPtr submit(const ast::CallExpr *);
  std::nullptr_t unknownPort(const ast::NameExpr &, bool output);
  std::optional<unsigned> submitPort(const ast::Expr *);
  std::optional<std::string> constantString(const ast::Expr *, llvm::StringRef what);
};

} // namespace sluice::sema
