//===- Expr.h - typed expressions -------------------------------*- C++ -*-===//
//
// An expression owns its operands. Its constructor checks what must hold between
// their types, and derives its own type where that follows from them. Operands are
// never null unless a field says so.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/syntax/AST.h"
#include "frontend/types/Types.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>
#include <variant>

namespace sluice::typed {

struct Function;
struct Prototype;
struct Variable;

enum class ExprKind {
  Const,
  Var,
  Tuple,
  History,
  Punct,
  Field,
  Index,
  Slice,
  ListLit,
  SetLit,
  MapLit,
  TupleLit,
  Unary,
  Binary,
  Logical,
  In,
  Conditional,
  Cast,
  InRange,
  Present,
  Unwrap,
  OrElse,
  Call,
  NativeCall,
  OutputFn,
  Supplied,
  Assign,
  IncDec,
  Submit,
  SubmissionValue,
};

/// A **place** may be assigned and passed to mutable formals: a mutable variable, the
/// current tuple where logic may write it, and the fields, elements and unwrapped values of a
/// place.
struct Expr {
  const ExprKind kind;
  Type type;
  Range range;
  /// The text as written, shortened to one line: for the message of a failure at run time.
  /// Empty in constants and in expressions that the compiler adds.
  std::string source;

  virtual ~Expr() = default;

protected:
  Expr(ExprKind kind, Type type, Range range) : kind(kind), type(type), range(range) {}
};
using ExprPtr = std::unique_ptr<Expr>;

//===--- constants and literals -------------------------------------------===//

/// A value that is known at compile time.
struct ConstExpr : Expr {
  /// Nothing: the default value of the type, whatever it is. Else the value of an integer,
  /// a boolean or an enum (extended to 64 bits), of a float, or of a string or xml; of a decimal,
  /// its text.
  using Value = std::variant<std::monostate, int64_t, double, std::string>;

  /// Wraps an integer to the width of its type and rounds a float32.
  ConstExpr(Type type, Range range, Value value = {});

  bool isDefault() const { return std::holds_alternative<std::monostate>(value); }
  /// The value where the type has one of that form; zero or empty if it is the default value.
  int64_t integer() const { return get<int64_t>(); }
  double real() const { return get<double>(); }
  llvm::StringRef text() const;

  static bool classof(const Expr *e) { return e->kind == ExprKind::Const; }

private:
  template <typename T> T get() const {
    assert(isDefault() || std::holds_alternative<T>(value));
    return isDefault() ? T() : std::get<T>(value);
  }
  Value value;
};

/// A literal of a list, set, map or tuple. It is a constant if its elements are.
struct AggregateExpr : Expr {
  /// Elements in order; of a map, keys and values by turns; of a tuple, the attributes.
  std::vector<ExprPtr> elements;

  /// The kind follows from the type.
  AggregateExpr(Type type, Range range, std::vector<ExprPtr> elements);

  static bool classof(const Expr *e) {
    return e->kind >= ExprKind::ListLit && e->kind <= ExprKind::TupleLit;
  }
};

//===--- names and parts --------------------------------------------------===//

struct VarExpr : Expr {
  const Variable *var;

  VarExpr(const Variable &var, Range range);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Var; }
};

/// The current tuple of input port `port`, whole.
struct TupleExpr : Expr {
  unsigned port;

  TupleExpr(Type type, Range range, unsigned port);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Tuple; }
};

/// The tuple that came `back` tuples before the current one on input port `port`; 0: the current
/// one. Default values if fewer came. Not a place.
struct HistoryExpr : Expr {
  static constexpr int64_t kMost = 1'000'000;
  unsigned port, back;

  HistoryExpr(Type type, Range range, unsigned port, unsigned back);

  static bool classof(const Expr *e) { return e->kind == ExprKind::History; }
};

/// The punctuation that onPunct handles: a value of enum{WindowMarker, FinalMarker}.
struct PunctExpr : Expr {
  PunctExpr(Type type, Range range);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Punct; }
};

/// An attribute of a tuple, by its position.
struct FieldExpr : Expr {
  ExprPtr base;
  unsigned index;

  FieldExpr(Range range, ExprPtr base, unsigned index);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Field; }
};

/// An element of a list, the value of a key of a map, or one byte of an rstring.
struct IndexExpr : Expr {
  ExprPtr base, index;

