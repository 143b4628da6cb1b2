//===- LastUsed.h - values by text, of which those used last stay -*- C++ -*-===//
//
// For what is made of a text and used again: compiled patterns, time zones, conditions. When there
// are too many, the one that was not used for the longest time goes. For one thread at a time.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sluice {

template <typename Value> class LastUsed {
public:
  static constexpr size_t kKept = 1024;

  /// The value of a text, which stays until kKept others were asked for; null if it is not there.
  Value *find(std::string_view key) {
    if (!byAge.empty() && byAge.front().key == key)
      return &byAge.front().value;
    auto it = byText.find(key);
    if (it == byText.end())
      return nullptr;
    byAge.splice(byAge.begin(), byAge, it->second);
    return &byAge.front().value;
  }

  /// Adds one that find() did not find.
  Value *add(std::string_view key, Value value) {
    if (byText.size() == kKept) {
      byText.erase(byAge.back().key);
      byAge.pop_back();
    }
    byAge.push_front({std::string(key), std::move(value)});
    byText.emplace(byAge.front().key, byAge.begin());
    return &byAge.front().value;
  }

private:
  struct Entry {
    std::string key;
    Value value;
  };
  std::list<Entry> byAge; // the last one used comes first
  std::unordered_map<std::string_view, typename std::list<Entry>::iterator> byText;
};

} // namespace sluice
