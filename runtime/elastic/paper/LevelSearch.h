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
  double sens = 0.05;
  bool between = true; // on the way down: levels between powers of two, too
  uint32_t visits = 3; // a level is returned to only while it was measured less often
};

/// Up by powers of two while it pays, then down in ever smaller steps. A level is trusted once it
/// was measured.
class LevelSearch {
public:
  explicit LevelSearch(const LevelOptions &options) : options(options) {}

  void measured(uint32_t level, double throughput);
  void forgetAbove(uint32_t level);
  void forget() { trusted.clear(); }

  enum class Why : uint8_t {
    First,  // the least, nothing above is known
    Gained, // more than the one below, nothing above is known
    AboveBetter,
    NothingBelow, // nothing below is known
    NoGain,       // no more than the one below
    Best,         // more than the one below, and the one above is no better
    Enough,       // another seems better, but was measured often enough: that is noise
    Busy          // more might pay, but the processors are busy
  };
  struct Step {
    uint32_t level; // where to go
    Why why;
    uint32_t other = 0;    // the trusted level that it was compared with, or 0
    double throughput = 0; // and what it had
  };
  /// From `level`, which was measured last. `mayRise`: there is processor time for more.
  Step next(uint32_t level, bool mayRise) const;

private:
  struct Record {
    double throughput;
    uint32_t visits;
  };
  LevelOptions options;
  std::map<uint32_t, Record> trusted;

  uint32_t above(uint32_t level) const;
  uint32_t below(uint32_t level) const;
  bool mayReturn(uint32_t level) const;
  Step rise(uint32_t level, bool mayRise, Step why) const;
};

} // namespace sluice::elastic::paper
