//===- Calls.h - checks of calls of functions -----------------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// A function that a call may mean.
struct Candidate {
  const ast::Function *function = nullptr; // SPL
  const ast::Unit *unit = nullptr;
  std::string ns;
  const typed::Prototype *proto = nullptr; // library or output function
  bool isOutput = false, isBroken = false; // broken: a type in error
  const std::vector<Type> *typeVars = nullptr;
  const std::vector<Type> *params = nullptr;
  const std::vector<bool> *isMutable = nullptr;
  llvm::DenseMap<Type, Type> bindings;
  unsigned lifted = 0; // arguments that become optional
};

/// Functions of the file itself come before those of the other files of its namespace, which are
/// looked at when none of the own ones fits: an error there disturbs nobody who needs nothing.
enum class Reach { Nearest, Namespace };

/// Finds the function that is called, and checks what it is given.
class Calls : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  ExprPtr call(const ast::CallExpr *);
  std::vector<Candidate> namedBy(const ast::NameExpr &callee, Reach);
  std::vector<Candidate> candidates(llvm::StringRef ns, llvm::StringRef name, Reach);
  /// The type with what its variables stand for; null if one stands for nothing (Generic.cpp).
  Type substitute(Type, const llvm::DenseMap<Type, Type> &);

private:
  std::nullptr_t notCallable(const ast::CallExpr *);
  bool isValue(const ast::Expr *);
  bool isPlannedFunction(llvm::StringRef qualified);
  std::string methodInstead(const ast::MemberExpr *, llvm::ArrayRef<llvm::StringRef> args,
                            Type base);
  std::string valueOfType(const ast::CallExpr *, const ast::NameExpr &callee, Type);
  std::string insteadOf(const ast::CallExpr *, llvm::StringRef name);
  std::nullptr_t notAFunction(const ast::CallExpr *, const ast::NameExpr &callee, const Entity &);
  void noteUnknown(mlir::InFlightDiagnostic &, const ast::CallExpr *, const ast::NameExpr &callee,
                   llvm::StringRef output, std::string instead);
  std::nullptr_t unknownFunction(const ast::CallExpr *, const ast::NameExpr *callee);
  bool isInOneFile(const ast::CallExpr *, llvm::StringRef name, const Candidate &best,
                   llvm::ArrayRef<Candidate *> fitting);
  /// The candidate that fits, lifts the fewest arguments and binds the fewest type variables; null
  /// after an error.
  Candidate *mostSpecific(const ast::CallExpr *, llvm::StringRef name,
                          llvm::MutableArrayRef<Candidate>, llvm::ArrayRef<ExprPtr> args);
  bool finishArguments(const Candidate &, const ast::CallExpr *, std::vector<ExprPtr> &args);
  void addFunctions(const ast::Unit *, llvm::StringRef ns, llvm::StringRef name, Reach,
                    std::vector<Candidate> &);
  bool arguments(const ast::CallExpr *, std::vector<ExprPtr> &args);
  Type acceptedType(const Candidate &, unsigned i, Type actual);
  void addOthers(const ast::NameExpr &callee, const ast::CallExpr *, llvm::ArrayRef<ExprPtr> args,
                 std::vector<Candidate> &found);
  bool viable(Candidate &, const ast::CallExpr *, llvm::ArrayRef<ExprPtr> args);
  Type boundedResult(const Candidate &, llvm::ArrayRef<ExprPtr> args, Type result);
  ExprPtr plainCall(Candidate &, const ast::CallExpr *, std::vector<ExprPtr> args);
  ExprPtr finishCall(Candidate &, const ast::CallExpr *, std::vector<ExprPtr> args);
  /// The prototype of a native function of a toolkit with what its type variables stand for: a
  /// function in C++ is compiled for it. `use`: the call.
  const typed::Prototype *nativeInstance(const Candidate &, Range use);
  std::vector<Type> typeArguments(const Candidate &);
  void appendLocation(std::vector<ExprPtr> &args, Range call);
  void appendToolkits(std::vector<ExprPtr> &args, Range call);
  ExprPtr outputFunction(const Candidate &, Type, const ast::CallExpr *, std::vector<ExprPtr> args);
  bool foldArguments(const typed::Prototype &, const ast::CallExpr *, llvm::ArrayRef<ExprPtr> args);
  std::optional<typed::Algebra> algebra(const typed::Prototype &, llvm::ArrayRef<ExprPtr> args,
                                        Type result);
  const typed::Function *algebraFunction(const typed::Prototype &, llvm::StringRef which,
                                         bool isMutable, llvm::ArrayRef<Type> args, Type result);
};

} // namespace sluice::sema
