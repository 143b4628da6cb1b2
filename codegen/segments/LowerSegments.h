//===- LowerSegments.h - the graph becomes functions ------------*- C++ -*-===//
//
// The functions that stream-lower-segments makes. For operator K, input port P, output
// port O:
//
//   opK.tupleP(ctx, tuple) -> i32   onTuple with the failure rule around it
//   opK.arriveP(ctx, kind) -> i32   a punctuation arrives
//   opK.stripO(ctx, tuple) -> i32   a tuple leaves: direct consumers are called,
//                                   then it is appended to the port's batch
//   opK.outO(ctx, tuple) -> i32     the same outside of row loops: forwards batches
//                                   that are full then
//   opK.outpunctO(ctx, kind) -> i32  a punctuation leaves
//   opK.final0(ctx) -> i32          Final leaves all ports, if several functions cause that
//   opK.segP(ctx, batch) -> i32     the segment headed by input port P
//   opK.rowsP(ctx, batch, first, end) -> i32   if that segment forwards in place: runs
//                                   some of its rows
//   opK.keyedP(ctx, batch, first, end) -> i32   if key shards may run that segment: runs
//                                   some of its rows, forwards only what is full
//   opK.process0(ctx) -> i32        a generated source
//   opK.end0(ctx) -> i32            onEnd
//   opK.emitO, opK.emitpunctO       native operators submit through these
//   opK.params0(ctx)                tells a native operator its parameters
//   sl.init(ctx), sl.destroy(ctx), and sl.initR, sl.destroyR for @parallel region R
//
// Between the head of a segment that forwards in place and the output port that does it
// (InPlace.h), tupleP and stripO get the batch and the row as well.
//
// Where all that happens to what leaves a port is that one consumer is called, stripO and
// outpunctO are tupleP and arriveP of that consumer: large programs have thousands of such ports.
//
// All return a status (runtime/include/sluice/abi.h): 0, or < 0 while the
// program is failing. Everything inside a segment is a call with one call site,
// so that LLVM inlines the chain into the row loop.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/Layout.h"
#include "codegen/RuntimeABI.h"
#include "codegen/segments/Allocation.h"
#include "codegen/segments/GraphInfo.h"
#include "codegen/segments/InPlace.h"
#include "codegen/segments/LoopBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "passes/analyze/Cost.h"
#include "sluice/enums.h"

namespace sluice {

class SegmentLowering {
public:
  SegmentLowering(mlir::ModuleOp module, stream::GraphOp graph);
  /// Makes all functions and the module attribute `stream.table`; the caller
  /// erases the graph.
  void run();

private:
  using Value = mlir::Value;
  using Location = mlir::Location;
  using Block = mlir::Block; // abi.h has one of its own

  //===--- functions ---------------------------------------------------------===//
  void operatorFunctions(OpInfo &op);
  void inputFunctions(OpInfo &op, unsigned port);
  /// Whether the operator submits other than from its onTuple.
  static bool submitsOutsideRowLoops(OpInfo &op);
  mlir::func::FuncOp function(llvm::StringRef name, mlir::TypeRange args, Location loc);
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

