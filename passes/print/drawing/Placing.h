//===- Placing.h - lengths and boxes of drawings ----------------*- C++ -*-===//
#pragma once
#include "passes/print/drawing/Drawing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace sluice::drawing {

namespace metrics {
constexpr double kName = 12, kSmall = 10.5; // sizes of fonts, whose characters are equally wide
constexpr double kRow = 36, kRowGap = 27;   // heights
constexpr double kIndent = 26;              // of operators that are called side by side
constexpr double kArrow = 14;               // where the arrow between rows is, from their left
constexpr double kPad = 9, kTitle = 19;     // inside boxes
constexpr double kEntry = 20;               // above boxes: the mark of a boundary
constexpr double kLabel = 31;               // below boxes: two lines for each output port
} // namespace metrics

double textWidth(llvm::StringRef text, double size);
double labelWidth(const Label &);
/// What stands at the arrow to a row that another one calls; at an input port.
std::string calledText(const Row &);
std::string entryText(const Entry &);

/// The inside of a box. x counts from its middle, the axis; y from where wires come to it.
PlacedBox placeBox(Box &);
/// How far it reaches from the axis, with its labels.
double rightOf(const Box &, const PlacedBox &);

} // namespace sluice::drawing
