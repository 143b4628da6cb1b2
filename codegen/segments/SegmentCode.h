//===- SegmentCode.h - what all functions of segments are made with -*- C++ -*-===//
#pragma once
#include "codegen/Layout.h"
#include "codegen/RuntimeABI.h"
#include "codegen/segments/Allocation.h"
#include "codegen/segments/GraphInfo.h"
#include "codegen/segments/InPlace.h"
#include "codegen/segments/LoopBuilder.h"
#include "codegen/selections/Selections.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "sluice/enums.h"

namespace sluice {

/// What the parts of the lowering (Parts.h) share.
struct SegmentContext {
  SegmentContext(mlir::ModuleOp module, stream::GraphOp graph);

  mlir::ModuleOp module;
  stream::GraphOp graph;
  GraphInfo info;
  Allocation allocation;
  llvm::SmallVector<double> costs; // by operator: ns a tuple, by estimate
  llvm::SmallVector<bool> waits;   // by operator: its code may put the thread to sleep
  /// By id of the input port that heads the segment.
  llvm::DenseMap<unsigned, std::unique_ptr<InPlace>> moves;
  /// By operator on the way of such a segment: that segment, and the output port that leads on.
  llvm::DenseMap<unsigned, std::pair<const InPlace *, unsigned>> throughs;
  /// By id of the input port that heads the segment: those that run in steps.
  llvm::DenseMap<unsigned, std::unique_ptr<Selections>> selections;
  /// By operator that is not in the last step of such a segment.
  llvm::DenseMap<unsigned, const Selections *> early;
  llvm::SmallVector<bool> wholeBatches; // by region: one channel may run a batch for all
  bool functionsTouchMetrics;           // some function of the program
  mlir::OpBuilder b;
  LoopBuilder flow; // emits with `b`
  mlir::Type ptr, i32Type;
  /// The handlers of an operator's punctuation logic, by input port.
  llvm::DenseMap<std::pair<unsigned, unsigned>, std::string> punctHandlers;
};

/// Makes functions, and code in them. Base of the parts; it has no state of its own.
class SegmentCode {
public:
  explicit SegmentCode(SegmentContext &c)
      : c(c), module(c.module), graph(c.graph), info(c.info), allocation(c.allocation),
        costs(c.costs), waits(c.waits), moves(c.moves), throughs(c.throughs),
        selections(c.selections), b(c.b), flow(c.flow), ptr(c.ptr), i32Type(c.i32Type),
        punctHandlers(c.punctHandlers) {}

  static bool anyFunctionTouchesMetrics(mlir::ModuleOp);

protected:
  using Value = mlir::Value;
  using Location = mlir::Location;
  using Block = mlir::Block; // abi.h has one of its own
  enum class Direction { In, Out };

  mlir::func::FuncOp function(llvm::StringRef name, mlir::TypeRange args, Location loc);
  /// Clones `region` as the body of `f`. The Ctx becomes its first argument; arguments that
  /// only `f` has become the last ones.
  static void cloneInto(mlir::Region &region, mlir::func::FuncOp f);
  /// Starts the body of a function made by function(): arguments are block
  /// arguments, the first is the Ctx.
  mlir::Block *begin(mlir::func::FuncOp f);
  /// Ends a function with the status 0.
  void endOk(Location loc);
  /// Calls a function of this module, which returns a status.
  Value call(Location loc, llvm::StringRef function, mlir::ValueRange args);
  /// Calls a function of abi.h. Returns its result, or null if it has none.
  Value runtime(Location loc, llvm::StringRef name, mlir::ValueRange args);
  Value i32(Location loc, int64_t value);
  Value i64(Location loc, int64_t value);
  /// Extends an unsigned integer.
  Value toI64(Value value);
  /// Before calls that may touch metrics: says whose code it is.
  void nameOperator(OpInfo &op, mlir::func::FuncOp f);
  /// Counts a tuple, or a punctuation of `kind` (i32), at a port if the operator is one of them.
  void count(OpInfo &op, Direction direction, unsigned port, Value ctx, Value kind, Location loc);
  Value batchOf(Value ctx, unsigned outPort, Location loc);
  /// Loads a field of a struct.
  Value field(Value base, int64_t offset, mlir::Type type, Location loc);
  /// Loads a field of the header of an output port's batch.
  Value header(Value batch, unsigned outPort, int64_t offset, Location loc);
  Value address(Value base, int64_t offset, Location loc);
  /// The address of an element of an array; `index` is an i64.
  Value element(Value base, int64_t stride, Value index, Location loc);
  /// The address of a column's value at `row` (i64).
  Value cell(Value batch, const layout::Column &column, Value row, Location loc);
  /// The tuple value from its leaves, consumed in order.
  Value tupleOf(mlir::Type type, llvm::ArrayRef<Value> &leaves, Location loc);
  /// The leaf of a tuple value.
  Value leafOf(Value tuple, llvm::ArrayRef<unsigned> path, Location loc);
  /// Loads a field of the punctuation with the number `punct` (i64).
  Value punctField(Value puncts, Value punct, int64_t offset, mlir::Type type, Location loc);
  /// Whether `kind` (i32) is that kind of punctuation.
  Value isKind(Value kind, PunctuationKind wanted, Location loc);
  /// Whether a punctuation of this kind (i32) ends its stream; aborts on kinds that there are not.
  Value isFinal(Value kind, Location loc);
  /// What the operator's onTuple is part of, if the tuples go on by this port.
  const InPlace *inPlaceThrough(OpInfo &op, unsigned outPort) const;
  bool isInPlace(OpInfo &op) const { return throughs.contains(op.index); }
  /// How the operator's segment runs in steps, if the operator is not in the last one.
  const Selections *selectionsOf(OpInfo &op) const { return c.early.lookup(op.index); }
  /// Whether onTuple gets a place: the batch and the row, or in steps the block and the row in it.
  bool takesPlace(OpInfo &op) const { return isInPlace(op) || selectionsOf(op); }
  /// The types of the arguments of such functions that others do not have.
  llvm::SmallVector<mlir::Type> placeTypes(OpInfo &op);
  /// The column of the key in the batches of the only input port, if the segment that the port
  /// heads has such a function.
  std::optional<unsigned> keyColumn(OpInfo &op);

  SegmentContext &c;
  mlir::ModuleOp module;
  stream::GraphOp graph;
  GraphInfo &info;
  Allocation &allocation;
  llvm::SmallVector<double> &costs;
  llvm::SmallVector<bool> &waits;
  llvm::DenseMap<unsigned, std::unique_ptr<InPlace>> &moves;
  llvm::DenseMap<unsigned, std::pair<const InPlace *, unsigned>> &throughs;
  llvm::DenseMap<unsigned, std::unique_ptr<Selections>> &selections;
  mlir::OpBuilder &b;
  LoopBuilder &flow;
  const mlir::Type ptr, i32Type;
  llvm::DenseMap<std::pair<unsigned, unsigned>, std::string> &punctHandlers;
};

} // namespace sluice
