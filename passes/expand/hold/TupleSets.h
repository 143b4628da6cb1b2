//===- TupleSets.h - one tuple of each input port ----------------*- C++ -*-===//
//
// Tuples wait in a queue for each input port until there is one in each: these make a set, in order
// of arrival. With `partitionByN` there are queues for each key. With `bufferSize` a queue that
// holds more than so many holds its port. What can be in no set any more, as another port has ended
// and its queue is empty, is dropped, and then no port is held.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Ring.h"
#include <functional>

namespace sluice::hold {

class TupleSets {
public:
  /// What becomes of a set: a tuple for each port, in their order.
  using Submit = std::function<void(HandlerBuilder &, llvm::ArrayRef<mlir::Value> tuples)>;

  TupleSets(stream::OperatorOp op, Submit submit);
  /// Adds the handlers of all ports.
  void addHandlers();

private:
  using Value = mlir::Value;
  Value find(HandlerBuilder &, Value key);
  Value isEmpty(HandlerBuilder &, unsigned port, Value queues);
  Value isOver(HandlerBuilder &, Value queues, std::optional<unsigned> except = std::nullopt);
  void onTuple(unsigned port);
  void arrive(HandlerBuilder &, unsigned port, Value key);
  void forget(HandlerBuilder &, Value key);
  void complete(HandlerBuilder &, unsigned port, Value queues, Value key);
  void keep(HandlerBuilder &, unsigned port, Value queues);
  void countFull(HandlerBuilder &, unsigned port, Value queues, int64_t more);
  void updateHolds(HandlerBuilder &);
  Value waitingAt(HandlerBuilder &, Value queues);
  void onEnd();

  stream::OperatorOp op;
  Submit submit;
  unsigned ports;
  mlir::Type key;                        // of `partitionByN`; null without
  window::Record record;                 // the queues of a key
  llvm::SmallVector<window::Ring> rings; // by port
  std::optional<AddedState> queues;      // a record, or a map from keys to records
  llvm::SmallVector<AddedState> ended;   // by port: its final punctuation has arrived
  std::optional<StartValue> size;        // bufferSize
  llvm::SmallVector<AddedState> full;    // by port: its queues that hold more (ui64)
};

} // namespace sluice::hold
