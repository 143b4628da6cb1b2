//===- NearOption.cpp - the option that a misspelt one means --------------===//
#include "runtime/exec/options/NearOption.h"
#include "runtime/exec/options/RunOptions.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace sluice {

/// How many letters must be added, left out or changed to make `a` of `b` (Levenshtein). The
/// compiler takes LLVM's function for that; programs have no LLVM.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1); // of the beginnings of b, for a beginning of a
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t corner = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t changed = corner + (a[i] != b[j]);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

const std::string_view *nearName(std::string_view name,
                                 const std::vector<std::string_view> &names) {
  const std::string_view *found = nullptr;
  size_t least = name.size() / 4 + 1;
  for (const std::string_view &other : names)
    if (size_t far = distance(name, other); far < least) {
      least = far;
      found = &other;
    }
  return found;
}

const char *nearOption(std::string_view name) {
  std::vector<std::string_view> names;
  for (const RunOption &option : runOptionTable())
    names.push_back(option.name);
  const std::string_view *found = nearName(name, names);
  return found ? found->data() : nullptr; // the whole of a literal
}

} // namespace sluice
