//===- Spelling.h - which names a misspelt one may mean ---------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// How far `other` is from `name`, if it may be what was meant by it: 0 if they differ in case
/// alone, at most a third of the letters otherwise; farther if one begins with the other. Of two
/// letters one may be missing.
std::optional<unsigned> nearness(llvm::StringRef name, llvm::StringRef other);

inline bool isNear(llvm::StringRef name, llvm::StringRef other) {
  return nearness(name, other).has_value();
}

/// Of the names that could stand in the place of a misspelt one, those that are nearest to it.
class NearNames {
public:
  explicit NearNames(llvm::StringRef name) : name(name) {}
  /// `written` is how to write it, if that is more than the name.
  void offer(llvm::StringRef other, llvm::StringRef written = "");
  template <typename Names> void offerAll(const Names &names) {
    for (const auto &other : names)
      offer(other);
  }
  template <typename Map> void offerKeys(const Map &map) {
    for (const auto &entry : map)
      offer(entry.first());
  }
  /// At most two, in the order of the alphabet.
  std::vector<std::string> best() const;

private:
  std::string name;
  unsigned least = ~0u; // the distance of those found
  std::vector<std::string> found;
};

} // namespace sluice
