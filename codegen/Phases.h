//===- Phases.h - the phases of a program and what leads between them -----===//
//
// The only vocabulary for what a module is in: `sluice ir --stop-after`, the
// pipelines of sluice-opt and the verifier passes use these names.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/PassOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace sluice {

/// A form of a module, with invariants that a verifier checks at its begin. In the order
/// of compilation.
enum class Phase { Graph, Flat, Placed, Lowered, LLVM };

struct PhaseOptions {
  BoundaryChoice boundaries = BoundaryChoice::Auto;
  MergeOrder mergeOrder = MergeOrder::Exact;
  std::string pes = "1"; // how many PEs: see PeCount
  /// Windows fire when their input ends.
  bool closeWindows = false;
};

struct PhaseInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral meaning;
  /// Adds the passes that lead here from the phase before, and verify this one. Null for
  /// the first phase, which the frontend makes.
  void (*build)(mlir::OpPassManager &, const PhaseOptions &);
};

/// All phases, by the value of Phase.
llvm::ArrayRef<PhaseInfo> phases();

/// The phase with a name, if there is one.
std::optional<Phase> parsePhase(llvm::StringRef name);

/// Adds the passes that take a module from phase `first` to `last`.
void buildPhases(mlir::OpPassManager &, Phase first, Phase last, const PhaseOptions &);

/// Makes each pipeline known to sluice-opt: --graph-to-flat, --flat-to-placed and so on.
void registerPhases();

} // namespace sluice
