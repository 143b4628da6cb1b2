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

std::optional<unsigned> sluice::nearness(StringRef name, StringRef other) {
  if (name == other)
    return 0;
  if (name.size() < 2)
    return std::nullopt;
  if (name.equals_insensitive(other))
    return 0;
  if (name.size() < 3)
    return std::nullopt;
  if (areSwapped(name, other))
    return 1;
  unsigned limit = name.size() / 3;
  unsigned distance = name.edit_distance_insensitive(other, /*AllowReplacements=*/true, limit);
  return distance <= limit ? std::optional(distance) : std::nullopt;
}

void sluice::NearNames::offer(StringRef other, StringRef written) {
  std::optional<unsigned> distance = nearness(name, other);
  if (!distance || *distance > least || name == other)
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
