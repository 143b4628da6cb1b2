//===- EmitterParts.h - the parts of a body ---------------------------*- C++ -*-===//
#pragma once
#include "frontend/emit/BodyEmitter.h"

namespace sluice::emission {

/// Emits one kind of code of a body.
struct EmitterPart {
  explicit EmitterPart(BodyEmitter &emitter)
      : emitter(emitter), shared(emitter.shared), builder(emitter.builder) {}

  BodyEmitter &emitter;
  Shared &shared;
  mlir::OpBuilder &builder;
};

/// Places: variables, attributes and elements that are written.
class PlaceEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  mlir::Value addVariable(llvm::StringRef name, mlir::Type, mlir::Location);
  /// The place of a chain of attributes, or null if reading needs no place.
  mlir::Value fieldPlace(const typed::Expr &);
  mlir::Value emitPlace(const typed::Expr &);
  void emitAssign(const typed::AssignExpr &);
  mlir::Value emitIncDec(const typed::IncDecExpr &);

private:
  mlir::Value variablePlace(const typed::Variable &);
  mlir::Value emitElementPlace(const typed::IndexExpr &);
  void emitAssignToKey(const typed::AssignExpr &, const typed::IndexExpr &target,
                       mlir::Value value);
  mlir::Value emitUnwrapPlace(const typed::UnwrapExpr &);
};

/// Loops, with the checkpoints of the arena.
class LoopEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  void emitWhile(const typed::WhileStmt &);
  void emitFor(const typed::ForStmt &);

private:
  struct RangeLoop {
    mlir::Value at, after, limit;
  };
  /// An arena checkpoint, or null if nothing is allocated.
  mlir::Value checkpointIf(bool allocates, mlir::Location);
  /// Emits the body of a loop. The builder ends in `loop.next`, or nowhere if the body never
  /// gets there. `checkpoint`: of the arena, to be released there; may be null.
  void emitLoopBody(const typed::LoopStmt &, Loop loop, mlir::Value checkpoint);
  void emitCollectionLoop(const typed::ForStmt &);
  void emitRangeLoop(const typed::ForStmt &);
  mlir::Value emitRangeTest(mlir::Location, RangeLoop, int64_t step, bool isUp);
};

/// Values that may be absent.
class OptionalEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  mlir::Value emitPresent(const typed::PresentExpr &);
  mlir::Value emitUnwrap(const typed::UnwrapExpr &);
  mlir::Value emitOrElse(const typed::OrElseExpr &);
  mlir::Value emitLifted(const typed::CastExpr &, mlir::Value, spl::OptionalType);
};

} // namespace sluice::emission
