//===- PatternCache.h - compiled patterns, by their text --------*- C++ -*-===//
//
// Each function that takes patterns keeps the compiled ones of each thread. When there are too
// many, the one that was not used for the longest time goes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sluice {

template <typename Compiled> class PatternCache {
public:
  static constexpr size_t kKept = 1024;

  /// The compiled pattern, which stays until kKept others were asked for; null if it is not there.
  Compiled *find(std::string_view pattern) {
    if (!byAge.empty() && byAge.front().pattern == pattern)
      return &byAge.front().compiled;
    auto it = byText.find(pattern);
    if (it == byText.end())
      return nullptr;
    byAge.splice(byAge.begin(), byAge, it->second);
    return &byAge.front().compiled;
  }

  /// Adds a pattern that find() did not find.
  Compiled *add(std::string_view pattern, Compiled compiled) {
    if (byText.size() == kKept) {
      byText.erase(byAge.back().pattern);
      byAge.pop_back();
    }
    byAge.push_front({std::string(pattern), std::move(compiled)});
    byText.emplace(byAge.front().pattern, byAge.begin());
    return &byAge.front().compiled;
  }

private:
  struct Entry {
    std::string pattern;
    Compiled compiled;
  };
  std::list<Entry> byAge; // the last one used comes first
  std::unordered_map<std::string_view, typename std::list<Entry>::iterator> byText;
};

} // namespace sluice
