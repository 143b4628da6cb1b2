//===- Restore.h - a program goes on from what was saved ------------*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/Widths.h"
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/files/StateFile.h"
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {
struct Program;
}

namespace sluice::checkpoint {

/// The sections of a checkpoint, given to the operators that have their names. Functions return
/// what is wrong, as sentences for people; empty: nothing.
class Restore {
public:
  Restore(Program &p, Manifest manifest, std::vector<Section> sections);

  /// Whether the program has a place for all that was saved, but for what --resume-drop names.
  std::string check();
  /// Native operators, before they are opened. 0, or -1 after a failure that was reported.
  int32_t natives();
  /// Behind how many frames of its log a source was; nothing: it had none, or its state is let go.
  std::optional<uint64_t> logged(uint32_t op) const;
  /// All else that stands before threads run, when states have their first values and all
  /// operators are open.
  std::string states();
  /// Of sources.
  void sources();
  uint64_t number() const { return manifest.number; }
  bool isOfOtherBoot() const { return manifest.isOfOtherBoot(); }

private:
  const std::string *find(uint32_t op) const;
  const std::string *saved(uint32_t op) const;
  std::string checkLinks() const;
  std::string checkOperator(uint32_t op, std::string_view bytes) const;
  bool isForgotten(uint32_t op, std::string_view bytes) const;
  void restoreProgram();
  void restorePorts(uint32_t op, std::string_view bytes);
  void restoreCounts(uint32_t op, std::string_view bytes);

  Program &p;
  Manifest manifest;
  Sections byName;
  Widths widths;
};

} // namespace sluice::checkpoint
