//===- Explain.h - why the program is placed as it is -----------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/print/Stages.h"

namespace sluice {

class CostEstimate;
class Graph;

/// What is said of a segment besides its operators, by its head.
using SegmentNotes = llvm::DenseMap<mlir::Operation *, std::string>;
/// For people: the processes; what each operator remembers, how it is reached, and why; then
/// the parallel regions and the pipeline. Phase placed.
void explainPlacement(mlir::ModuleOp, const InPlaceHeads &, const SegmentNotes &,
                      const WholeBatches &, llvm::raw_ostream &);
/// The parallel regions: width, how tuples come to channels, and the state of each.
void explainRegions(stream::GraphOp, const Graph &, const WholeBatches &, llvm::raw_ostream &);
/// The processes (PEs): what is in them and why, and the links between them.
void explainPes(stream::GraphOp, llvm::raw_ostream &);

/// The graph as a pipeline: where it starts, its longest path, its heaviest stage, and what a
/// thread for each stage brings. Of a program in one process.
void explainPipeline(const Graph &, CostEstimate, const InPlaceHeads &, llvm::raw_ostream &);

/// An operator whose state no checkpoint can hold, so that --checkpoint refuses the program.
struct Unsaved {
  std::string label, kind, why;
  bool isLogged = false; // a source that leads to a ReplayableStart: not refused, it has a log
};
/// Consistent regions, operators that are not restored, logged or refused; nothing where
/// all is saved and restored.
void explainCheckpoints(mlir::ModuleOp, llvm::ArrayRef<Unsaved>, llvm::raw_ostream &);

/// Begins a line about something that has a title, with what the line says of it.
llvm::raw_ostream &explainLine(llvm::raw_ostream &, llvm::StringRef what);
/// `, file:line`, or nothing where it is not known.
std::string placeOf(mlir::Location);

} // namespace sluice
