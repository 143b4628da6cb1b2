//===- Svg.cpp - a drawing as SVG -----------------------------------------===//
//
// Colours are plain properties of classes, as not all programs that show SVG know more; browsers
// show dark ones where the user wants that.
//
//===----------------------------------------------------------------------===//
#include "passes/print/drawing/Legend.h"
#include "passes/print/drawing/Placing.h"
#include "passes/print/drawing/Signs.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace sluice;
using namespace sluice::drawing;
using namespace sluice::drawing::metrics;
using llvm::formatv;

static constexpr llvm::StringLiteral kStyle = R"(
text { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #17202a }
.soft { fill: #5b6673 } .head { font-weight: bold }
.page { fill: #ffffff }
.segment { fill: #f3f5f8; stroke: #c3ccd6 }
.operator { fill: #ffffff; stroke: #8593a3 }
.source { fill: #e1f5ec; stroke: #0f9d74 }
.region { fill: none; stroke: #0891b2; stroke-width: 1.4; stroke-dasharray: 6 4 }
.pe { fill: none; stroke: #7c3aed; stroke-width: 1.8 }
.wire { fill: none; stroke: #5f6c7a; stroke-width: 1.3 }
.call { stroke-dasharray: 5 3 }
.ordered { stroke-width: 2.6 }
.back { stroke: #a3461f; stroke-dasharray: 5 4 }
.link { stroke: #7c3aed; stroke-dasharray: 9 3 }
.hit { fill: none; stroke: #000000; stroke-opacity: 0; stroke-width: 10 }
.arrow { fill: #5f6c7a }
.switchable { fill: #e3ecff; stroke: #2563eb; stroke-dasharray: 2.5 2 }
.queue { fill: #2563eb; stroke: #2563eb }
.exclusive { fill: #fff1cc; stroke: #b87800 }
@media (prefers-color-scheme: dark) {
text { fill: #e6eaef } .soft { fill: #98a5b3 }
.page { fill: #12161b }
.segment { fill: #1a2027; stroke: #3a4551 }
.operator { fill: #232b34; stroke: #6b7887 }
.source { fill: #11352b; stroke: #3fc79a }
.region { stroke: #35b6d4 } .pe { stroke: #a78bfa }
.wire { stroke: #93a0ad } .back { stroke: #f09a72 } .link { stroke: #a78bfa }
.arrow { fill: #93a0ad }
.switchable { fill: #1c2a4a; stroke: #6e9bff }
.queue { fill: #6e9bff; stroke: #6e9bff }
.exclusive { fill: #3d3114; stroke: #e0ab3c }
}
)";

namespace {
class Printer {
public:
  Printer(const Content &content, const Placement &placed, llvm::raw_ostream &out)
      : content(content), placed(placed), out(out) {}

  void print() {
    for (auto [enclosure, rect] : llvm::zip_equal(content.enclosures, placed.enclosures))
      drawRect(out, rect, enclosure.style, 8);
    for (auto [wire, way] : llvm::zip_equal(content.wires, placed.wires))
      printWire(wire, way);
    for (auto [enclosure, rect] : llvm::zip_equal(content.enclosures, placed.enclosures)) {
      Rect title{rect.x + 9, rect.y + 4, textWidth(enclosure.title, kSmall) + 6, 16};
      title.x = freeOfWires(title, rect.x + rect.width - 9);
      drawRect(out, title, "page", 0); // wires that find no other way stay behind it
      drawText(out, title.x + 3, title.y + 12, enclosure.title, "soft", kSmall);
    }
    for (auto [box, where] : llvm::zip_equal(content.boxes, placed.boxes))
      printBox(box, where);
  }

private:
  void begin(llvm::StringRef title) { out << "<g><title>" << escaped(title) << "</title>\n"; }
  void end() { out << "</g>\n"; }

  static std::string styleOf(const Wire &wire, const Exit &exit) {
    if (wire.back)
      return "wire back";
    return std::string("wire") + (exit.ordered ? " ordered" : "") + (wire.link ? " link" : "") +
           (wire.call ? " call" : "");
  }

  /// The first x from that of `title` on where no wire crosses it, or its own if there is none
  /// that keeps it left of `right`.
  double freeOfWires(const Rect &title, double right) const {
    std::vector<double> crossing;
    for (const PlacedWire &way : placed.wires)
      addCrossings(way, title.y, title.y + title.height, crossing);
    llvm::sort(crossing);
    constexpr double kApart = 6;
    double x = title.x;
    for (double wire : crossing)
      if (wire > x - kApart && wire < x + title.width + kApart)
        x = wire + kApart;
    return x + title.width <= right ? x : title.x;
  }

  /// Where a wire is between two heights.
  static void addCrossings(const PlacedWire &way, double top, double bottom,
                           std::vector<double> &out) {
    for (size_t i = 0; i < way.runs.size(); ++i) {
      const Run &run = way.runs[i];
      if (run.top < bottom && run.bottom > top)
        out.push_back(run.x);
      if (!i || i == way.up)
        continue;
      const Run &last = way.runs[i - 1]; // the curve from it, as printWire draws it
      constexpr int kSteps = 16;
      for (int step = 1; step < kSteps; ++step) {
        double t = double(step) / kSteps, u = 1 - t;
        double y = u * u * u * last.bottom + 3 * u * u * t * (last.bottom + 20) +
                   3 * u * t * t * (run.top - 20) + t * t * t * run.top;
        if (y > top - 4 && y < bottom + 4)
          out.push_back((u * u * u + 3 * u * u * t) * last.x + (3 * u * t * t + t * t * t) * run.x);
      }
    }
    if (way.up)
      out.push_back(way.lane);
  }

  void printWire(const Wire &wire, const PlacedWire &way) {
    const PlacedBox &from = placed.boxes[wire.from];
    const Exit &exit = content.boxes[wire.from].exits[wire.exit];
    double x = way.runs[0].x, side = from.sides[wire.exit];
    std::string path = formatv("M{0:f1},{1:f1}", x, way.runs[0].top);
    if (side) // at the right of its row
      path = formatv("M{0:f1},{1:f1}H{2:f1}", from.rows[exit.row].x + from.rows[exit.row].width,
                     side, x);
    double gap = content.boxes[wire.to].entries[wire.entry].boundary.value_or(
                     stream::Boundary::Direct) == stream::Boundary::Direct
                     ? 6
                     : kEntry - 1; // above the arrow and the mark
    for (size_t i = 0; i < way.runs.size(); ++i) {
      const Run &run = way.runs[i];
      if (i && i == way.up)
        path += formatv("V{0:f1}H{1:f1}V{2:f1}H{3:f1}", way.runs[i - 1].bottom + 12, way.lane,
                        run.top - 12, run.x);
      else if (i)
        path += formatv("C{0:f1},{1:f1} {2:f1},{3:f1} {2:f1},{4:f1}", x,
                        way.runs[i - 1].bottom + 20, run.x, run.top - 20, run.top);
      path += formatv("V{0:f1}", run.bottom - (i + 1 == way.runs.size() ? gap : 0));
      x = run.x;
    }
    begin(wire.whole);
    drawPath(out, path, "hit");
    drawPath(out, path, styleOf(wire, exit));
    end();
  }

  void printLabel(const Label &label, Point at) {
    begin(label.whole);
    drawText(out, at.x + 6, at.y + 12, label.name, "", kSmall);
    drawText(out, at.x + 6, at.y + 25, label.attributes, "soft", kSmall);
    end();
  }

  void printEntry(const Entry &entry, Point at) {
    auto boundary = entry.boundary.value_or(stream::Boundary::Direct);
    begin(entry.whole);
    if (boundary == stream::Boundary::Direct) {
      drawArrow(out, at);
    } else {
      drawArrow(out, {at.x, at.y - 13});
      drawMark(out, {at.x, at.y - 13}, boundary);
    }
    drawText(out, at.x + 14, at.y - 4, entryText(entry), "soft", kSmall);
    end();
  }

  void printRow(const Box &box, const PlacedBox &where, size_t index) {
    const Row &row = box.rows[index];
    const Rect &rect = where.rows[index];
    if (row.caller >= 0) {
      const Rect &from = where.rows[row.caller];
      double x = from.x + kArrow, bottom = from.y + from.height;
      bool beside = rect.x > from.x;
      begin(row.stream.whole);
      drawPath(
          out,
          beside ? formatv("M{0:f1},{1:f1}V{2:f1}H{3:f1}", x, bottom, rect.y + 18, rect.x - 5).str()
                 : formatv("M{0:f1},{1:f1}V{2:f1}", x, bottom, rect.y - 6).str(),
          "wire");
      if (beside)
        drawPath(out, formatv("M{0:f1},{1:f1}l-6,-4v8z", rect.x, rect.y + 18).str(), "arrow");
      else
        drawArrow(out, {x, rect.y});
      drawText(out, x + 8 + (beside ? kIndent - kArrow : 0), rect.y - 9, calledText(row), "soft",
               kSmall);
      end();
    }
    begin(row.whole);
    drawRect(out, rect, row.source ? "source" : "operator", 4);
    drawText(out, rect.x + 9, rect.y + 15, row.name, "head", kName);
    drawText(out, rect.x + 9, rect.y + 29, row.kind, "soft", kSmall);
    end();
  }

  void printBox(const Box &box, const PlacedBox &where) {
    if (!box.title.empty()) {
      drawRect(out, where.rect, "segment", 6);
      drawText(out, where.rect.x + kPad, where.rect.y + 13, box.title, "soft", kSmall);
    }
    for (size_t row = 0; row < box.rows.size(); ++row)
      printRow(box, where, row);
    for (auto [entry, at] : llvm::zip_equal(box.entries, where.entries))
      printEntry(entry, at);
    for (auto [exit, at] : llvm::zip_equal(box.exits, where.exits))
      printLabel(exit.stream, at);
  }

  const Content &content;
  const Placement &placed;
  llvm::raw_ostream &out;
};
} // namespace

void drawing::printSvg(const Content &content, const Placement &placed, llvm::raw_ostream &out) {
  constexpr double kMargin = 20, kHead = 26, kBetween = 26;
  Legend legend(content, std::max(placed.width, 560.0));
  double width = std::ceil(std::max(placed.width, legend.width())) + 2 * kMargin;
  double below = kMargin + kHead + placed.height + kBetween;
  double height = std::ceil(below + legend.height()) + kMargin;
  out << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:f0}\" height=\"{1:f0}\" "
                 "viewBox=\"0 0 {0:f0} {1:f0}\">\n<title>{2}</title>\n<style>{3}</style>\n",
                 width, height, escaped(content.title), kStyle);
  drawRect(out, {0, 0, width, height}, "page", 0);
  drawText(out, kMargin, kMargin + 12, content.title, "head", 14);
  out << formatv("<g transform=\"translate({0:f1} {1})\">\n",
                 kMargin + std::max(0.0, (legend.width() - placed.width) / 2), kMargin + kHead);
  Printer(content, placed, out).print();
  out << formatv("</g>\n<g transform=\"translate({0} {1:f1})\">\n", kMargin, below);
  legend.print(out);
  out << "</g>\n</svg>\n";
}
