//===- ReadPlan.cpp - which blocks of runs a merge reads when -------------===//
#include "runtime/external/ReadPlan.h"
#include "runtime/external/BucketGame.h"
#include <algorithm>

namespace sluice::external {

std::vector<Read> planReads(std::span<const Use> uses, uint32_t runs, uint64_t memory) {
  std::vector<Read> reads; // the last one first
  BucketGame game(runs, memory, 1);
  std::vector<uint32_t> blocks(runs, 0); // of a run that are in memory
  auto empty = [&](uint32_t run) {
    reads.push_back({run, blocks[run], game.empty(run)});
    blocks[run] = 0;
  };
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    while (game.held() && !game.fits(use->bytes))
      empty(game.fullest()[0]);
    game.add(use->run, use->bytes);
    ++blocks[use->run];
  }
  // What is left is read at the start, where nothing is used before all runs have a block.
  for (uint32_t run = runs; run-- > 0;)
    if (blocks[run])
      empty(run);
  std::reverse(reads.begin(), reads.end());
  return reads;
}

} // namespace sluice::external
