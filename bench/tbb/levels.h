//===- levels.h - W2, W3 and W4 as levels of operators --------------------===//
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

/// The operators of one level, and what a tuple pays there.
struct Level {
  unsigned width, flops, firstNumber;
};

/// The levels of W2-W50, W2-W100, W3 or (any other name) W4.
inline std::vector<Level> shape(const std::string &name, unsigned flops) {
  if (name == "W2-W50" || name == "W2-W100")
    return {{unsigned(atoi(name.c_str() + 4)), flops, 0}};
  if (name == "W3")
    return std::vector<Level>(50, Level{10, flops, 0});
  constexpr unsigned kWidth[] = {1, 3, 9, 27, 27, 9, 3, 1};
  std::vector<Level> levels;
  unsigned number = 0;
  for (unsigned width : kWidth) {
    levels.push_back({width, flops, number});
    number += width;
  }
  return levels;
}
