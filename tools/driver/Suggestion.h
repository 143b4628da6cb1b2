//===- Suggestion.h - for misspelt words ----------------------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace sluice::driver {

/// " (did you mean `...`?)" with the word that is most like `wrong`, or "".
template <typename Words> std::string suggestion(llvm::StringRef wrong, const Words &words) {
  if (wrong.size() < 2)
    return "";
  unsigned most = wrong.size() / 3 + 1;
  std::string best;
  for (llvm::StringRef word : words)
    if (unsigned distance = wrong.edit_distance(word, true, most); distance <= most) {
      best = word;
      most = distance - (distance != 0);
    }
  return best.empty() ? "" : " (did you mean `" + best + "`?)";
}

} // namespace sluice::driver
