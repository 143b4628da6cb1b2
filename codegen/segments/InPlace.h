//===- InPlace.h - segments that hand their input batch on ------*- C++ -*-===//
//
// Where a batch belongs to its one consumer alone, and what the segment submits
// has the same columns and at most a row for each row, the segment writes what it
// changes into the batch itself and hands that on: nothing else is touched.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/segments/GraphInfo.h"

namespace sluice {

/// How one segment does it.
struct InPlace {
  unsigned out;  // the id of the output port that hands the batches on
  bool everyRow; // no row is dropped: each stays where it is
  /// By column of the output: the column of the input whose values it has, or -1.
  llvm::SmallVector<int> origins;
  /// From the head to that port: operators, and the output port that leads on.
  llvm::SmallVector<std::pair<OpInfo *, unsigned>> path;
  std::optional<unsigned> producer; // of the input
};

/// None: the segment headed by this input port fills other batches than it is
/// given. `costs`: of operators by index, ns a tuple.
std::optional<InPlace> planInPlace(GraphInfo &, OpInfo &head, unsigned port,
                                   llvm::ArrayRef<double> costs);

} // namespace sluice
