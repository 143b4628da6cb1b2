//===- Lines.h - texts that come in pieces ----------------------*- C++ -*-===//
#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace sluice::inet {

/// Divides a text into lines. They end with a line feed, or a carriage return and a line feed.
class Lines {
public:
  static constexpr size_t kMost = 16 << 20; // bytes of a line

  /// Calls `take(line)` for each line that ends here, until it returns false. False: that, or a
  /// line is too long.
  template <typename Take> bool feed(std::string_view part, Take take) {
    for (size_t end; (end = part.find('\n')) != std::string_view::npos;) {
      std::string_view line = part.substr(0, end);
      part.remove_prefix(end + 1);
      if (!begun.empty())
        line = begun += line;
      bool goesOn = line.size() <= kMost && take(withoutReturn(line));
      begun.clear();
      if (!goesOn)
        return false;
    }
    begun += part;
    return begun.size() <= kMost;
  }
  /// What stands behind the last line end, as a line; there is none if it is empty.
  template <typename Take> bool end(Take take) {
    std::string last = std::exchange(begun, {});
    return last.empty() || take(withoutReturn(last));
  }
  bool isTooLong() const { return begun.size() > kMost; }
  void clear() { begun.clear(); }

private:
  static std::string_view withoutReturn(std::string_view line) {
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    return line;
  }

  std::string begun;
};

/// A server-sent event, as HTML's standard has them.
struct Event {
  std::string data, type, id; // `id` is that of the last event that had one
};

/// Makes events of lines.
class Events {
public:
  /// True: the line ends `event`. It has data.
  bool line(std::string_view, Event &event);
  /// A connection ends: what it has begun is left out.
  void clear() {
    data.clear(), type.clear();
    nextId = id;
    hasData = isTooLong = false;
  }

  std::string id;         // of the last event that has ended, or empty
  bool isTooLong = false; // the event has more data than Lines::kMost

private:
  std::string data, type, nextId;
  bool hasData = false;
};

} // namespace sluice::inet
