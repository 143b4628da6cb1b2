//===- Stand.h - a moment at which nothing is under way --------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice {
struct Program;
struct Source;
} // namespace sluice

namespace sluice::checkpoint {

/// From ask() to leave() sources stay at their save points (state/Cut.h). By one thread at a time,
/// which runs none of the program.
class Stand {
public:
  explicit Stand(Program &p) : p(p) {}
  ~Stand() { leave(); }
  Stand(const Stand &) = delete;

  void ask();
  /// Whether all sources stay, and all that is in this process was run. Only what comes from
  /// another one can change that.
  bool isStill() const;
  /// What still moves, as a sentence.
  std::string whatMoves() const;
  /// Sources go on. Returns for how long they stood still, in ns.
  int64_t leave();
  /// The program ends here: no source goes on, nothing is submitted any more.
  void endProgram();

private:
  Program &p;
  int64_t began = 0; // ns; 0: not yet, or not any more
};

} // namespace sluice::checkpoint
