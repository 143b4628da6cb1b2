//===- Events.h - the last lines about what happened ------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace sluice::trace {

/// Lines of a trace, numbered from 0, for whoever looks later. The oldest are dropped. Any thread.
class Events {
public:
  static constexpr size_t kMostBytes = 256 << 10;

  void add(const std::string &line);
  /// Adds to `lines` those from number `from` on that are still there, and how many are not to
  /// `lost`. Returns the number of the next one.
  uint64_t since(uint64_t from, std::vector<std::string> &lines, uint64_t &lost) const;

private:
  mutable os::Lock lock; // guards what follows
  std::deque<std::string> kept;
  size_t bytes = 0;   // of them
  uint64_t first = 0; // the number of the oldest one
};

} // namespace sluice::trace
