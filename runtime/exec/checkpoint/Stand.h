//===- Stand.h - a moment at which nothing is under way --------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice {
struct Program;
struct Source;
} // namespace sluice

namespace sluice::checkpoint {

/// While it lives, from await() on, sources stay at their save points (state/Cut.h). By one thread
/// at a time, which runs none of the program.
class Stand {
public:
  explicit Stand(Program &p) : p(p) {}
  ~Stand() { leave(); }
  Stand(const Stand &) = delete;

  /// Waits until all sources stay and all that they have submitted was run, for `patience` ns at
  /// most. Returns what still moves, as a sentence; empty: nothing does.
  std::string await(int64_t patience);
  /// Sources go on. Returns for how long they stood still, in ns.
  int64_t leave();
  /// The program ends here: no source goes on, nothing is submitted any more.
  void endProgram();

private:
  bool isStill() const;
  std::string whatMoves() const;

  Program &p;
  int64_t began = 0; // ns; 0: not yet, or not any more
};

} // namespace sluice::checkpoint
