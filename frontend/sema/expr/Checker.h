//===- Checker.h - checks of expressions, statements and types ---*- C++ -*-===//
//
// A Checker turns syntax into typed trees within one Scope. A null ExprPtr means that
// an error was reported; who gets one returns null and reports nothing more.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/expr/ConstFold.h"
#include "frontend/sema/expr/Foreign.h"
#include "frontend/sema/expr/SemaImpl.h"
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

/// A function that the compiler evaluates or rewrites (Intrinsic.cpp).
enum class Intrinsic;

class Checker {
public:
  Checker(Sema &sema, Scope &scope) : sema(sema), scope(scope), types(sema.types) {}

  /// An expression of any type, also void. `hint` is the type that an empty literal takes. With
  /// `init`, the elements of map literals are converted to it.
  ExprPtr any(const ast::Expr *, Type hint = nullptr, bool init = false);
  /// An expression with a value.
  ExprPtr value(const ast::Expr *, Type hint = nullptr, bool init = false);
  /// A value of type `want`, converted as far as `how` allows. `refused` may add notes to the error
  /// about a value of another type.
  ExprPtr converted(const ast::Expr *, Type want, Sema::Conversion how, Diag mismatch,
                    llvm::function_ref<void(mlir::InFlightDiagnostic &, Type have)> refused = {});
  /// Whether a name or a literal follows, as behind the type of a declaration.
  bool isBeforeOperand(Range) const;
  /// The initial value of a variable. If it has another type, that of the variable is in doubt.
  ExprPtr initialiser(const ast::Declarator &, Type declared);
  /// The type of what is declared there may be wrong: its uses are not reported.
  void doubt(Range declaration);
  /// A value of type boolean.
  ExprPtr condition(const ast::Expr *);
  StmtPtr stmt(const ast::Stmt *);
  StmtPtr blockIn(const ast::Block *, Scope &inner);
  Type type(const ast::TypeNode *);
  /// Enters a variable into the scope; false after reporting a redefinition.
  bool declare(typed::Variable *);

  /// False after the report that nothing is called so.
  bool isFunctionName(const ast::NameExpr &);
  void noteConversion(mlir::InFlightDiagnostic &, const typed::Expr &, Type want);
  void noteMembers(mlir::InFlightDiagnostic &, Range, Type enumeration);
  /// Shows where an attribute is declared that would have to be of type `other`; of many such
  /// errors only the first ones remain.
  void noteAttribute(mlir::InFlightDiagnostic &, Type tuple, const std::string &name, Type other);

private:
  Sema &sema;
  Scope &scope;
  TypeContext &types;
  const ast::Expr *statement = nullptr; // whose expression is being checked

  //===--- names, parts (Expr.cpp) ------------------------------------------===//
  const Entity *lookup(llvm::StringRef name);
  ExprPtr name(const ast::NameExpr *, Type hint, bool init);
  ExprPtr entity(const Entity &, const ast::NameExpr *, Type hint, bool init);
  ExprPtr actual(const Entity &, const ast::NameExpr *, Type hint, bool init);
  ExprPtr tuple(const Entity &, Range);
  ExprPtr enumMember(const Modules::EnumMember &, Range);
  ExprPtr enumMember(Type, unsigned index, Range);
  ExprPtr unknownName(const ast::NameExpr *, bool isTarget = false, Type hint = nullptr);
  std::nullptr_t noValue(const ast::NameExpr *, llvm::StringRef what, llvm::StringRef meant = "");
  ExprPtr member(const ast::MemberExpr *);
  ExprPtr qualifiedEnum(const ast::MemberExpr *, bool &tried);
  ExprPtr subscript(const ast::SubscriptExpr *);
  ExprPtr slice(const ast::SliceExpr *);
  ExprPtr conditional(const ast::ConditionalExpr *, Type hint, bool init);
  /// The port whose current tuple a subscript is applied to, or null.
  const Entity *historyPort(const ast::Expr *base);
  ExprPtr history(const ast::SubscriptExpr *, const Entity &port);
  std::string inputNames(bool current);
  std::nullptr_t ambiguousName(const ast::NameExpr &);
  std::nullptr_t noCurrentTuple(const ast::NameExpr &);
  bool isMissedAgain();
  llvm::StringRef portWithAttribute(llvm::StringRef name);
  bool isAttributeInPunct(const ast::NameExpr &);
  const AbsentStream *absentWith(llvm::StringRef attribute);
  std::nullptr_t noInput(const ast::NameExpr &);
  std::nullptr_t negativeIndex(const ast::SubscriptExpr *, Type base, int64_t index);
  std::nullptr_t historyError(Range, Diag, llvm::StringRef port, llvm::StringRef found = {});

