//===- Events.cpp - the last lines about what happened --------------------===//
#include "runtime/trace/Events.h"
#include <algorithm>

namespace sluice::trace {

void Events::add(const std::string &line) {
  os::Held held(lock);
  kept.push_back(line);
  bytes += line.size();
  while (bytes > kMostBytes && kept.size() > 1) {
    bytes -= kept.front().size();
    kept.pop_front();
    ++first;
  }
}

uint64_t Events::since(uint64_t from, std::vector<std::string> &lines, uint64_t &lost) const {
  os::Held held(lock);
  lost += first > from ? first - from : 0;
  uint64_t next = first + kept.size();
  for (uint64_t i = std::max(from, first); i < next; ++i)
    lines.push_back(kept[size_t(i - first)]);
  return next;
}

} // namespace sluice::trace
