//===- Relaunches.h - how often a run was begun again ---------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice::checkpoint {

/// Counted in the file DIR/relaunches, which each run writes when it starts: a run that makes no
/// checkpoint counts, too.
struct Relaunches {
  uint32_t count = 0;    // resumed runs since the state began
  uint32_t attempts = 0; // of these, the last ones that went on from the same checkpoint
  uint64_t from = 0;     // its number; 0: there was none, they began anew

  /// What the run at hand has counted; nothing where the file cannot be read.
  void read(const std::string &directory);
  /// A run starts in the directory. `resumes`: with --resume; `from`: from that checkpoint, or 0;
  /// `isChosen`: by --resume-from. Returns what went wrong; empty: nothing.
  std::string start(const std::string &directory, bool resumes, uint64_t from, bool isChosen);
};

} // namespace sluice::checkpoint
