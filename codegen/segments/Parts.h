//===- Parts.h - the parts of the lowering of segments -----------*- C++ -*-===//
//
// Each part makes functions of one kind (LowerSegments.h lists them). A part is made where it is
// needed: what lasts is in SegmentContext.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/segments/Lookahead.h"
#include "codegen/segments/SegmentCode.h"

namespace sluice {

/// What the body of a function that runs a batch works with.
struct SegmentFrame {
  mlir::Value ctx, batch;
  mlir::Block *failed; // ends the segment; its argument is the row (i64) that has failed
  mlir::Value scratch; // an arena checkpoint: temporaries are released after each row
  mlir::Value block;   // of a segment that runs in steps: the memory of a block of rows
};

/// Functions of handlers: what a tuple or a punctuation does in an operator.
class Handlers : public SegmentCode {
public:
  using SegmentCode::SegmentCode;
  /// Clones a handler region into a function and lowers what is in it. Returns
  /// the name to call: with the failure rule around it if it can fail.
  std::string handler(OpInfo &op, mlir::Region &body, const std::string &name,
                      mlir::TypeRange args);
  /// Ends a function with what `rule` ("sl_fail" or "sl_caught") returns if `status` is a failure
  /// of `op` at a site. What is below zero was reported further downstream.
  void failIfAtSite(OpInfo &op, Value ctx, Value status, llvm::StringRef rule);
  /// Whether a handler submits Final on this output port.
  static bool mayClose(OpInfo &op, unsigned port);
  void tupleFunction(OpInfo &op, unsigned port);
  void punctFunction(OpInfo &op, unsigned port);
  void finalFunction(OpInfo &op);
  /// Final leaves all ports. In a function of its own where several functions need it.
  void close(OpInfo &op, Value ctx, Location loc);
  static bool hasFinalFunction(OpInfo &op);
  /// Counts tuples (i64) that have left a port (GraphInfo::countsTuples).
  void countMade(OpInfo &op, unsigned port, Value ctx, Value tuples, Location loc);

private:
  void noteFailure(OpInfo &op, const Selections &plan, Value block, Value status);
  /// Lowers the operations of the stream dialect in a handler.
  void lowerBody(OpInfo &op, mlir::func::FuncOp f, bool isSource, bool inRowLoop);
  void lowerSubmit(OpInfo &op, stream::SubmitOp submit, mlir::func::FuncOp f, bool isSource,
                   bool inRowLoop);
  Value askShutdown(OpInfo &op, unsigned port, Value ctx, Location loc);
  Value askShutdown(OpInfo &op, Value made, mlir::func::FuncOp f, Location loc);
  Value saveDue(stream::SaveDueOp due, Value ctx);
  bool runsWholeBatches(OpInfo &op);
  void readDealt(mlir::func::FuncOp f);
  Value counterSlot(mlir::func::FuncOp f, Location loc);
  bool bringsPayload(OpInfo &op, unsigned port);
  Value room(OpInfo &op, stream::RoomOp ask, mlir::func::FuncOp f);
  void submitPunct(OpInfo &op, stream::SubmitPunctOp punct, Value ctx);
  static bool mayBeFinal(stream::SubmitPunctOp punct);
  void runMarkHandler(OpInfo &op, mlir::Region *body, const std::string &name, Value argument,
                      Value ctx);
  void passesFinalOnly(OpInfo &op);
  void closePorts(OpInfo &op, Value ctx, Location loc);
};

/// Functions of the life of operators: sources, parameters, initialisers and destructors of state.
class LifeFunctions : public SegmentCode {
public:
  using SegmentCode::SegmentCode;
  void processFunction(OpInfo &op);
  void paramsFunction(OpInfo &op);
  /// The name of a function of the operators of one region, or (-1) of those outside all regions.
  static std::string regionFunction(llvm::StringRef name, int region);
  void initFunction(int region);
  void destroyFunction(int region);

private:
  std::string valueFunction(OpInfo &op, mlir::Region &region, const std::string &name,
                            llvm::function_ref<void(mlir::OperandRange)> use);
};

/// Functions of output ports: where a tuple or a punctuation goes that leaves one.
class PortFunctions : public SegmentCode {
public:
  using SegmentCode::SegmentCode;
  void outFunction(OpInfo &op, unsigned port);
  void stripFunction(OpInfo &op, unsigned port);
  void outPunctFunction(OpInfo &op, unsigned port);
  /// Makes what takes a tuple that leaves a step.
  void leaveFunction(OpInfo &op, unsigned port);
  /// The exit of a step that a port is, or null.
  const Exit *exit(OpInfo &op, unsigned port) const;
  /// The name of what takes a tuple that leaves a port in a row loop, and of what takes a
  /// punctuation.
  std::string strip(OpInfo &op, unsigned port);
  std::string outPunct(OpInfo &op, unsigned port);
  /// Makes what a native operator calls to submit.
  void emitFunctions(OpInfo &op, unsigned port);
  /// Forwards the ports of a strip that are full; `failed` gets each status.
  void forwardFull(llvm::ArrayRef<StrippedPort> ports, Value ctx, Location loc,
                   llvm::function_ref<void(Value)> failed);
  /// Returns how many of `rows` (i64) all ports have room for.
  Value stripLength(llvm::ArrayRef<StrippedPort> ports, Value ctx, Value rows, Location loc);

private:
  /// The consumer of a port, if nothing else happens to what leaves it than that it is called.
  std::optional<Consumer> onlyCalled(OpInfo &op, unsigned port);
  /// Appends a tuple to the batch of an output port.
  void append(OpInfo &op, unsigned port, Value ctx, Value tuple);
  /// The same in place: `at` is the batch and the row.
  void appendInPlace(const InPlace &plan, OpInfo &op, unsigned port, Value tuple,
                     mlir::ValueRange at);
};

/// Functions that run the batches of a segment: row by row, in place, or for a key shard.
class SegmentFunctions : public SegmentCode {
public:
  using SegmentCode::SegmentCode;
  void batchFunction(OpInfo &op, unsigned port);
  void segmentFunction(OpInfo &op, unsigned port);
  /// Forwards what the segment's ports still hold.
  void forwardAll(OpInfo &op, Value ctx, Location loc);
  /// Calls sl_unwind for the segment's ports. Returns its status.
  Value unwind(OpInfo &op, Value ctx, Location loc);
  void rowsInPlace(OpInfo &op, unsigned port, const InPlace &plan);
  void segmentInPlace(OpInfo &op, unsigned port, const InPlace &plan);
  void rowsByKey(OpInfo &op, unsigned port);

private:
  /// Stores at `at` what the batch of each port has (KeyedRowsFn).
  void noteMade(llvm::ArrayRef<unsigned> ports, const SegmentFrame &frame, Value at, Location loc);
  /// Starts the body of a function whose first arguments are the Ctx and the batch.
  SegmentFrame beginSegment(OpInfo &op, mlir::func::FuncOp f);
  /// Runs the rows from `row` to `stop`, and forwards what is full between strips. `run` runs those
  /// from the first value to the second; `rowOf`: that of the batch that one of them is.
  void runStrips(OpInfo &op, const SegmentFrame &frame, Value row, Value stop,
                 llvm::function_ref<void(Value, Value)> run,
                 llvm::function_ref<Value(Value)> rowOf);
  /// The same row by row, and in steps.
  void runRows(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row, Value stop);
  void runSteps(OpInfo &op, const Selections &plan, const SegmentFrame &frame, Value row,
                Value stop);
  /// The memory of a block of rows.
  Value makeBlock(const Selections &plan, Location loc);
  /// Runs one row; `plan`: in place, or null.
  void runRow(OpInfo &op, unsigned port, const SegmentFrame &frame, Value row, const InPlace *plan);
  /// Runs a punctuation, which stands before `row`.
  void runPunct(OpInfo &op, unsigned port, const SegmentFrame &frame, Value puncts, Value punct,
                Value row);
  /// Runs `body` for the rows from `first` to `end`, if there are any.
  void forRows(OpInfo &op, unsigned port, const SegmentFrame &frame, Value first, Value end,
               llvm::function_ref<void(Value)> body);
  /// The same in blocks for which `all` is fetched.
  void runAhead(OpInfo &op, unsigned port, llvm::ArrayRef<Lookahead> all, const SegmentFrame &frame,
                Value first, Value end, llvm::function_ref<void(Value)> body);
  AheadRows beginAhead(OpInfo &op, unsigned port, llvm::ArrayRef<Lookahead> all,
                       const SegmentFrame &frame, Value begin);
  /// The element of the ring of a look-up that belongs to a row.
  Value slotAhead(const AheadRows &, const AheadRows::Lookup &, Value row, Location loc);
  /// Fetch the places in the index, and the entries, of `count` rows, at most a block.
  void fetchPlaces(const AheadRows &, Value row, Value count, Location loc);
  void fetchEntries(const AheadRows &, Value row, Value count, Location loc);
  /// Ends a segment that has failed at this row (i64).
  void failAt(OpInfo &op, Value row, Value ctx, Location loc);
  /// Stores the number of rows of a batch that is forwarded in place.
  void setRows(const InPlace &plan, Value batch, Value rows, Location loc);
};

/// Makes the program table.
class TableMaker : public SegmentCode {
public:
  using SegmentCode::SegmentCode;
  stream::TableAttr table();

private:
  stream::TableOperatorAttr operatorTable(OpInfo &op);
  stream::TableInputAttr inputTable(OpInfo &op, unsigned port);
  stream::TableOutputAttr outputTable(OpInfo &op, unsigned port);
  stream::TableRegionAttr regionTable(unsigned index);
  /// Null if no key shard runs its rows.
  llvm::SmallVector<stream::TableVariableAttr> stateTable(OpInfo &op);
  stream::TableKeyedAttr keyedTable(OpInfo &op);
  /// How many tuples one tuple of each input port becomes on each output port.
  static llvm::SmallVector<stream::RowsOut> tuplesOut(OpInfo &op);
};

} // namespace sluice
