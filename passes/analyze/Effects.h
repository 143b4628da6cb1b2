//===- Effects.h - what an operator touches outside its tuples --*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>

namespace sluice {

/// Files that an operator names. Two names may mean one file if their last parts agree.
struct Files {
  std::set<std::string> named; // the last parts
  bool any = false;            // a name is not known before the start

  bool empty() const { return named.empty() && !any; }
  void add(const Files &other);
};

struct Effects {
  /// Two operators that touch the same thing can be told apart by their order. `files` means
  /// any file, read or written.
  spl::Effect outside = spl::Effect::none;
  Files writes, reads;
  /// State that tuples change.
  bool state = false;
  /// Cannot be left out: effects, failures, native operators, unbounded loops.
  bool removable = true;

  bool any() const { return outside != spl::Effect::none || !writes.empty() || !reads.empty(); }
  /// Both together.
  void add(const Effects &other);
};

/// Whether both touch the same thing and one of them changes it, so that their order can be seen.
/// No program reads a file while it writes it: the runtime refuses the file (FileUses).
bool conflict(const Effects &, const Effects &);
/// Whether the reader may read files of the writer.
bool mayWriteFor(const Effects &writer, const Effects &reader);
/// Whether one may read a file that the other writes. Only one process of both can refuse it.
bool mayReadWhatIsWritten(const Effects &, const Effects &);

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
