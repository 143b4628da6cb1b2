//===- CheckpointOptions.h - what checkpoints are made, and where -*- C++ -*-===//
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct CheckpointOptions {
  std::string directory;        // empty: none are made, or the host keeps them
  bool isHosted = false;        // the host asks for them and keeps them
  std::optional<double> every;  // seconds from the end of one to the next; else the program says it
  std::optional<double> budget; // of the time of the program, what they may cost at most; 1: all
  uint32_t keep = 2;            // how many
  uint64_t before = 0;  // the last one that was there when the job began; 0: none. `from` and
                        // `drops` hold for these, and not for one that the job has made
  bool resumes = false; // the run goes on from one
  uint32_t from = 0;    // its number; 0: the last one
  uint64_t blocksFrom = 1 << 20; // bytes of a set or map from which on its changes are known
  uint32_t stopAt = 0; // the run ends at this save point, counted from 1 (for tests); 0: at none
  std::vector<std::string> drops; // operators and variables whose state is let go

  std::vector<std::string> spools; // sources whose rows are logged, as the program names them

  bool makes() const { return !directory.empty() || isHosted; }
};

} // namespace sluice
