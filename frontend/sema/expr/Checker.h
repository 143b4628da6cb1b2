//===- Checker.h - the expression half of Sema, inside ---------*- C++ -*-===//
//
// Private to SemaCore, SemaExpr*, SemaStmt*, SemaCall*, SemaType, ConstFold.
//
// A Checker turns syntax into typed trees within one Scope. A null ExprPtr means
// that an error was reported; whoever gets one returns null without a word.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace sluice::sema {

using typed::ExprPtr;
using typed::StmtPtr;

/// The types of a function written in SPL, known before its body is checked.
struct Signature {
  std::vector<Type> params;
  std::vector<bool> isMutable;
  Type result = nullptr;
};

struct Sema::Impl {
  std::map<const ast::Function *, Signature> signatures;
  std::map<const ast::Function *, typed::Function *> functions;
  std::map<const ast::Function *, std::shared_ptr<const typed::Prototype>> prototypes;
  /// Called functions whose bodies are still to be checked.
  struct Pending {
    const ast::Function *function;
    const ast::Unit *unit;
    typed::Function *typed;
  };
  std::deque<Pending> pending;
  llvm::StringSet<> symbols;
  /// Functions where there is no program.
  std::deque<typed::Function> looseFunctions;

  /// Where definitions are resolved.
  std::map<const ast::Unit *, std::unique_ptr<Scope>> fileScopes;
  std::map<const ast::Composite *, std::unique_ptr<Scope>> staticScopes;
  /// In prototypes: types that this release lacks are kept, not refused.
  bool keepTypes = false;

  /// The collections of the `for` loops around the current statement.
  std::vector<const typed::Expr *> iterated;
  unsigned loopDepth = 0;
};

/// The types of a function with a body.
const Signature &signatureOf(Sema &, const ast::Function *, const ast::Unit *);
/// The typed function, to be called; its body is checked later, once.
typed::Function *functionFor(Sema &, const ast::Function *, const ast::Unit *);

/// How a value becomes one of another type.
bool canCast(Type from, Type to);
/// The type of a definition; error type after an error.
Type resolveType(Sema &, const Modules::TypeDef &);
/// The literal suffix of a numeric type: `5` and `l` make an int64.
std::string literalSuffix(Type);
/// `{}` and `[]`, perhaps in parentheses.
bool isEmptyLiteral(const ast::Expr *);
const ast::Expr *stripParens(const ast::Expr *);
/// Whether two places may overlap: one's path is a prefix of the other's.
bool mayAlias(const typed::Expr &a, const typed::Expr &b);

/// What became of an expression that might be constant.
struct Folded {
  enum Result { Unchanged, Done, Fails } result = Unchanged;
  std::string why; // Fails: what would go wrong at run time
};
/// Replaces `e`, whose operands are folded already, if its value is known.
Folded foldNode(ExprPtr &e);
/// The same for a CastExpr.
Folded foldCast(ExprPtr &e);
/// Replaces `e` by a constant of its type at its place.
Folded foldTo(ExprPtr &e, typed::ConstExpr::Value value);

/// Rules over a finished expression: conflicting uses, stateful calls.
void checkEffects(Sema &, const typed::Expr &);
/// Definite assignment over a finished body.
void checkFlow(Sema &, const typed::Stmt &);

class Checker {
public:
  Checker(Sema &sema, Scope &scope) : sema(sema), scope(scope), types(sema.types) {}

  /// Any expression; void ones too. `hint`: the type that an empty literal
  /// takes; `init`: elements of map literals are converted to it.
  ExprPtr any(const ast::Expr *, Type hint = nullptr, bool init = false);
  /// An expression with a value.
  ExprPtr value(const ast::Expr *, Type hint = nullptr, bool init = false);
  /// A value of type `want`, converted as far as `how` allows.
  ExprPtr converted(const ast::Expr *, Type want, Sema::Conversion how, Diag mismatch);
  /// A value of exactly boolean.
  ExprPtr condition(const ast::Expr *);
  StmtPtr stmt(const ast::Stmt *);
  StmtPtr blockIn(const ast::Block *, Scope &inner);
  Type type(const ast::TypeNode *);
  /// Enters a variable into the scope; false after reporting a redefinition.
  bool declare(typed::Variable *);

private:
  Sema &sema;
  Scope &scope;
  TypeContext &types;

  //===--- names (SemaExpr.cpp) ----------------------------------------------===//
  const Entity *lookup(llvm::StringRef name);
  ExprPtr name(const ast::NameExpr *, Type hint, bool init);
  ExprPtr entity(const Entity &, const ast::NameExpr *, Type hint, bool init);
  ExprPtr actual(const Entity &, const ast::NameExpr *, Type hint, bool init);
  ExprPtr tuple(const Entity &, Range);
  ExprPtr enumMember(Type, unsigned index, Range);
  ExprPtr unknownName(const ast::NameExpr *);
  ExprPtr member(const ast::MemberExpr *);
  ExprPtr qualifiedEnum(const ast::MemberExpr *, bool &tried);
  ExprPtr subscript(const ast::SubscriptExpr *);
  ExprPtr slice(const ast::SliceExpr *);
  ExprPtr conditional(const ast::ConditionalExpr *, Type hint, bool init);
  bool isHistory(const ast::Expr *base);

