//===- GraphInfo.h - numbers for a placed graph -----------------*- C++ -*-===//
//
// Ids of operators, ports and native operators, offsets of state variables, and the
// consumers of each stream. All of it follows from the placed graph alone.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Stream.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice {

struct OpInfo {
  stream::OperatorOp op;
  unsigned index;                          // among all operators
  int native = -1;                         // index among native operators; -1: generated
  unsigned firstIn, firstOut;              // ids of its first input and output port
  llvm::SmallVector<int64_t> stateOffsets; // of its variables, in bytes from Ctx::state
  uint64_t firstState = 0, stateEnd = 0;   // where its state begins and ends
  bool counted = false;                    // its code counts what comes to and leaves its ports
  /// The name of a function of the operator (LowerSegments.h).
  std::string symbol(llvm::StringRef what, unsigned port) const;
  /// Whether it is a generated source, which runs by itself.
  bool hasProcess() { return native < 0 && op.isSource() && op.onProcess(); }
};

struct Consumer {
  OpInfo *op;
  unsigned port, operand;
  stream::Edge edge;
};

/// An output port whose tuples an operator is called with.
struct Caller {
  OpInfo *op;
  unsigned outPort;
};

/// An output port whose batch row loops look at between strips only.
struct StrippedPort {
  unsigned id;
  bool hasPayload; // some columns point into the batch's arena
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
  /// The id of the output port that leads to an input port, if there is only one.
  std::optional<unsigned> producer(OpInfo &, unsigned inPort);
  /// Whether any consumer of the port takes batches.
  bool hasBatch(OpInfo &, unsigned outPort);
  /// Who calls the operator, one entry for each of its streams; none for a head.
  llvm::SmallVector<Caller> callers(OpInfo &);
  /// Whether one row of its segment calls the operator at most once, on whatever way.
  bool isCalledOnce(OpInfo &);
  /// Whether the code that calls the port's consumers counts its tuples: where streams meet, or one
  /// tuple becomes several, nothing else tells how many they are.
  bool countsTuples(OpInfo &, unsigned outPort);
  /// `head`, and the operators that its code reaches through direct edges.
  llvm::SmallVector<OpInfo *> segment(OpInfo &head);
  /// Ids of the output ports with batches that the code of `op` reaches through
  /// direct edges: those that its segment must forward.
  llvm::SmallVector<unsigned> batchPortsReached(OpInfo &op);
  /// Whether row loops look at the port's batch between strips of rows only: a tuple
  /// adds at most one row to it, and the order of forwards cannot be observed.
  bool isStripped(OpInfo &op, unsigned outPort);
  /// The stripped ports that a tuple reaches which leaves on `outPort`, or on any port
  /// if none is given.
  llvm::SmallVector<StrippedPort> strippedReached(OpInfo &op,
                                                  std::optional<unsigned> outPort = std::nullopt);
  uint64_t stateBytes = 0;
  unsigned inPorts = 0, outPorts = 0, natives = 0;

private:
  enum class Calls { None, One, Several };
  using CallCounts = llvm::DenseMap<OpInfo *, Calls>;
  /// How often `target` is called for one tuple that comes to `from`, at most.
  Calls callsOf(OpInfo &from, OpInfo &target, CallCounts &known);
  Calls callsFrom(OpInfo &from, unsigned outPort, OpInfo &target, CallCounts &known);
  void enter(int region);
  void leave(int region);

  llvm::SmallVector<RegionInfo> regionList;
  llvm::SmallVector<std::unique_ptr<OpInfo>> ops;
  llvm::DenseMap<mlir::Operation *, OpInfo *> byOp;
  llvm::DenseMap<OpInfo *, bool> calledOnce; // isCalledOnce, as far as it was asked
};

} // namespace sluice
