//===- Spelling.cpp - which names a misspelt one may mean -------------------===//
#include "frontend/diagnostics/Spelling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/edit_distance.h"

using llvm::StringRef;

/// Whether two neighbouring letters have changed places, and nothing else.
static bool areSwapped(StringRef a, StringRef b) {
  size_t at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return a.size() == b.size() && at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.drop_front(at + 2) == b.drop_front(at + 2);
}

/// A name of so many letters may stand for a longer one that begins with it.
static constexpr size_t leastBeginning = 4;

std::optional<unsigned> sluice::nearness(StringRef name, StringRef other) {
  if (name == other)
    return 0;
  if (name.size() < 2)
    return std::nullopt;
  if (name.equals_insensitive(other))
    return 0;
  // Of two letters one may be missing.
  if (name.size() < 3)
    return other.size() == 3 && name.edit_distance_insensitive(other) == 1 ? std::optional(1u)
                                                                           : std::nullopt;
  if (areSwapped(name, other))
    return 1;
  unsigned limit = name.size() / 3;
  unsigned distance = name.edit_distance_insensitive(other, /*AllowReplacements=*/true, limit);
  if (distance <= limit)
    return distance;
  auto [shorter, longer] =
      name.size() < other.size() ? std::pair(name, other) : std::pair(other, name);
  bool begins = shorter.size() >= leastBeginning && longer.starts_with_insensitive(shorter);
  return begins ? std::optional<unsigned>(longer.size()) : std::nullopt;
}

void sluice::NearNames::offer(StringRef other, StringRef written) {
  std::optional<unsigned> distance = nearness(name, other);
  if (!distance || *distance > least || (name == other && written.empty()))
    return;
  if (*distance < least)
    found.clear();
  least = *distance;
  found.push_back((written.empty() ? other : written).str());
}

std::vector<std::string> sluice::NearNames::best() const {
  std::vector<std::string> result = found;
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  result.resize(std::min<size_t>(result.size(), 2));
  return result;
}