  //===--- handlers (Handlers.cpp) --------------------------------------------===//
  /// Clones a handler region into a function and lowers what is in it. Returns
  /// the name to call: with the failure rule around it if it can fail.
  std::string handler(OpInfo &op, mlir::Region &body, const std::string &name,
                      mlir::TypeRange args);
  /// Ends a function with what `rule` ("sl_fail" or "sl_caught") returns if `status` is a failure
  /// of `op` at a site. What is below zero was reported further downstream.
  void failIfAtSite(OpInfo &op, Value ctx, Value status, llvm::StringRef rule);
  /// Lowers the operations of the stream dialect in a handler.
  void lowerBody(OpInfo &op, mlir::func::FuncOp f, bool isSource, bool inRowLoop);
  void lowerSubmit(OpInfo &op, stream::SubmitOp submit, mlir::func::FuncOp f, bool isSource,
                   bool inRowLoop);
  Value askShutdown(OpInfo &op, unsigned port, Value ctx, Location loc);
  Value askShutdown(OpInfo &op, Value made, mlir::func::FuncOp f, Location loc);
  Value counterSlot(mlir::func::FuncOp f, Location loc);
  Value room(OpInfo &op, stream::RoomOp ask, mlir::func::FuncOp f);
  void submitPunct(OpInfo &op, stream::SubmitPunctOp punct, Value ctx);
  static bool mayBeFinal(stream::SubmitPunctOp punct);
  /// Whether a handler submits Final on this output port.
  static bool mayClose(OpInfo &op, unsigned port);
  void tupleFunction(OpInfo &op, unsigned port);
  void runMarkHandler(OpInfo &op, mlir::Region *body, const std::string &name, Value argument,
                      Value ctx);
  void punctFunction(OpInfo &op, unsigned port);
  void passesFinalOnly(OpInfo &op);
  void finalFunction(OpInfo &op);
  /// Final leaves all ports. In a function of its own where several functions need it.
  void close(OpInfo &op, Value ctx, Location loc);
  void closePorts(OpInfo &op, Value ctx, Location loc);
  static bool hasFinalFunction(OpInfo &op);
  void processFunction(OpInfo &op);
  void paramsFunction(OpInfo &op);
  /// The name of a function of the operators of one region, or (-1) of those outside all regions.
  static std::string regionFunction(llvm::StringRef name, int region);
  void initFunction(int region);
  void destroyFunction(int region);
  std::string valueFunction(OpInfo &op, mlir::Region &region, const std::string &name,
                            llvm::function_ref<void(mlir::OperandRange)> use);

  //===--- what operators ask about themselves (Metrics.cpp) ------------------===//
  /// Before calls that may touch metrics: says whose code it is.
  void nameOperator(OpInfo &op, mlir::func::FuncOp f);
  static bool anyFunctionTouchesMetrics(mlir::ModuleOp);
  enum class Direction { In, Out };
  /// Counts a tuple, or a punctuation of `kind` (i32), at a port if the operator is one of them.
  void count(OpInfo &op, Direction direction, unsigned port, Value ctx, Value kind, Location loc);

  //===--- ports (Ports.cpp) --------------------------------------------------===//
  void outFunction(OpInfo &op, unsigned port);
  void stripFunction(OpInfo &op, unsigned port);
  void outPunctFunction(OpInfo &op, unsigned port);
  /// The name of what takes a tuple that leaves a port in a row loop, and of what takes a
  /// punctuation.
  std::string strip(OpInfo &op, unsigned port);
  std::string outPunct(OpInfo &op, unsigned port);
  /// The consumer of a port, if nothing else happens to what leaves it than that it is called.
  std::optional<Consumer> onlyCalled(OpInfo &op, unsigned port);
  /// Makes what a native operator calls to submit.
  void emitFunctions(OpInfo &op, unsigned port);
  /// Forwards the ports of a strip that are full; `failed` gets each status.
  void forwardFull(llvm::ArrayRef<StrippedPort> ports, Value ctx, Location loc,
                   llvm::function_ref<void(Value)> failed);
  /// Returns how many of `rows` (i64) all ports have room for.
  Value stripLength(llvm::ArrayRef<StrippedPort> ports, Value ctx, Value rows, Location loc);
  /// Appends a tuple to the batch of an output port.
  void append(OpInfo &op, unsigned port, Value ctx, Value tuple);
  /// The same in place: `at` is the batch and the row.
  void appendInPlace(const InPlace &plan, OpInfo &op, unsigned port, Value tuple,
                     mlir::ValueRange at);
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

