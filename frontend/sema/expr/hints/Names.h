//===- Names.h - errors about names that mean nothing here ---*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Reports names that mean nothing, or nothing that may stand there, and says what they may mean.
class Names : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  /// False after the report that nothing is called so.
  bool isFunctionName(const ast::NameExpr &);
  ExprPtr unknownName(const ast::NameExpr *, bool isTarget = false, Type hint = nullptr);
  std::nullptr_t ambiguousName(const ast::NameExpr &);
  std::nullptr_t noCurrentTuple(const ast::NameExpr &);
  std::nullptr_t noInput(const ast::NameExpr &);
  /// Whether an unknown name need not be reported here. `instead`: what SPL has for the name of
  /// another language; its namespace is none of SPL.
  bool isReported(const ast::NameExpr &, llvm::StringRef instead = "");
  bool isDashedName(const ast::BinaryExpr *);
  /// A note on an unknown name: what SPL has `instead`, if that is known, or the files with errors
  /// that define it. False if there is none.
  bool noteElsewhere(mlir::InFlightDiagnostic &, const ast::NameExpr &, llvm::StringRef instead);
  /// Notes where other namespaces have what the unqualified `name` lacks: it needs a `use`, or that
  /// namespace. `isThere` says whether a namespace has it. Whether there is any.
  bool noteNamespaces(mlir::InFlightDiagnostic &, Range, llvm::StringRef name,
                      llvm::function_ref<bool(llvm::StringRef ns)> isThere);
  void noteMember(mlir::InFlightDiagnostic &, const ast::NameExpr &base, const ast::MemberExpr &);

private:
  std::nullptr_t noValue(const ast::NameExpr *, llvm::StringRef what, llvm::StringRef meant = "");
  std::string inputNames(bool current);
  llvm::StringRef portWithAttribute(llvm::StringRef name);
  bool isAttributeInPunct(const ast::NameExpr &);
  const AbsentStream *absentWith(llvm::StringRef attribute);
  bool isNearAttribute(const ast::NameExpr &);
  std::optional<std::string> callOf(const ast::NameExpr &);
  /// Whether `is` holds for the type of a current tuple, of which a name alone may be an attribute.
  bool anyCurrentTuple(const ast::NameExpr &, llvm::function_ref<bool(Type)> is);
  /// Whether the input ports have the attribute under a misspelt name, which was reported. Then the
  /// error is counted.
  bool isMisspeltAttribute(const ast::NameExpr &);
  bool isEnumeration(llvm::StringRef ns, llvm::StringRef name);
  bool noteNearStream(mlir::InFlightDiagnostic &, const ast::NameExpr &);
  /// Notes the values that an unknown name may mean; with `asBase` also the types, as a member
  /// follows. False if there are none.
  bool noteNearNames(mlir::InFlightDiagnostic &, const ast::NameExpr &, bool asBase);
};

} // namespace sluice::sema
