//===- Hub.h - what the processes of a job have said ------------*- C++ -*-===//
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::console {

/// Lines of traces in the order in which they came. Any thread.
class Hub {
public:
  /// A line of PE `pe` (-1: one process runs all), with its line end. A header begins a process
  /// anew.
  void add(int32_t pe, std::string_view line);
  void setMetrics(int32_t pe, std::string text);
  /// A process has gone.
  void leave(int32_t pe);

  /// Lines from number `from` on, and the number of the next one in `next`. How many are gone
  /// meanwhile is added to `lost`.
  std::string since(uint64_t from, uint64_t &next, uint64_t &lost) const;
  /// The texts for Prometheus of all processes that are there.
  std::vector<std::string> metrics() const;
  /// How many processes are there, and have been.
  size_t present() const;
  size_t known() const;
  /// Whether a page has asked for all that is here.
  bool isRead() const;

private:
  using Clock = std::chrono::steady_clock;
  struct Line {
    uint64_t number;
    Clock::time_point when;
    std::string text;
  };
  /// In ascending order.
  struct Lines {
    std::deque<Line> all;
    size_t bytes = 0;
    void erase(std::deque<Line>::iterator);
  };
  static void dropOld(Lines &, size_t most);
  void drop();

  mutable std::mutex lock; // guards all
  std::map<int32_t, std::string> headers;
  Lines figures, tuples, events;
  uint64_t next = 0;
  mutable uint64_t read = 0;            // the number behind the last line that was asked for
  std::map<int32_t, std::string> texts; // for Prometheus, of those that are there
  std::map<int32_t, bool> processes;    // whether they are there
};

/// The number of the PE in a header; -1: it has none.
int32_t peOf(std::string_view header);

} // namespace sluice::console