  //===--- literals (SemaExprLiteral.cpp) --------------------------------------===//
  ExprPtr number(const ast::LiteralExpr *, bool negative, Range);
  ExprPtr hex(const ast::LiteralExpr *);
  ExprPtr string(const ast::LiteralExpr *);
  ExprPtr list(const ast::ListExpr *, Type hint, bool init);
  ExprPtr brace(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr tupleLiteral(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr mapLiteral(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr emptyLiteral(const ast::Expr *, Type hint);
  bool elements(llvm::ArrayRef<const ast::Expr *>, Type hint, bool init, llvm::StringRef what,
                std::vector<ExprPtr> &out, Type &elem);

  //===--- operators (SemaExprOperator.cpp, SemaExprAssign.cpp) ----------------===//
  ExprPtr unary(const ast::UnaryExpr *);
  ExprPtr postfix(const ast::PostfixExpr *);
  ExprPtr binary(const ast::BinaryExpr *);
  ExprPtr logical(const ast::BinaryExpr *);
  ExprPtr membership(const ast::BinaryExpr *);
  bool operands(const ast::Expr *l, const ast::Expr *r, ExprPtr &lhs, ExprPtr &rhs);
  /// The result type, or null; sets `lift`.
  Type operatorType(ast::BinaryOp, bool dotted, Type l, Type r, typed::Lift &lift);
  Type scalarOperatorType(ast::BinaryOp, Type l, Type r);
  void badOperands(Range, llvm::StringRef op, const typed::Expr &l, const typed::Expr &r,
                   const ast::Expr *lhs, const ast::Expr *rhs);
  ExprPtr assign(const ast::AssignExpr *);
  ExprPtr incDec(const ast::Expr *operand, Range, bool prefix, bool decrement);
  /// Reports unless `e` may be written; notes the write.
  bool writable(const typed::Expr &e, Range, Diag immutable);

  //===--- conversions (SemaExprCast.cpp) --------------------------------------===//
  ExprPtr cast(const ast::CastExpr *);
  void noteConversion(mlir::InFlightDiagnostic &, const typed::Expr &, Type want);

  //===--- calls (SemaCall*.cpp) ------------------------------------------------===//
  struct Candidate {
    const ast::Function *function = nullptr; // SPL
    const ast::Unit *unit = nullptr;
    std::string ns;
    const typed::Prototype *proto = nullptr; // library or output function
    bool isOutput = false, isBroken = false; // broken: a type in error
    const std::vector<Type> *params = nullptr;
    const std::vector<bool> *isMutable = nullptr;
    llvm::DenseMap<Type, Type> bindings;
  };
  ExprPtr call(const ast::CallExpr *, Type hint);
  std::vector<Candidate> candidates(llvm::StringRef ns, llvm::StringRef name);
  void addFunctions(const ast::Unit *, llvm::StringRef ns, llvm::StringRef name,
                    std::vector<Candidate> &);
  bool arguments(const ast::CallExpr *, std::vector<ExprPtr> &args);
  bool viable(Candidate &, const ast::CallExpr *, llvm::ArrayRef<ExprPtr> args);
  ExprPtr finishCall(Candidate &, const ast::CallExpr *, std::vector<ExprPtr> args);
  void noMatch(const ast::CallExpr *, llvm::StringRef name, llvm::ArrayRef<Candidate>,
               llvm::ArrayRef<ExprPtr> args);
  void noteCandidates(mlir::InFlightDiagnostic &, llvm::ArrayRef<Candidate>);
  Type substitute(Type, const llvm::DenseMap<Type, Type> &);
  void appendLocation(std::vector<ExprPtr> &args, Range call);

  /// True if `name` is an intrinsic; `result` is null after an error.
  bool intrinsic(llvm::StringRef name, const ast::CallExpr *, ExprPtr &result);
  ExprPtr replicaName(llvm::StringRef function, const std::string &name, Range);
  ExprPtr placeName(int which, llvm::StringRef name, Range);
  ExprPtr submissionValue(const ast::CallExpr *, bool isList);
  ExprPtr compileTimeValue(const ast::CallExpr *, bool isList);
  ExprPtr portIndex(const ast::CallExpr *, bool output);
  ExprPtr submit(const ast::CallExpr *);
  std::optional<unsigned> submitPort(const ast::Expr *);
  std::optional<std::string> constantString(const ast::Expr *, llvm::StringRef what);

  //===--- statements (SemaStmt.cpp) --------------------------------------------===//
  StmtPtr decl(const ast::DeclStmt *);
  StmtPtr forLoop(const ast::ForStmt *);
  ExprPtr loopCollection(const ast::ForStmt *, Type declared);
  StmtPtr jump(const ast::JumpStmt *);
  StmtPtr returns(const ast::JumpStmt *);
  StmtPtr body(const ast::Stmt *); // of an if or a loop
  void alias(const ast::TypeAlias &);

  //===--- types (SemaType.cpp) -------------------------------------------------===//
  Type namedType(const ast::TypeNode *);
  Type tupleType(const ast::TypeNode *);
  Type enumType(const ast::TypeNode *);
  bool boundOf(const ast::TypeNode *, uint32_t &bound);
  void unknownType(const ast::TypeNode *);

  //===--- helpers ----------------------------------------------------------------===//
  ExprPtr makeInt(int64_t value, Type type, Range range);
  ExprPtr makeText(std::string text, Range range);
  /// Sets the source text, folds; null if folding proves a failure.
  ExprPtr finish(ExprPtr);
  template <typename... Args> std::nullptr_t error(Range range, Diag id, const Args &...args) {
    sema.diags.report(range, id, args...);
    return nullptr;
  }
  std::nullptr_t unsupported(Range range, llvm::StringRef what);
  /// Names of variables and attributes near `name`.
  std::vector<std::string> similar(llvm::StringRef name);
  void noteSimilar(mlir::InFlightDiagnostic &, Range, llvm::StringRef name);
  bool isError(Type t) { return !t || t->kind == SplType::Error; }
  Type boolean() { return types.get(SplType::Boolean); }
};

} // namespace sluice::sema
