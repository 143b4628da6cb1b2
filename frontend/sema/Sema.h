//===- Sema.h - checks of text in scopes ------------------------*- C++ -*-===//
//
// Sema checks expressions, statements, functions and types (sema/expr). The graph
// half (sema/graph) instantiates composites, checks invocations, and builds the
// Scopes in which their text is checked.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/Frontend.h"
#include "frontend/modules/Modules.h"
#include "frontend/sema/Scope.h"
#include "frontend/sema/Suspicions.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace sluice::sema {

/// Whether the value is known at compile time: a constant, or a literal of constants. Expressions
/// are folded when they are checked, so this does not evaluate anything.
bool isConstant(const typed::Expr &);

/// The attributes of a tuple type that a misspelt one may mean.
NearNames nearAttributes(Type tuple, llvm::StringRef name);

/// State of one analysis.
struct Sema {
  ASTContext &ast;
  TypeContext &types;
  Diagnostics &diags;
  const FrontendOptions &options;
  Modules *modules = nullptr;
  typed::Program *program = nullptr;
  Suspicions suspicions;
  struct Impl;
  std::unique_ptr<Impl> impl;    // caches of functions, prototypes, scopes
  llvm::StringSet<> askedValues; // compile-time values that the program asks for
  Sema(ASTContext &, TypeContext &, Diagnostics &, const FrontendOptions &);
  ~Sema();

  /// How far a value may be converted to `expected`.
  enum Conversion {
    Exact,       // the same type (empty literals take it)
    Initialiser, // any explicit cast is inserted (variables, state)
    Numeric,     // integer literals for any numeric (parameters such as iterations: 20)
  };
  /// Null after an error. `expected` may be null.
  typed::ExprPtr checkExpr(const ast::Expr *, Scope &, Type expected = nullptr, Conversion = Exact);
  /// The value of an attribute of a tuple. If it has another type, which is reported, that of the
  /// attribute is in doubt.
  typed::ExprPtr checkAttributeValue(const ast::Expr *, Scope &, Type tuple,
                                     llvm::StringRef attribute);
  /// Whether a value of the attribute was refused: the declared type may be the mistake. Then the
  /// use that asks is an error that is not shown.
  bool isDoubtful(Type tuple, llvm::StringRef attribute);
  /// Notes how a value of type `want` could be had instead.
  void noteConversion(mlir::InFlightDiagnostic &, const typed::Expr &, Type want, Scope &);
  /// Reports a name in the place of a function that means none; true if it means one.
  bool checkFunctionName(const ast::NameExpr &, Scope &);
  /// A whole body, with definite assignment.
  typed::StmtPtr checkStmt(const ast::Stmt *, Scope &);
  /// A state declaration of a logic clause: one Variable per declarator is added
  /// to scope.variableOwner() and scope.values; initialisers (or null) to `inits`.
  void checkState(const ast::DeclStmt *, Scope &, std::vector<typed::Variable *> &vars,
                  std::vector<typed::ExprPtr> &inits);
  /// The error type after an error. Enum members enter `scope.values`.
  Type checkType(const ast::TypeNode *, Scope &);
  /// The type of a name in the scopes or the modules; null if there is none. With `use`, which
  /// gets the report, the error type if several files define it.
  Type findType(llvm::StringRef name, Scope &, std::optional<Range> use = std::nullopt);
  /// A constant expression. Null after reporting that it is not constant, or another error.
  typed::ExprPtr checkConstant(const ast::Expr *, Scope &, Type expected = nullptr);
  /// Checks the bodies of all functions that were called, and of those that they call.
  void checkPendingFunctions();
  /// The typed prototype of a library function.
  const typed::Prototype *prototype(const ast::Function *, const ast::Unit *, llvm::StringRef ns);
  /// Adds a CastExpr, or gives a literal the type `to`. Null if no such cast exists. `isWritten`:
  /// by a cast in the text.
  typed::ExprPtr convert(typed::ExprPtr, Type to, bool isWritten = false);
  /// Whether it was reported that a name in this part of the text is unknown.
  bool isUnknownIn(Range, llvm::StringRef name) const;
  /// Where the attribute of a tuple type is declared, if that is one place.
  std::optional<Range> attributePlace(Type tuple, llvm::StringRef name) const;
  /// Reports variables of an operator that nothing reads.
  void warnUnread(const typed::Operator &);
  /// The index of a value in program->submissions. Reports a default that differs from another.
  unsigned submission(llvm::StringRef name, bool isList, std::optional<std::string> defaultValue,
                      Scope &, Range);
  /// Checks all functions and types of one unit, used or not.
  void checkUnitFunctions(const ast::Unit *);
};

} // namespace sluice::sema