  //===--- segments (SegmentFunctions.cpp) -------------------------------------===//
  /// What the body of a function that runs a batch works with.
  struct SegmentFrame {
    Value ctx, batch;
    Block *failed; // ends the segment; its argument is the row (i64) that has failed
    Value scratch; // an arena checkpoint: temporaries are released after each row
  };
  /// Starts the body of a function whose first arguments are the Ctx and the batch.
  SegmentFrame beginSegment(OpInfo &op, mlir::func::FuncOp f);
  void batchFunction(OpInfo &op, unsigned port);
  void segmentFunction(OpInfo &op, unsigned port);
  /// Runs the rows from `row` to `stop` out of `rows`, and forwards what is full between strips.
  void runStrips(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row, Value stop,
                 Value rows);
  /// Runs one row; `plan`: in place, or null.
  void runRow(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row, const InPlace *plan);
  /// Runs a punctuation, which stands before `row`.
  void runPunct(OpInfo &op, unsigned port, const SegmentFrame &frame, Value puncts, Value punct,
                Value row);
  /// Loads a field of the punctuation with the number `punct` (i64).
  Value punctField(Value puncts, Value punct, int64_t offset, mlir::Type type, Location loc);
  /// Whether `kind` (i32) is that kind of punctuation.
  Value isKind(Value kind, PunctuationKind wanted, Location loc);
  /// Whether a punctuation of this kind (i32) ends its stream; aborts on kinds that there are not.
  Value isFinal(Value kind, Location loc);
  /// Asks for the entries of the keys of later rows, if there are so many.
  void lookAhead(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row, Value rows);
  /// Forwards what the segment's ports still hold.
  void forwardAll(OpInfo &op, Value ctx, Location loc);
  /// Ends a segment that has failed at this row (i64).
  void failAt(OpInfo &op, Value row, Value ctx, Location loc);
  /// Calls sl_unwind for the segment's ports. Returns its status.
  Value unwind(OpInfo &op, Value ctx, Location loc);

  //===--- segments that forward in place (LowerInPlace.cpp) ------------------===//
  /// Finds the segments that forward the batches that they are given.
  void planMoves();
  /// What the operator's onTuple is part of, if the tuples go on by this port.
  const InPlace *inPlaceThrough(OpInfo &op, unsigned outPort) const;
  bool isInPlace(OpInfo &op) const { return throughs.contains(op.index); }
  /// The types of the arguments that functions in place have besides.
  llvm::SmallVector<mlir::Type> placeTypes(OpInfo &op);
  void rowsInPlace(OpInfo &op, unsigned port, const InPlace &plan);
  void segmentInPlace(OpInfo &op, unsigned port, const InPlace &plan);
  /// Stores the number of rows of a batch that is forwarded in place.
  void setRows(const InPlace &plan, Value batch, Value rows, Location loc);

  //===--- state by key (Keyed.cpp) --------------------------------------------===//
  void rowsByKey(OpInfo &op, unsigned port);
  /// The column of the key in the batches of the only input port, if the segment that the port
  /// heads has such a function.
  std::optional<unsigned> keyColumn(OpInfo &op);

  //===--- the program table (Table.cpp) ---------------------------------------===//
  stream::TableAttr table();
  stream::TableOperatorAttr operatorTable(OpInfo &op);
  stream::TableInputAttr inputTable(OpInfo &op, unsigned port);
  stream::TableOutputAttr outputTable(OpInfo &op, unsigned port);
  stream::TableRegionAttr regionTable(unsigned index);
  /// Null if no key shard runs its rows.
  llvm::SmallVector<stream::TableVariableAttr> stateTable(OpInfo &op);
  stream::TableKeyedAttr keyedTable(OpInfo &op);
  /// How many tuples one tuple of each input port becomes on each output port.
  static llvm::SmallVector<stream::RowsOut> tuplesOut(OpInfo &op);

  mlir::ModuleOp module;
  stream::GraphOp graph;
  GraphInfo info;
  Allocation allocation;
  llvm::SmallVector<double> costs; // by operator: ns a tuple, by estimate
  llvm::SmallVector<bool> waits;   // by operator: its code may put the thread to sleep
  llvm::DenseMap<unsigned, std::unique_ptr<InPlace>>
      moves; // by id of the input port that heads the segment
  /// By operator on the way of such a segment: that segment, and the output port that leads on.
  llvm::DenseMap<unsigned, std::pair<const InPlace *, unsigned>> throughs;
  bool functionsTouchMetrics = anyFunctionTouchesMetrics(module); // some function of the program
  mlir::OpBuilder b;
  LoopBuilder flow; // emits with `b`
  mlir::Type ptr, i32Type;
  /// The handlers of an operator's punctuation logic, by input port.
  llvm::DenseMap<std::pair<unsigned, unsigned>, std::string> punctHandlers;
};

} // namespace sluice
