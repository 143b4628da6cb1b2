//===- LoopBuilder.h - loops, branches and early exits ----------*- C++ -*-===//
//
// Emits control flow as blocks and branches of cf: failures, break and return are
// edges, which structured operations do not have. Each method emits at the
// insertion point and leaves it where control goes on. A callback emits the body
// of a branch or loop in the same way.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/IR/Builders.h"

namespace sluice {

class LoopBuilder {
public:
  using Value = mlir::Value;
  using Weights = llvm::ArrayRef<int32_t>; // of a branch: taken, not taken; empty: unknown

  /// `b` must outlive this.
  explicit LoopBuilder(mlir::OpBuilder &b) : b(b) {}

  //===--- conditions ----------------------------------------------------------===//
  Value isZero(Value integer);
  Value isNotZero(Value integer);
  Value isPositive(Value integer);
  /// Compares without sign.
  Value isBelow(Value a, Value b);

  //===--- leaving -------------------------------------------------------------===//
  /// Returns from the function: nothing may follow in the block.
  void ret(Value status);
  /// if (condition) return status();
  void returnIf(Value condition, llvm::function_ref<Value()> status);
  /// if (status != 0) return status;
  void check(Value status);
  /// Makes a block at the end of the function for control that leaves by one of several ways.
  /// `body` gets the arguments and must end in a return.
  mlir::Block *exit(mlir::TypeRange arguments, mlir::Location loc,
                    llvm::function_ref<void(mlir::ValueRange)> body);
  /// if (!condition) goto target(arguments);
  void leaveUnless(Value condition, mlir::Block *target, mlir::ValueRange arguments = {},
                   Weights weights = {});

  //===--- branches ------------------------------------------------------------===//
  /// if (condition) then();
  void ifThen(Value condition, llvm::function_ref<void()> then);
  /// Returns condition ? then() : otherwise(); evaluates one of them.
  Value ifThenElse(Value condition, llvm::function_ref<Value()> then,
                   llvm::function_ref<Value()> otherwise, Weights weights = {});

  //===--- loops ---------------------------------------------------------------===//
  /// for (values = first;; values = body(values, end)), until the body leaves to the block `end`,
  /// which goes on behind the loop.
  using LoopBody = llvm::function_ref<llvm::SmallVector<Value>(mlir::ValueRange, mlir::Block *)>;
  void loop(mlir::ValueRange first, LoopBody body);
  /// i = first; do body(i); while (++i < end);
  void doLoop(Value first, Value end, llvm::function_ref<void(Value)> body);
  /// for (i = first; i < end; ++i) body(i);
  void forLoop(Value first, Value end, llvm::function_ref<void(Value)> body);

private:
  /// Splits the block at the insertion point: what follows, which goes on behind what is to be
  /// emitted. The insertion point is at the end of the first part, which has no terminator.
  mlir::Block *split();
  /// Makes an empty block in front of `next` and goes there.
  mlir::Block *blockBefore(mlir::Block *next, mlir::TypeRange arguments, mlir::Location loc);
  void branch(mlir::Location loc, mlir::Block *to, mlir::ValueRange arguments = {});
  void branchIf(Value condition, mlir::Block *yes, mlir::ValueRange yesArguments, mlir::Block *no,
                mlir::ValueRange noArguments, Weights weights = {});

  mlir::OpBuilder &b;
};

} // namespace sluice
