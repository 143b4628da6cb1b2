//===- Signs.cpp - the pieces of SVG that drawings consist of -------------===//
#include "passes/print/drawing/Signs.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sluice;
using namespace sluice::drawing;
using llvm::formatv;

std::string drawing::escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c; // XML has no others
  }
  return result;
}

void drawing::drawText(llvm::raw_ostream &out, double x, double y, llvm::StringRef text,
                       llvm::StringRef style, double size) {
  out << formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" font-size=\"{2}\"", x, y, size);
  if (!style.empty())
    out << " class=\"" << style << "\"";
  out << " xml:space=\"preserve\">" << escaped(text) << "</text>\n";
}

void drawing::drawRect(llvm::raw_ostream &out, const Rect &r, llvm::StringRef style,
                       double corner) {
  out << formatv("<rect class=\"{0}\" x=\"{1:f1}\" y=\"{2:f1}\" width=\"{3:f1}\" "
                 "height=\"{4:f1}\" rx=\"{5}\"/>\n",
                 style, r.x, r.y, r.width, r.height, corner);
}

void drawing::drawPath(llvm::raw_ostream &out, llvm::StringRef path, llvm::StringRef style) {
  out << "<path class=\"" << style << "\" d=\"" << path << "\"/>\n";
}

void drawing::drawArrow(llvm::raw_ostream &out, Point tip) {
  drawPath(out, formatv("M{0:f1},{1:f1}l-4,-7h8z", tip.x, tip.y).str(), "arrow");
}

llvm::StringRef drawing::styleOf(stream::Boundary boundary) {
  return stream::stringifyBoundary(boundary);
}

void drawing::drawMark(llvm::raw_ostream &out, Point at, stream::Boundary boundary) {
  drawRect(out, {at.x - 10, at.y, 20, 10}, styleOf(boundary), 2);
  if (boundary == stream::Boundary::Switchable)
    drawPath(out, formatv("M{0:f1},{1:f1}v6m4,-6v6m4,-6v6", at.x - 4, at.y + 2).str(), "wire");
}
