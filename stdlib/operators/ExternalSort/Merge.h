//===- Merge.h - several runs as one ----------------------------*- C++ -*-===//
#pragma once
#include "runtime/memory/Heap.h"
#include "stdlib/operators/ExternalSort/BlockReader.h"

namespace sluice::external {

/// Gives the rows of all runs in order; of equal rows those of an earlier run first.
class Merge {
public:
  Merge(const RowOrder &, const Scratch &, std::span<const Run> runs, uint64_t memory,
        uint64_t stretchBytes);
  ~Merge();
  Merge(const Merge &) = delete;

  /// The next row, which is valid until the next call; null: there are no more, or problem() says
  /// why.
  const char *next();
  /// Of that row.
  uint64_t word() const { return winner.word; }
  const Failure &problem() const { return failed; }

private:
  /// A run that is read.
  struct Cursor {
    uint64_t word = ~uint64_t(0);
    const char *row = nullptr;                   // null: the run has ended
    const char *at = nullptr, *end = nullptr;    // what is left of its block
    const char *next = nullptr, *last = nullptr; // blocks that are in memory behind it
    std::vector<char> place;                     // of a row that is not plain
  };
  /// A run that meets others in the tree, with the word of its row.
  struct Player {
    uint64_t word, run;
  };
  Player player(uint32_t run) const { return {cursors[run].word, run}; }
  bool before(Player a, Player b) const {
    return a.word != b.word ? a.word < b.word : isEarlier(a.run, b.run);
  }
  bool isEarlier(uint64_t a, uint64_t b) const;
  void advance(uint32_t run);
  bool nextBlock(uint32_t run);
  void restore(Cursor &);
  void start();
  void replay();

  const RowOrder &order;
  BlockReader reader;
  std::vector<Cursor> cursors; // by run
  std::vector<Player> losers;  // of the tree's inner nodes, from 1 on
  Player winner = {};
  bool isStarted = false;
  Heap heap;
  Failure failed;
};

} // namespace sluice::external
