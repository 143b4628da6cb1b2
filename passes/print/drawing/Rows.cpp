//===- Rows.cpp - the inside of a box -------------------------------------===//
#include "passes/print/GraphText.h"
#include "passes/print/drawing/Placing.h"

using namespace sluice;
using namespace sluice::drawing;
using namespace sluice::drawing::metrics;

double drawing::textWidth(llvm::StringRef text, double size) {
  return 0.602 * size * double(llvm::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

double drawing::labelWidth(const Label &label) {
  return std::max(textWidth(label.name, kSmall), textWidth(label.attributes, kSmall));
}

std::string drawing::calledText(const Row &row) {
  return row.stream.name + "  " + row.stream.attributes;
}

std::string drawing::entryText(const Entry &entry) {
  return entry.number + (entry.number.empty() || entry.split.empty() ? "" : " ") + entry.split;
}

static constexpr double kExit = 18; // between the labels of exits

/// The width that its rows and its title need.
static double innerWidth(const Box &box) {
  double width = textWidth(box.title, kSmall);
  for (const Row &row : box.rows) {
    double text = std::max(textWidth(row.name, kName), textWidth(row.kind, kSmall)) + 18;
    if (row.caller >= 0)
      text = std::max(text, kArrow + 8 + textWidth(calledText(row), kSmall));
    width = std::max(width, text + row.depth * kIndent);
  }
  if (box.entries.size() > 1) // side by side, each with its mark and text
    for (const Entry &entry : box.entries)
      width = std::max(width,
                       double(box.entries.size() + 1) * (28 + textWidth(entryText(entry), kSmall)));
  double exits = 0; // below the last row; the label of the last one may stand out
  for (size_t i = 0; i + 1 < box.exits.size(); ++i)
    if (box.exits[i].row + 1 == box.rows.size())
      exits += labelWidth(box.exits[i].stream) + kExit;
  return std::max({90.0, width, exits});
}

/// Shows as many attributes as there is room for, and no fewer than before.
static void fill(Label &label, double room) {
  double most = room / textWidth("m", kSmall);
  if (most > 0 && textWidth(label.attributes, kSmall) < room)
    label.attributes = shortened(label.all, size_t(most));
}

/// Lengthens the lists of attributes up to the right edge of the box.
static void fillLabels(Box &box, PlacedBox &placed) {
  double right = placed.rect.x + placed.rect.width;
  for (auto [row, rect] : llvm::zip_equal(box.rows, placed.rows))
    if (row.caller >= 0)
      fill(row.stream, right - rect.x - kArrow - 8 - textWidth(row.stream.name + "  ", kSmall));
  // Of exits below the box, the last one has room up to its edge.
  for (auto [exit, point] : llvm::zip_equal(box.exits, placed.exits))
    if (exit.row + 1 == box.rows.size() && &exit == &box.exits.back())
      fill(exit.stream, right - point.x - 6);
}

/// Exits of the last row are below the box, others pass it at its right.
static void placeExits(const Box &box, PlacedBox &placed) {
  double left = placed.rect.x, right = left + placed.rect.width;
  double bottom = placed.rect.y + placed.rect.height;
  placed.exits.resize(box.exits.size());
  placed.sides.resize(box.exits.size());
  std::vector<size_t> below, beside;
  for (size_t i = 0; i < box.exits.size(); ++i)
    (box.exits[i].row + 1 == box.rows.size() ? below : beside).push_back(i);
  double x = below.size() == 1 ? 0 : left + 14;
  for (size_t i : below) {
    placed.exits[i] = {x, bottom};
    x += labelWidth(box.exits[i].stream) + kExit;
  }
  x = std::max(right + 12, below.empty() ? 0 : x);
  llvm::sort(beside, [&](size_t a, size_t b) { // the lowest rows are nearest
    return box.exits[a].row != box.exits[b].row ? box.exits[a].row > box.exits[b].row : a < b;
  });
  for (size_t i : beside) {
    const Rect &row = placed.rows[box.exits[i].row];
    placed.exits[i] = {x, bottom};
    placed.sides[i] = row.y + row.height / 2;
    x += labelWidth(box.exits[i].stream) + kExit;
  }
}

PlacedBox drawing::placeBox(Box &box) {
  double width = innerWidth(box) + 2 * kPad, y = box.entries.empty() ? 0 : kEntry;
  PlacedBox placed;
  placed.rect = {-width / 2, y, width, 0};
  y += box.title.empty() ? kPad : kTitle;
  for (const Row &row : box.rows) {
    double indent = row.depth * kIndent;
    placed.rows.push_back({-width / 2 + kPad + indent, y, width - 2 * kPad - indent, kRow});
    y += kRow + kRowGap;
  }
  placed.rect.height = y - kRowGap + kPad - placed.rect.y;
  for (size_t i = 0; i < box.entries.size(); ++i)
    placed.entries.push_back(
        {width * (double(i + 1) / double(box.entries.size() + 1) - 0.5), placed.rect.y});
  placeExits(box, placed);
  fillLabels(box, placed);
  return placed;
}

double drawing::rightOf(const Box &box, const PlacedBox &placed) {
  double right = placed.rect.x + placed.rect.width;
  for (auto [exit, point] : llvm::zip_equal(box.exits, placed.exits))
    right = std::max(right, point.x + 6 + labelWidth(exit.stream));
  for (auto [entry, point] : llvm::zip_equal(box.entries, placed.entries))
    right = std::max(right, point.x + 14 + textWidth(entryText(entry), kSmall));
  return right;
}
