//===- BodyEmitter.h - bodies: statements and expressions to MLIR --*- C++ -*-===//
//
// One BodyEmitter fills one region: a handler, a function, or a region that
// yields values. Control flow is the cf dialect's.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/emit/BodyAnalysis.h"
#include "frontend/emit/Shared.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice::emission {

/// Where `continue` and `break` of a loop lead.
struct Loop {
  mlir::Block *next, *exit;
};

class BodyEmitter {
public:
  /// `tupleIsPlace`: onTuple writes the current tuple, so it is copied into a
  /// variable first.
  BodyEmitter(Shared &shared, mlir::Region &region, bool tupleIsPlace = false);

  /// Adds a block argument to the entry: an immutable formal or a place.
  void addFormal(const typed::Variable &);
  /// The current tuple of `port`.
  void addTuple(unsigned port, Type, mlir::Location);
  /// The marker of onPunct.
  void addMarker(mlir::Location);

  /// The whole of a handler or function, with its terminator.
  void emitHandler(const typed::Stmt &);
  void emitFunction(const typed::Function &);
  /// A handler that evaluates an expression.
  void emitEffect(const typed::Expr &);
  /// The event time of a tuple that the region's argument is, in nanoseconds, then stream.yield.
  void emitNanos(const typed::EventTime &, Type tuple, Range);
  /// The values, then stream.yield.
  void emitYield(llvm::ArrayRef<const typed::Expr *>, mlir::Location);

  //===--- statements (Stmt.cpp, Loop.cpp) ----------------------------------===//
  void emit(const typed::Stmt &);
  void emitDecl(const typed::DeclStmt &);
  void emitIf(const typed::IfStmt &);
  void emitReturn(const typed::ReturnStmt &);
  void end(mlir::Location);

  //===--- expressions (Expr.cpp) -------------------------------------------===//
  /// Null for void.
  mlir::Value emit(const typed::Expr &);
  llvm::SmallVector<mlir::Value> emitAll(llvm::ArrayRef<typed::ExprPtr>);
  mlir::Value emitConst(const typed::ConstExpr &);
  mlir::Value emitRead(const typed::Expr &);
  mlir::Value emitHistory(const typed::HistoryExpr &);
  mlir::Value emitAggregate(const typed::AggregateExpr &);
  mlir::Value emitSlice(const typed::SliceExpr &);
  mlir::Value emitUnary(const typed::UnaryExpr &);
  mlir::Value emitShortCircuit(const typed::LogicalExpr &);
  mlir::Value emitConditional(const typed::ConditionalExpr &);
  mlir::Value emitCast(const typed::CastExpr &);
  mlir::Value emitCall(const typed::CallExpr &);
  mlir::Value emitNative(const typed::NativeCallExpr &);
  mlir::Value emitEventTime(const typed::EventTime &, const typed::TupleExpr &,
                            llvm::StringRef function, mlir::Type result); // EventTime.cpp
  mlir::Value emitOutputFn(const typed::OutputFnExpr &);
  void emitSubmit(const typed::SubmitExpr &);
  /// `lhs op rhs` of type `result`; `at` is the expression that it stands in.
  mlir::Value emitBinary(const typed::Expr &at, typed::BinaryOperator op, mlir::Value lhs,
                         mlir::Value rhs, mlir::Type result);

  //===--- places (Place.cpp) -----------------------------------------------===//

  mlir::Location loc(const typed::Expr &e) const { return shared.location(e.range); }
  mlir::StringAttr source(const typed::Expr &);
  mlir::Value constant(mlir::Location, mlir::Type, int64_t);
  mlir::Value copy(mlir::Location, mlir::Value);
  bool isLive() const { return builder.getInsertionBlock() != nullptr; }
  mlir::Block *newBlock(llvm::ArrayRef<mlir::Type> args, mlir::Location);
  void branch(mlir::Location, mlir::Block *, mlir::ValueRange = {});
  void branchIf(mlir::Location, mlir::Value condition, mlir::Block *, mlir::Block *);
  /// Continues in `block`, which is erased instead if nothing leads there.
  void enter(mlir::Block *);

  // What the emitters of the parts use, too.
  Shared &shared;
  mlir::Region &region;
  mlir::OpBuilder builder;
  BodyAnalysis analysis;
  bool tupleIsPlace, isFunction = false;
  mlir::Operation *lastVariable = nullptr; // hoisted to the entry block
  llvm::DenseMap<const typed::Variable *, mlir::Value> values, places;
  llvm::DenseMap<unsigned, mlir::Value> tuples, tuplePlaces; // by input port
  mlir::Value marker;
  llvm::SmallVector<Loop> loops;
};

/// The operator on two values of SPL: arithmetic, comparison, bits, strings.
mlir::Value buildBinary(mlir::OpBuilder &, mlir::Location, mlir::StringAttr source, ast::BinaryOp,
                        mlir::Value lhs, mlir::Value rhs);
/// A private function of `type` that applies a lifted operator element by element. It takes
/// a collection and a scalar, in the order of `op.lift`, or two collections.
spl::FuncOp buildLiftedFunction(Shared &, const typed::Expr &at, typed::BinaryOperator op,
                                mlir::FunctionType type);

} // namespace sluice::emission
