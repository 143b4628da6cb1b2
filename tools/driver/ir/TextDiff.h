//===- TextDiff.h - what differs between two texts ------------------*- C++ -*-===//
#pragma once
#include "llvm/Support/raw_ostream.h"

namespace sluice::driver {

struct DiffSide {
  std::string name, text;
};

/// A unified difference by lines, three of them around each change. Nothing if the texts are the
/// same. In colours if wanted.
void printDiff(const DiffSide &before, const DiffSide &after, bool colours, llvm::raw_ostream &);

} // namespace sluice::driver