  //===--- literals (Literal.cpp) -------------------------------------------===//
  ExprPtr number(const ast::LiteralExpr *, bool negative, Range);
  ExprPtr decimalNumber(llvm::StringRef digits, char width, bool negative, Range range);
  ExprPtr hex(const ast::LiteralExpr *);
  ExprPtr string(const ast::LiteralExpr *);
  ExprPtr xml(const ast::LiteralExpr *);
  ExprPtr list(const ast::ListExpr *, Type hint, bool init);
  ExprPtr brace(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr tupleLiteral(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr mapLiteral(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr emptyLiteral(const ast::Expr *, Type hint);
  /// Reports a literal of another kind where the type of the context is a tuple.
  std::nullptr_t noTuple(Range, Type tuple, llvm::StringRef what,
                         llvm::ArrayRef<const ast::Expr *> names,
                         llvm::ArrayRef<const ast::Expr *> values);
  bool elements(llvm::ArrayRef<const ast::Expr *>, Type hint, bool init, llvm::StringRef what,
                std::vector<ExprPtr> &out, Type &elem);

  //===--- operators (Operator.cpp, Assign.cpp) -----------------------------===//
  ExprPtr unary(const ast::UnaryExpr *);
  ExprPtr postfix(const ast::PostfixExpr *);
  bool isForeignOutput(const ast::Expr *e);
  ExprPtr binary(const ast::BinaryExpr *);
  ExprPtr logical(const ast::BinaryExpr *);
  ExprPtr combine(const ast::BinaryExpr *, ast::BinaryOp, ExprPtr lhs, ExprPtr rhs);
  ExprPtr membership(const ast::BinaryExpr *);
  bool operands(const ast::Expr *l, const ast::Expr *r, ExprPtr &lhs, ExprPtr &rhs);
  /// The type of `l op r`, or null if there is no such operator. Sets `lift`.
  Type operatorType(ast::BinaryOp, bool dotted, Type l, Type r, typed::Lift &lift);
  Type scalarOperatorType(ast::BinaryOp, Type l, Type r);
  void badOperands(Range, llvm::StringRef spelling, ast::BinaryOp, const typed::Expr &l,
                   const typed::Expr &r, const ast::Expr *lhs, const ast::Expr *rhs);
  bool isMeantAsTuple(llvm::ArrayRef<const ast::Expr *> keys);
  bool noteAppend(mlir::InFlightDiagnostic &, Range range, llvm::StringRef spelling,
                  const typed::Expr &l, const typed::Expr &r);
  bool noteOtherOperator(mlir::InFlightDiagnostic &, Range range, ast::BinaryOp,
                         const typed::Expr &l, const typed::Expr &r);
  void noteOperandConversion(mlir::InFlightDiagnostic &, ast::BinaryOp, const typed::Expr &l,
                             const typed::Expr &r);
  ExprPtr target(const ast::Expr *);
  ExprPtr assign(const ast::AssignExpr *);
  ExprPtr incDec(const ast::Expr *operand, Range, bool prefix, bool decrement);
  /// Whether `e` may be written here. Reports if not, and records writes to the current tuple.
  bool writable(const typed::Expr &e, Range, Diag immutable);

  //===--- optional types (Optional.cpp) ------------------------------------===//
  ExprPtr null(Range, Type hint);
  ExprPtr optional(const ast::Expr *, llvm::StringRef op);
  ExprPtr orElse(const ast::OrElseExpr *);
  /// The type with null among its values.
  Type nullable(Type);
  /// Whether a value of `type` becomes one of the type `optional` by itself.
  static bool isLiftedTo(Type type, Type optional);
  /// The value as one of type `to` if it becomes one by itself, else as it is.
  ExprPtr lifted(ExprPtr, Type to);
  /// Notes how the value of an optional is had; false if `e` is not optional.
  void noteElement(mlir::InFlightDiagnostic &, Type type, const ast::MemberExpr &e);
  bool noteUnwrap(mlir::InFlightDiagnostic &, const typed::Expr &e);

  //===--- conversions (Cast.cpp) -------------------------------------------===//
  ExprPtr cast(const ast::CastExpr *);
  /// Notes the comparison that a value of another type than boolean may stand for as a condition.
  void noteTruth(mlir::InFlightDiagnostic &, const typed::Expr &e, bool isNegated = false);
  /// Whether a cast of `e` exists that does not certainly fail.
  bool helpsToCast(const typed::Expr &e, Type want);
  Type argumentFor(const typed::Prototype &, Type formal, Type want);
  std::string castArgument(const typed::Expr &e, Type want);
  bool noteLiteral(mlir::InFlightDiagnostic &, const typed::ConstExpr &, Type want);

  //===--- calls (Call.cpp, Intrinsic.cpp) ----------------------------------===//
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
  ExprPtr call(const ast::CallExpr *);
  std::nullptr_t notCallable(const ast::CallExpr *);
  bool isValue(const ast::Expr *);
  llvm::StringRef outputInstead(llvm::StringRef name);
  bool isPlannedFunction(llvm::StringRef qualified);
  std::string methodInstead(const ast::MemberExpr *, llvm::ArrayRef<llvm::StringRef> args,
                            Type base);
  std::string valueOfType(const ast::CallExpr *, const ast::NameExpr &callee, Type);
  std::nullptr_t unknownFunction(const ast::CallExpr *, const ast::NameExpr *callee);
  /// What SPL writes for a call whose first argument is of type `first`; empty if that is not
  /// known.
  std::string callInstead(const ast::CallExpr *, llvm::StringRef name, Type first);
  std::string joinedArguments(const ast::CallExpr *, llvm::StringRef name,
                              llvm::ArrayRef<Candidate> found, llvm::ArrayRef<ExprPtr> args);
  /// The candidate that fits, lifts the fewest arguments and binds the fewest type variables; null
  /// after an error.
  bool isInOneFile(const ast::CallExpr *, llvm::StringRef name, const Candidate &best,
                   llvm::ArrayRef<Candidate *> fitting);
  Candidate *mostSpecific(const ast::CallExpr *, llvm::StringRef name,
                          llvm::MutableArrayRef<Candidate>, llvm::ArrayRef<ExprPtr> args);
  bool finishArguments(const Candidate &, const ast::CallExpr *, std::vector<ExprPtr> &args);
  /// Functions of the file itself come before those of the other files of its namespace, which are
  /// looked at when none of the own ones fits: an error there disturbs nobody who needs nothing.
  enum class Reach { Nearest, Namespace };
  std::vector<Candidate> namedBy(const ast::NameExpr &callee, Reach);
  std::vector<Candidate> candidates(llvm::StringRef ns, llvm::StringRef name, Reach);
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
  void noMatch(const ast::CallExpr *, llvm::StringRef name, llvm::ArrayRef<Candidate>,
               llvm::ArrayRef<ExprPtr> args);
  void noteWrongArguments(mlir::InFlightDiagnostic &, const ast::CallExpr *,
                          llvm::ArrayRef<Candidate>, llvm::ArrayRef<ExprPtr> args);
  void noteCommonType(mlir::InFlightDiagnostic &, llvm::ArrayRef<Candidate>,
                      llvm::ArrayRef<ExprPtr> args);
  void noteCandidates(mlir::InFlightDiagnostic &, llvm::ArrayRef<Candidate>);
  bool noteArgumentTypes(mlir::InFlightDiagnostic &, const ast::CallExpr *,
                         llvm::ArrayRef<Candidate>, llvm::ArrayRef<ExprPtr> args);
  /// The type with what its variables stand for; null if one stands for nothing (Generic.cpp).
  Type substitute(Type, const llvm::DenseMap<Type, Type> &);
  /// The prototype of a native function of a toolkit with what its type variables stand for: a
  /// function in C++ is compiled for it. `use`: the call.
  const typed::Prototype *nativeInstance(const Candidate &, Range use);
  std::vector<Type> typeArguments(const Candidate &);
  void appendLocation(std::vector<ExprPtr> &args, Range call);
  void appendToolkits(std::vector<ExprPtr> &args, Range call);

  //===--- output functions (OutputFunction.cpp) ----------------------------===//
  ExprPtr outputFunction(const Candidate &, Type, const ast::CallExpr *, std::vector<ExprPtr> args);
  bool foldArguments(const typed::Prototype &, const ast::CallExpr *, llvm::ArrayRef<ExprPtr> args);
  std::optional<typed::Algebra> algebra(const typed::Prototype &, llvm::ArrayRef<ExprPtr> args,
                                        Type result);
  const typed::Function *algebraFunction(const typed::Prototype &, llvm::StringRef which,
                                         bool isMutable, llvm::ArrayRef<Type> args, Type result);

  /// True if `name` is an intrinsic; `result` is null after an error.
  bool intrinsic(llvm::StringRef name, const ast::CallExpr *, ExprPtr &result);
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

  //===--- statements (Stmt.cpp) --------------------------------------------===//
  StmtPtr decl(const ast::DeclStmt *);
  StmtPtr forLoop(const ast::ForStmt *);
  void noCollection(const typed::Expr &);
  ExprPtr loopCollection(const ast::ForStmt *, Type &declared);
  StmtPtr jump(const ast::JumpStmt *);
  StmtPtr returns(const ast::JumpStmt *);
  void returnsInVoid(const ast::JumpStmt *);
  ExprPtr voidUsed(const typed::Expr &);
  StmtPtr body(const ast::Stmt *); // of an if or a loop
  void alias(const ast::TypeAlias &);

  //===--- warnings (Warnings.cpp) ------------------------------------------===//
  /// Naming the place was no read of its variable: it is only written.
  void isOnlyWritten(const typed::Expr &place);
  void warnNoEffect(const ast::Expr *, const typed::Expr &);
  void warnResultUnused(const ast::Expr *, const typed::Expr &);
  void warnFractionDropped(const ast::Expr *, const typed::Expr &value, Type want);
  void warnResultTruncated(const typed::Expr &call, Type want);
  void warnTextConverted(const ast::Expr *, Type have, Type want);
  void warnKeyTwice(llvm::ArrayRef<ExprPtr> keys);
  void warnSelfAssign(const ast::AssignExpr *);
  bool noteComparedAgain(mlir::InFlightDiagnostic &, const ast::BinaryExpr *);
  void warnPower(const ast::BinaryExpr *);
  void warnComparison(const ast::BinaryExpr *, const typed::Expr &lhs, const typed::Expr &rhs);
  /// Divisors and shifts that cannot be meant.
  void warnOperands(typed::BinaryOperator, Range, const typed::Expr &lhs, const typed::Expr &rhs);

  //===--- types (Type.cpp) -------------------------------------------------===//
  Type namedType(const ast::TypeNode *);
  Type tupleType(const ast::TypeNode *);
  void rememberPlaces(const ast::TypeNode *, llvm::ArrayRef<Type> parts, Type result);
  Type enumType(const ast::TypeNode *);
  bool boundOf(const ast::TypeNode *, uint32_t &bound);
  void unknownType(const ast::TypeNode *);

  //===--- helpers ----------------------------------------------------------------===//
  ExprPtr makeInt(int64_t value, Type type, Range range);
  ExprPtr makeText(std::string text, Range range);
  /// Sets the source text and folds. Null after reporting that the operation certainly fails.
  ExprPtr finish(ExprPtr);
  template <typename... Args> std::nullptr_t error(Range range, Diag id, const Args &...args) {
    sema.diags.report(range, id, args...);
    return nullptr;
  }
  std::nullptr_t unsupported(Range range, llvm::StringRef what);
  /// Whether an unknown name need not be reported here. `instead`: what SPL has for the name of
  /// another language; its namespace is none of SPL.
  bool isReported(const ast::NameExpr &, llvm::StringRef instead = "");
  bool isDashedName(const ast::BinaryExpr *);
  bool isNearAttribute(const ast::NameExpr &);
  /// Whether `is` holds for the type of a current tuple, of which a name alone may be an attribute.
  bool anyCurrentTuple(const ast::NameExpr &, llvm::function_ref<bool(Type)> is);
  /// Whether the input ports have the attribute under a misspelt name, which was reported.
  bool isMisspeltAttribute(const ast::NameExpr &);
  /// Whether it was reported that the name, which means nothing, is nearly `break` or the like.
  bool isMisspeltJump(const ast::NameExpr &);
  /// A note on an unknown name: what SPL has `instead`, if that is known, or the files with errors
  /// that define it. False if there is none.
  bool noteElsewhere(mlir::InFlightDiagnostic &, const ast::NameExpr &, llvm::StringRef instead);
  /// Notes where other namespaces have what the unqualified `name` lacks: it needs a `use`, or that
  /// namespace. `isThere` says whether a namespace has it. Whether there is any.
  bool noteNamespaces(mlir::InFlightDiagnostic &, Range, llvm::StringRef name,
                      llvm::function_ref<bool(llvm::StringRef ns)> isThere);
  /// Notes the values that an unknown name may mean; with `asBase` also the types, as a member
  /// follows. False if there are none.
  bool isEnumeration(llvm::StringRef ns, llvm::StringRef name);
  bool noteNearStream(mlir::InFlightDiagnostic &, const ast::NameExpr &);
  bool noteNearNames(mlir::InFlightDiagnostic &, const ast::NameExpr &, bool asBase);
  void noteWiderInteger(mlir::InFlightDiagnostic &, llvm::StringRef digits, bool negative, Type,
                        Range);
  void noteMember(mlir::InFlightDiagnostic &, const ast::NameExpr &base, const ast::MemberExpr &);
  void offerIntrinsics(NearNames &);
  /// Whether it is a function of the language that no file declares, and one without arguments.
  static bool isIntrinsic(llvm::StringRef name);
  static bool takesNothing(llvm::StringRef intrinsic);
  bool noteNearFunctions(mlir::InFlightDiagnostic &, const ast::NameExpr &);
  bool noteOutputFunction(mlir::InFlightDiagnostic &, const ast::NameExpr &, llvm::StringRef name);
  void noteComparison(mlir::InFlightDiagnostic &, const ast::AssignExpr *);
  bool isError(Type t) { return !t || t->kind == SplType::Error; }
  Type boolean() { return types.get(SplType::Boolean); }
};

} // namespace sluice::sema
