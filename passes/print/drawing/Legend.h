//===- Legend.h - what a drawing's signs mean -------------------*- C++ -*-===//
#pragma once
#include "passes/print/drawing/Drawing.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace sluice::drawing {

/// Only of the signs that the drawing has.
class Legend {
public:
  Legend(const Content &, double width);
  double width() const { return widest; }
  double height() const { return items.empty() ? 0 : items.back().y + 20; }
  void print(llvm::raw_ostream &) const;

private:
  struct Item {
    std::function<void(llvm::raw_ostream &)> sign; // 30 pixels wide, 16 high
    std::string text;
    double x = 0, y = 0;
  };
  std::vector<Item> items;
  double widest = 0;
};

} // namespace sluice::drawing
