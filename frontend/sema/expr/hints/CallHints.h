//===- CallHints.h - notes on calls --------------------------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/call/Calls.h"

namespace sluice::sema {

/// Says what could be called instead.
class CallHints : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  llvm::StringRef outputInstead(llvm::StringRef name);
  /// What SPL writes for a call whose first argument is of type `first`; empty if that is not
  /// known.
  std::string callInstead(const ast::CallExpr *, llvm::StringRef name, Type first);
  void noMatch(const ast::CallExpr *, llvm::StringRef name, llvm::ArrayRef<Candidate>,
               llvm::ArrayRef<ExprPtr> args);
  void noteCandidates(mlir::InFlightDiagnostic &, llvm::ArrayRef<Candidate>);
  bool noteNearFunctions(mlir::InFlightDiagnostic &, const ast::NameExpr &);
  bool noteOutputFunction(mlir::InFlightDiagnostic &, const ast::NameExpr &, llvm::StringRef name);

private:
  std::string joinedArguments(const ast::CallExpr *, llvm::StringRef name,
                              llvm::ArrayRef<Candidate> found, llvm::ArrayRef<ExprPtr> args);
  void noteWrongArguments(mlir::InFlightDiagnostic &, const ast::CallExpr *,
                          llvm::ArrayRef<Candidate>, llvm::ArrayRef<ExprPtr> args);
  void noteCommonType(mlir::InFlightDiagnostic &, llvm::ArrayRef<Candidate>,
                      llvm::ArrayRef<ExprPtr> args);
  bool noteArgumentTypes(mlir::InFlightDiagnostic &, const ast::CallExpr *,
                         llvm::ArrayRef<Candidate>, llvm::ArrayRef<ExprPtr> args);
};

} // namespace sluice::sema
