//===- Allocation.h - what may take scratch memory --------------*- C++ -*-===//
#pragma once
#include "codegen/segments/GraphInfo.h"

namespace sluice {

/// Answers whether code may allocate temporaries. Where it does not, checkpoints and
/// releases of the scratch arena are dropped, so that a loop over numbers
/// touches no memory but its own. Conservative: most natives with anything but
/// scalars count, and so do recursive functions.
class Allocation {
public:
  /// For code that submits nothing, no graph is needed.
  explicit Allocation(GraphInfo *info = nullptr) : info(info) {}
  /// A handler or function body, or one operation, alone: submits left out.
  bool mayAllocate(mlir::Region &region);
  bool mayAllocate(mlir::Operation *op);
  /// The tuples that leave on an output port, as far as they are calls.
  bool consumersMayAllocate(OpInfo &op, unsigned outPort);
  /// A tuple that arrives, with what its operator submits.
  bool tupleMayAllocate(OpInfo &op, unsigned inPort);

private:
  GraphInfo *info;
  llvm::DenseMap<mlir::Operation *, bool> functions;
  llvm::DenseMap<std::pair<unsigned, unsigned>, bool> tuples;
};

/// Erases the arena checkpoints of a function, with their releases, where nothing that
/// runs between the two may allocate.
void dropCheckpoints(mlir::Operation *function,
                     llvm::function_ref<bool(mlir::Operation *)> mayAllocate);

} // namespace sluice
