//===- Checker.h - checks of expressions, statements and types ---*- C++ -*-===//
//
// A Checker turns expressions into typed trees within one Scope. A null ExprPtr means that
// an error was reported; who gets one returns null and reports nothing more. Each kind of text has
// a class of its own, which is made where it is needed: Literals, Operators, Calls, Statements, ...
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/expr/SemaImpl.h"
#include "frontend/sema/expr/fold/ConstFold.h"
#include "frontend/sema/expr/hints/Foreign.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice::sema {

using typed::ExprPtr;
using typed::StmtPtr;

/// Whether there is a cast from one type to the other.
bool canCast(Type from, Type to);
/// The type of a definition; the error type after an error.
Type resolveType(Sema &, const Modules::TypeDef &);
/// The literal suffix of a numeric type: `5` and `l` make an int64.
std::string literalSuffix(Type);
/// `{}` and `[]`, perhaps in parentheses.
bool isEmptyLiteral(const ast::Expr *);
/// Whether an empty literal is a value of the type: `[]` also of a blob, which is a list of bytes.
bool isEmptyValueOf(const ast::Expr *literal, Type);
const ast::Expr *stripParens(const ast::Expr *);
bool isNull(const ast::Expr *);
/// An empty literal or `null`: its type is that of what it stands beside.
bool takesItsType(const ast::Expr *);
/// Whether two places may overlap: one's path is a prefix of the other's.
bool mayAlias(const typed::Expr &a, const typed::Expr &b);

/// Whether a value of type `to` can hold what a computation in `from` loses or cannot do.
bool widens(Type from, Type to);
/// Binds the variables of `formal` so that it becomes `actual`.
bool unify(Type formal, Type actual, llvm::DenseMap<Type, Type> &bindings);
/// The type without its bound, if `formal`, a parameter of a toolkit's function, is of that kind
/// and has none; else the type itself. Such functions take bounded values as they take others.
Type withoutBound(TypeContext &, Type formal, Type actual);

/// Reports conflicting uses and several stateful calls in a finished expression.
void checkEffects(Sema &, const typed::Expr &);
/// Reports variables that a finished body may read before it assigns them.
void checkFlow(Sema &, const typed::Stmt &);

/// Reports local and state variables that nothing reads. Asks for a body without errors.
void warnUnread(Sema &, const std::deque<typed::Variable> &);
/// Whether the conversion of the constant `from` has made another value of it.
bool isChanged(const typed::ConstExpr &from, const typed::ConstExpr &to, bool isWritten);
/// Reports that a constant has another value after its conversion. A cast that is written may
/// change the sign and the fraction.
void warnChanged(Diagnostics &, const typed::ConstExpr &from, const typed::Expr &to,
                 bool isWritten);

/// The function that is called, if its result lacks the fraction where it is an integer; else null.
const typed::Prototype *truncating(const typed::Expr &call);

class Checker;

/// What all checks of text within one scope share.
struct CheckerBase {
  CheckerBase(Sema &sema, Scope &scope) : sema(sema), scope(scope), types(sema.types) {}

  const Entity *lookup(llvm::StringRef name);
  ExprPtr makeInt(int64_t value, Type type, Range range);
  ExprPtr makeText(std::string text, Range range);
  /// Sets the source text and folds. Null after reporting that the operation certainly fails.
  ExprPtr finish(ExprPtr);
  template <typename... Args> std::nullptr_t error(Range range, Diag id, const Args &...args) {
    sema.diags.report(range, id, args...);
    return nullptr;
  }
  std::nullptr_t unsupported(Range range, llvm::StringRef what);
  bool isError(Type t) { return !t || t->kind == SplType::Error; }
  Type boolean() { return types.get(SplType::Boolean); }

  Sema &sema;
  Scope &scope;
  TypeContext &types;
};

/// The checks of one kind of text, which ask the checker for those of its parts.
struct CheckerPart : CheckerBase {
  explicit CheckerPart(Checker &checker);
  Checker &checker;
};

/// The checks of names, of parts of values and of conversions.
class Checker : public CheckerBase {
public:
  using CheckerBase::CheckerBase;

  const ast::Expr *statement = nullptr; // whose expression is being checked

  /// An expression of any type, also void. `hint` is the type that an empty literal takes. With
  /// `init`, the elements of map literals are converted to it.
  ExprPtr any(const ast::Expr *, Type hint = nullptr, bool init = false);
  /// An expression with a value.
  ExprPtr value(const ast::Expr *, Type hint = nullptr, bool init = false);
  /// A value of type `want`, converted as far as `how` allows. `refused` may add notes to the error
  /// about a value of another type.
  ExprPtr converted(const ast::Expr *, Type want, Sema::Conversion how, Diag mismatch,
                    llvm::function_ref<void(mlir::InFlightDiagnostic &, Type have)> refused = {});
  /// The initial value of a variable. If it has another type, that of the variable is in doubt.
  ExprPtr initialiser(const ast::Declarator &, Type declared);
  /// A value of type boolean.
  ExprPtr condition(const ast::Expr *);

private:
  ExprPtr name(const ast::NameExpr *, Type hint, bool init);
  ExprPtr entity(const Entity &, const ast::NameExpr *, Type hint, bool init);
  ExprPtr actual(const Entity &, const ast::NameExpr *, Type hint, bool init);
  ExprPtr tuple(const Entity &, Range);
  ExprPtr enumMember(const Modules::EnumMember &, Range);
  ExprPtr enumMember(Type, unsigned index, Range);
  bool isKnownMember(const ast::NameExpr &base, const ast::MemberExpr &);
  ExprPtr member(const ast::MemberExpr *);
  ExprPtr qualifiedEnum(const ast::MemberExpr *, bool &tried);
  ExprPtr subscript(const ast::SubscriptExpr *);
  ExprPtr slice(const ast::SliceExpr *);
  ExprPtr conditional(const ast::ConditionalExpr *, Type hint, bool init);
  /// The port whose current tuple a subscript is applied to, or null.
  const Entity *historyPort(const ast::Expr *base);
  ExprPtr history(const ast::SubscriptExpr *, const Entity &port);
  std::nullptr_t historyError(Range, Diag, llvm::StringRef port, llvm::StringRef found = {});
  ExprPtr cast(const ast::CastExpr *);
};

inline CheckerPart::CheckerPart(Checker &checker) : CheckerBase(checker), checker(checker) {}

} // namespace sluice::sema
