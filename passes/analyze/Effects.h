//===- Effects.h - what an operator touches outside its tuples --*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>

namespace sluice {

struct Effects {
  /// Two operators that touch the same thing can be told apart by their order. `files` means
  /// any file: a name is not known before the start.
  spl::Effect outside = spl::Effect::none;
  /// Files known by name: written, and read.
  std::set<std::string> writes, reads;
  /// State that tuples change.
  bool state = false;
  /// Cannot be left out: effects, failures, native operators, unbounded loops.
  bool removable = true;

  bool any() const { return outside != spl::Effect::none || !writes.empty() || !reads.empty(); }
};

/// Whether both touch the same thing and one of them changes it.
bool conflict(const Effects &, const Effects &);

/// Finds effects of operators, and of the functions that they call.
class EffectAnalysis {
public:
  explicit EffectAnalysis(mlir::ModuleOp module) : module(module) {}

  /// What happens for tuples: stream.on_tuple and stream.on_process, or all that
  /// a native operator does. `onPunct`: stream.on_punct, too.
  Effects operator()(stream::OperatorOp, bool onPunct = false);

private:
  void addRegion(mlir::Region &, Effects &, llvm::StringSet<> &called);
  void addCall(llvm::StringRef callee, Effects &, llvm::StringSet<> &called);

  mlir::ModuleOp module;
};

} // namespace sluice
