//===- LevelSearch.h - the search for a number of workers -------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <map>
#include <utility>

namespace sluice::elastic::paper {

/// True if `now` is more than the share `sens` above `before`.
inline bool better(double now, double before, double sens) {
  return now > before && now - before > sens * before;
}

struct LevelOptions {
  uint32_t least = 1, most = 1; // workers
  double sens = 0.05;           // share by which a better throughput is better
  bool between = true;          // downwards, levels between powers of two are tried as well
  uint32_t visits = 3;          // how often a level is measured at most
};

/// Goes up by powers of two while that pays, then down in ever smaller steps. A level is trusted
/// once it was measured.
class LevelSearch {
public:
  explicit LevelSearch(const LevelOptions &options) : options(options) {}

  /// Takes the throughput of a level.
  void measured(uint32_t level, double throughput);
  void forgetAbove(uint32_t level);
  void forget() { trusted.clear(); }

  enum class Why : uint8_t {
    First,        // up: it is the least level, and nothing above is known
    Gained,       // up: it has more than the level below, and nothing above is known
    AboveBetter,  // up: the level above is better
    NothingBelow, // down: nothing below is known
    NoGain,       // down: it has no more than the level below
    Best,         // stay: it has more than the level below, and the level above is no better
    Enough,       // stay: another level seems better, but was measured often enough: that is noise
    Busy          // stay: more might pay, but the processors are busy
  };
  struct Step {
    uint32_t level; // the next one
    Why why;
    uint32_t other = 0;    // the trusted level that decided; 0 if there is none
    double throughput = 0; // of that level
  };
  /// The step from `level`, which was measured last. `mayRise`: there is processor time for more.
  Step next(uint32_t level, bool mayRise) const;

private:
  struct Record {
    double throughput; // of the last time
    uint32_t visits;   // how often it was measured
  };
  LevelOptions options;
  std::map<uint32_t, Record> trusted;

  uint32_t above(uint32_t level) const;
  uint32_t below(uint32_t level) const;
  bool mayReturn(uint32_t level) const;
  Step rise(uint32_t level, bool mayRise, Step why) const;
};

} // namespace sluice::elastic::paper
