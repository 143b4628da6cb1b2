//===- Signs.h - the pieces of SVG that drawings consist of -----*- C++ -*-===//
#pragma once
#include "passes/print/drawing/Drawing.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice::drawing {

std::string escaped(llvm::StringRef text);
void drawText(llvm::raw_ostream &, double x, double y, llvm::StringRef text, llvm::StringRef style,
              double size);
void drawRect(llvm::raw_ostream &, const Rect &, llvm::StringRef style, double corner);
void drawPath(llvm::raw_ostream &, llvm::StringRef path, llvm::StringRef style);
/// Points down.
void drawArrow(llvm::raw_ostream &, Point tip);
/// Of a boundary, below a point.
void drawMark(llvm::raw_ostream &, Point, stream::Boundary);
llvm::StringRef styleOf(stream::Boundary);

} // namespace sluice::drawing
