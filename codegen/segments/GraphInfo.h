//===- GraphInfo.h - numbers for a placed graph -----------------*- C++ -*-===//
//
// Dense ids of operators, ports and native operators, state offsets, and who
// consumes a stream how: the facts that LowerSegments and ProgramTable share.
// A pure function of the placed graph.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Stream.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice {

struct OpInfo {
  stream::OperatorOp op;
  unsigned index;                          // of the operator
  int native = -1;                         // index among native operators
  unsigned firstIn, firstOut;              // ids of its first ports
  llvm::SmallVector<int64_t> stateOffsets; // bytes from Ctx::state
  uint64_t firstState = 0, stateEnd = 0;   // of all of it
  std::string symbol(llvm::StringRef what, unsigned port) const;
};

struct Consumer {
  OpInfo *op;
  unsigned port, operand;
  stream::Edge edge;
};

/// An output port whose batch has room for the rows of a strip.
struct StrippedPort {
  unsigned id;
  bool hasPayload; // columns that point into the batch's arena
};

/// A @parallel region: what belongs to it, regions inside included, has consecutive
/// ids and state of its own.
struct RegionInfo {
  struct Ids {
    unsigned first = 0, count = 0;
  };
  stream::RegionAttr desc;
  Ids ops, ins, outs, natives;
  uint64_t firstState = 0, stateBytes = 0; // multiples of 16
};

class GraphInfo {
public:
  explicit GraphInfo(stream::GraphOp graph);
  llvm::MutableArrayRef<std::unique_ptr<OpInfo>> operators() { return ops; }
  llvm::ArrayRef<RegionInfo> regions() const { return regionList; }
  OpInfo &info(stream::OperatorOp op) { return *byOp[op]; }
  /// Consumers of an output port in graph order, one entry per input port.
  llvm::SmallVector<Consumer> consumers(OpInfo &, unsigned outPort);
  /// The output port that alone leads to an input port, if there is but one.
  std::optional<unsigned> producer(OpInfo &, unsigned inPort);
  /// Whether any consumer of the port takes batches.
  bool hasBatch(OpInfo &, unsigned outPort);
  /// `head`, and the operators that its code reaches through direct edges.
  llvm::SmallVector<OpInfo *> segment(OpInfo &head);
  /// Ids of the output ports with batches that the code of `op` reaches through
  /// direct edges: those that its segment must forward.
  llvm::SmallVector<unsigned> batchPortsReached(OpInfo &op);
  /// Those of them that row loops check between strips of rows only: a row adds
  /// at most one row to them, and nobody can see when they are forwarded.
  bool isStripped(OpInfo &op, unsigned outPort);
  /// The stripped ports that a tuple reaches which leaves on `outPort`, or any
  /// port if there is none given.
  llvm::SmallVector<StrippedPort> strippedReached(OpInfo &op,
                                                  std::optional<unsigned> outPort = std::nullopt);
  uint64_t stateBytes = 0;
  unsigned inPorts = 0, outPorts = 0, natives = 0;

private:
  void enter(int region);
  void leave(int region);

  llvm::SmallVector<RegionInfo> regionList;
  llvm::SmallVector<std::unique_ptr<OpInfo>> ops;
  llvm::DenseMap<mlir::Operation *, OpInfo *> byOp;
};

} // namespace sluice