  /// `type`: of an element, of the value of a key, a byte, or that of the string.
  IndexExpr(Type type, Range range, ExprPtr base, ExprPtr index);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Index; }
};

/// A part of a list, a blob or a string.
struct SliceExpr : Expr {
  ExprPtr base;
  ExprPtr low, high; // either may be null

  SliceExpr(Range range, ExprPtr base, ExprPtr low, ExprPtr high);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Slice; }
};

//===--- operators --------------------------------------------------------===//

enum class UnaryOp { Neg, Not, BitNot };

struct UnaryExpr : Expr {
  UnaryOp op;
  ExprPtr operand;

  UnaryExpr(Range range, UnaryOp op, ExprPtr operand);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Unary; }
};

/// Which operands an operator takes element by element: none; the collection on the left or
/// on the right, with one scalar for all of its elements; or both (the dotted form).
enum class Lift { None, Left, Right, Both };

/// An operator of two operands, other than `&&`, `||` (unless lifted) and `in`.
struct BinaryOperator {
  ast::BinaryOp op;
  Lift lift = Lift::None;
};

struct BinaryExpr : Expr {
  BinaryOperator op;
  ExprPtr lhs, rhs; // of one type, unless lifted or a shift

  BinaryExpr(Type type, Range range, BinaryOperator op, ExprPtr lhs, ExprPtr rhs);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Binary; }
};

/// `&&` and `||`: the right side is evaluated if the left one does not decide.
struct LogicalExpr : Expr {
  bool isAnd;
  ExprPtr lhs, rhs;

  LogicalExpr(Range range, bool isAnd, ExprPtr lhs, ExprPtr rhs);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Logical; }
};

/// `item in collection`.
struct InExpr : Expr {
  ExprPtr item, collection;

  InExpr(Type boolean, Range range, ExprPtr item, ExprPtr collection);

  static bool classof(const Expr *e) { return e->kind == ExprKind::In; }
};

/// `condition ? then : otherwise`.
struct ConditionalExpr : Expr {
  ExprPtr condition, then, otherwise;

  ConditionalExpr(Range range, ExprPtr condition, ExprPtr then, ExprPtr otherwise);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Conditional; }
};

/// A conversion, written or implied, of a pair of types that has one.
struct CastExpr : Expr {
  ExprPtr operand;

  CastExpr(Type to, Range range, ExprPtr operand);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Cast; }
};

/// A signed number that has to be at least 0, or above 0: another one fails when it is evaluated.
struct InRangeExpr : Expr {
  std::string word; // what the number is for
  bool positive;
  ExprPtr operand;

  InRangeExpr(std::string word, bool positive, ExprPtr operand);

  static bool classof(const Expr *e) { return e->kind == ExprKind::InRange; }
};

//===--- optional values --------------------------------------------------===//

/// `operand??`: whether an optional has a value.
struct PresentExpr : Expr {
  ExprPtr operand;

  PresentExpr(Type boolean, Range range, ExprPtr operand);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Present; }
};

/// `operand!`: the value of an optional; fails if it has none.
struct UnwrapExpr : Expr {
  ExprPtr operand;

  UnwrapExpr(Range range, ExprPtr operand);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Unwrap; }
};

/// `lhs ?: otherwise`: the value of an optional, or else another one.
struct OrElseExpr : Expr {
  ExprPtr lhs, otherwise;

  OrElseExpr(Range range, ExprPtr lhs, ExprPtr otherwise);

  static bool classof(const Expr *e) { return e->kind == ExprKind::OrElse; }
};

//===--- calls ------------------------------------------------------------===//

/// What calls of SPL functions and of library functions have in common.
struct AnyCallExpr : Expr {
  std::vector<ExprPtr> args;

  /// Whether argument `i` goes to a mutable formal: then it is a place.
  bool isMutable(unsigned i) const;
  bool isStateful() const;

  static bool classof(const Expr *e) {
    return e->kind == ExprKind::Call || e->kind == ExprKind::NativeCall;
  }

protected:
  AnyCallExpr(ExprKind kind, Type type, Range range, std::vector<ExprPtr> args);
};

/// A call of a function that is written in SPL.
struct CallExpr : AnyCallExpr {
  const Function *callee;

  CallExpr(Range range, const Function &callee, std::vector<ExprPtr> args);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Call; }
};

