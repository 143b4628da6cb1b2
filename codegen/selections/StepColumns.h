//===- StepColumns.h - where the columns of a step are ----------*- C++ -*-===//
#pragma once
#include "codegen/selections/Selections.h"

namespace sluice {

using CallersOf = llvm::DenseMap<OpInfo *, llvm::SmallVector<Caller>>;

/// Sets `columns` of all steps, `stores` of all exits and `strides`. Returns why some column cannot
/// be kept; empty: all can.
std::string findColumns(Selections &, const CallersOf &);
/// Sets `reads` of the steps that are `sideBySide`, and takes that back where rows may take
/// different ways or the step is the first or last one.
void findDense(Selections &, const CallersOf &);

} // namespace sluice
