//===- StepCode.h - runs a block of rows in steps ---------------*- C++ -*-===//
#pragma once
#include "codegen/segments/Parts.h"
#include "codegen/selections/BlockCode.h"

namespace sluice {

/// Makes the code that runs the rows of one block.
class StepCode : public BlockCode {
public:
  /// `first`: the row of the batch that the block begins with; `rows`: how many it has.
  StepCode(SegmentContext &c, const Selections &plan, const SegmentFrame &frame, Value first,
           Value rows, Location loc)
      : BlockCode(c, plan, frame.block, loc), frame(frame), first(first), rows(rows),
        chosen(plan.steps.size()) {}

  /// Runs all steps but the last one.
  void runEarly();
  /// Returns how many rows (i64) come to the last step.
  Value selectLast();
  /// Runs one of them in the last step.
  void runLast(Value at);
  /// The row of the batch that it is.
  Value lastRow(Value at);
  /// If some step has failed: tells of it, and leaves with the row.
  void leaveIfFailed();

private:
  /// The rows of a step: all of the block, or those of a list.
  struct Selected {
    std::optional<unsigned> list;
    Value count;
  };
  Selected select(unsigned step);
  Selected selectAll(unsigned step);
  Selected clip(const Selected &selected);
  Selected merge(const Step &step);
  void mergeSome(const Step &step, llvm::ArrayRef<Selected> from);
  Value rowOf(const Selected &selected, Value at);
  Value batchRow(Value row);
  Value column(const Step &step, unsigned index, Value row);
  Value call(const Step &step, Value at, Value row, mlir::ValueRange place);
  void run(const Step &step, Value at, Value row, mlir::ValueRange place);
  void runUntilFailure(const Step &step, const Selected &selected);
  void runSideBySide(const Step &step, const Selected &selected);
  void countTuples(unsigned step, const Selected &selected);

  const SegmentFrame &frame;
  const Value first, rows;
  std::vector<Selected> chosen; // by step
};

} // namespace sluice