/// A call of a library function. Those that report failures take two arguments more than
/// they have formals: the file and the line of the call.
struct NativeCallExpr : AnyCallExpr {
  const Prototype *proto;
  std::vector<Type> typeArgs; // what the type variables of `proto` stand for, in order

  NativeCallExpr(Type type, Range range, const Prototype &proto, std::vector<Type> typeArgs,
                 std::vector<ExprPtr> args);

  static bool classof(const Expr *e) { return e->kind == ExprKind::NativeCall; }
};

/// How an output function summarises tuples: functions in SPL over a state. `lift` makes the
/// state of one tuple; `merge` adds the state of later tuples. `add` and `remove`, which may be
/// null, are those of one tuple; without `add` it is lifted and merged.
struct Algebra {
  Type state;
  const Function *lift, *add, *merge, *remove, *result;
};

/// A call of an output function (IterationCount, FileName, ...): the operator gives the value.
struct OutputFnExpr : Expr {
  const Prototype *proto;
  std::vector<ExprPtr> args;
  std::optional<Algebra> algebra; // where the prototype names one

  OutputFnExpr(Type type, Range range, const Prototype &proto, std::vector<ExprPtr> args);

  static bool classof(const Expr *e) { return e->kind == ExprKind::OutputFn; }
};

/// The value that the operator itself gives to an attribute.
struct SuppliedExpr : Expr {
  SuppliedExpr(Type type, Range range) : Expr(ExprKind::Supplied, type, range) {}

  static bool classof(const Expr *e) { return e->kind == ExprKind::Supplied; }
};

//===--- effects ----------------------------------------------------------===//

/// `target = value`, or, compound, `target op= value`. Its type is void.
struct AssignExpr : Expr {
  std::optional<BinaryOperator> compound;
  ExprPtr target; // a place
  ExprPtr value;

  AssignExpr(Type voidType, Range range, std::optional<BinaryOperator> compound, ExprPtr target,
             ExprPtr value);

  static bool classof(const Expr *e) { return e->kind == ExprKind::Assign; }
};

/// `++` and `--`, before or behind a place.
struct IncDecExpr : Expr {
  bool isPrefix, isDecrement;
  ExprPtr place;

  IncDecExpr(Range range, bool isPrefix, bool isDecrement, ExprPtr place);

  static bool classof(const Expr *e) { return e->kind == ExprKind::IncDec; }
};

/// Submits a tuple or a punctuation to output port `port`. Its type is void.
struct SubmitExpr : Expr {
  ExprPtr value;
  unsigned port;

  SubmitExpr(Type voidType, Range range, ExprPtr value, unsigned port);
  /// Whether the value is a punctuation: of enum{WindowMarker, FinalMarker}.
  bool isPunct() const { return value->type->kind == SplType::Enum; }

  static bool classof(const Expr *e) { return e->kind == ExprKind::Submit; }
};

/// Submission-time value `index` of Program::submissions, a text or a list of texts.
struct SubmissionValueExpr : Expr {
  unsigned index;
  std::vector<std::string> defaults; // the text, or those of the list; empty without a default

  SubmissionValueExpr(Type type, Range range, unsigned index, std::vector<std::string> defaults);

  static bool classof(const Expr *e) { return e->kind == ExprKind::SubmissionValue; }
};

//===--- walks ------------------------------------------------------------===//

/// Calls `visit` for each operand of `e` in the order in which they are written, until it
/// returns true. Returns whether it did. This is the one list of the operands of all kinds.
bool anyOperand(const Expr &e, llvm::function_ref<bool(const Expr &)> visit);
void forEachOperand(const Expr &e, llvm::function_ref<void(const Expr &)> visit);
/// Calls `visit` for `e` and for all expressions inside it, outer ones first, until it returns
/// true. Returns whether it did.
bool anyExpr(const Expr &e, llvm::function_ref<bool(const Expr &)> visit);

/// The expression that `e` is a part of: the base of a field, an element or a slice, the optional
/// of a value. Null for other kinds.
const Expr *baseOf(const Expr &e);
/// The expression below all fields, elements and slices.
const Expr &rootOf(const Expr &e);
/// Whether the root is a variable or the current tuple, which a place could be a part of.
bool hasPlaceRoot(const Expr &e);
/// The input port of the tuple that `e` is: the current one, or one before it.
std::optional<unsigned> tuplePort(const Expr &e);

} // namespace sluice::typed
