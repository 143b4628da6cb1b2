//===- Suggestion.h - for misspelt words ----------------------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Spelling.h"

namespace sluice::driver {

/// " (did you mean `...`?)" with the word that is most like `wrong`, or "".
template <typename Words> std::string suggestion(llvm::StringRef wrong, const Words &words) {
  NearNames near(wrong);
  near.offerAll(words);
  std::vector<std::string> best = near.best();
  for (llvm::StringRef word : words) // `exp` for `explain`
    if (best.empty() && wrong.size() > 1 && word != wrong && word.starts_with(wrong))
      best.push_back(word.str());
  return best.empty() ? "" : " (did you mean `" + best.front() + "`?)";
}
/// What is known to be meant, or a suggestion.
template <typename Words>
std::string suggestionOr(std::string known, llvm::StringRef wrong, const Words &words) {
  return known.empty() ? suggestion(wrong, words) : known;
}

} // namespace sluice::driver
