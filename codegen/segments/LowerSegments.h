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
//   opK.keyedP(ctx, batch, first, end, made) -> i32   if key shards may run that segment: runs
//                                   some of its rows, forwards only what is full, and says what
//                                   each row has made
//   opK.process0(ctx) -> i32        a generated source
//   opK.end0(ctx) -> i32            onEnd
//   opK.emitO, opK.emitpunctO       native operators submit through these
//   opK.params0(ctx)                tells a native operator its parameters
//   sl.init(ctx), sl.destroy(ctx), and sl.initR, sl.destroyR for @parallel region R
//
//   opK.leaveO(ctx, tuple, block, at) -> i32   a tuple leaves a step at this port
//
// Operators before the last step of a segment that runs in steps (Selections.h) get the block and
// the row's number in it, or its place in the dense copies, in tupleP as well. Between the head of
// a segment that forwards in place and the output port that does it (InPlace.h), tupleP and stripO
// get the batch and the row as well.
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
#include "codegen/segments/SegmentCode.h"

namespace sluice {

/// Makes all functions and the module attribute `stream.table`; the caller erases the graph.
class SegmentLowering : SegmentCode {
public:
  using SegmentCode::SegmentCode;
  void run();

private:
  void operatorFunctions(OpInfo &op);
  void inputFunctions(OpInfo &op, unsigned port);
  /// Whether the operator submits other than from its onTuple.
  static bool submitsOutsideRowLoops(OpInfo &op);
  /// Finds the segments that forward the batches that they are given.
  void planMoves();
  /// Finds the segments that run in steps.
  void planSteps(llvm::ArrayRef<Cost> estimates);
};

} // namespace sluice
