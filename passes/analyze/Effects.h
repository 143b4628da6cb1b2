//===- Effects.h - what an operator touches outside its tuples --*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>

namespace sluice {

/// Things outside the graph; two operators that touch the same one can be told
/// apart by their order.
enum Outside : unsigned {
  kNothing = 0,
  kConsole = 1, // standard output
  kLog = 2,     // traces and logs
  kFiles = 4,   // any file: spl.file, or a name not known before the start
  kRandom = 8,  // the random number generator
  kMetrics = 16,
  kEverything = ~0u, // ends the program
};

struct Effects {
  unsigned outside = kNothing;
  /// Files known by name: written, and read.
  std::set<std::string> writes, reads;
  /// State that tuples change.
  bool state = false;
  /// Cannot be left out: effects, failures, native operators, unbounded loops.
  bool removable = true;

  bool any() const { return outside || !writes.empty() || !reads.empty(); }
};

/// Whether both touch the same thing and one of them changes it.
bool conflict(const Effects &, const Effects &);

/// Finds effects of operators, and of the functions that they call.
class EffectAnalysis {
public:
  explicit EffectAnalysis(mlir::ModuleOp module) : module(module) {}

  /// What happens for tuples: stream.on_tuple and stream.on_process, or all that
  /// a native operator does. `marks`: stream.on_punct, too.
  Effects operator()(stream::OperatorOp, bool marks = false);

private:
  void addRegion(mlir::Region &, Effects &, llvm::StringSet<> &called);
  void addCall(llvm::StringRef callee, Effects &, llvm::StringSet<> &called);

  mlir::ModuleOp module;
};

/// What the library function behind a symbol of the runtime touches.
unsigned outsideOf(llvm::StringRef symbol);

} // namespace sluice
