//===- Legend.cpp - what a drawing's signs mean ---------------------------===//
#include "passes/print/drawing/Legend.h"
#include "passes/print/drawing/Placing.h"
#include "passes/print/drawing/Signs.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sluice;
using namespace sluice::drawing;
using namespace sluice::drawing::metrics;

Legend::Legend(const Content &content, double width) {
  bool segments = false, sources = false, calls = false, ordered = false;
  bool meets = false;
  bool batches = false, back = false, links = false;
  bool has[stream::getMaxEnumValForBoundary() + 1] = {};
  for (const Box &box : content.boxes) {
    segments |= !box.title.empty();
    for (const Row &row : box.rows) {
      sources |= row.source;
      calls |= row.caller >= 0;
    }
    for (const Exit &exit : box.exits)
      ordered |= exit.ordered;
    for (const Entry &entry : box.entries)
      if (entry.boundary)
        has[unsigned(*entry.boundary)] = true;
  }
  for (const Wire &wire : content.wires) {
    back |= wire.back;
    batches |= !wire.back && !wire.link && !wire.call;
    meets |= wire.call;
    links |= wire.link;
  }

  auto add = [&](bool shown, std::string text, auto sign) {
    if (shown)
      items.push_back({sign, std::move(text)});
  };
  auto rect = [](llvm::StringRef style) {
    return [style](llvm::raw_ostream &out) { drawRect(out, {0, 0, 30, 16}, style, 4); };
  };
  auto line = [](llvm::StringRef style) {
    return [style](llvm::raw_ostream &out) { drawPath(out, "M0,8H30", style); };
  };
  auto mark = [](stream::Boundary boundary) {
    return [boundary](llvm::raw_ostream &out) { drawMark(out, {15, 3}, boundary); };
  };
  add(sources, "source: has a thread", rect("source"));
  add(true, "operator", rect("operator"));
  add(segments, "segment: one loop over a batch", rect("segment"));
  add(calls, "call for each tuple", [](llvm::raw_ostream &out) {
    drawPath(out, "M15,0V10", "wire");
    drawArrow(out, {15, 16});
  });
  add(batches, "stream, in batches", line("wire"));
  add(meets, "call, to where streams of a segment meet", line("wire call"));
  add(links, "link: a stream to another PE", line("wire link"));
  add(ordered, "ordered: each tuple at once", line("wire ordered"));
  add(back, "closes a cycle", line("wire back"));
  add(has[unsigned(stream::Boundary::Switchable)], "call or queue, as it pays",
      mark(stream::Boundary::Switchable));
  add(has[unsigned(stream::Boundary::Queue)], "always a queue", mark(stream::Boundary::Queue));
  add(has[unsigned(stream::Boundary::Exclusive)], "call, one thread at a time",
      mark(stream::Boundary::Exclusive));
  auto hasStyle = [&](llvm::StringRef style) {
    return llvm::any_of(content.enclosures, [&](auto &each) { return each.style == style; });
  };
  add(hasStyle("region"), "parallel region, drawn once", rect("region"));
  add(hasStyle("pe"), "PE: a process", rect("pe"));

  double x = 0, y = 0;
  for (Item &item : items) {
    double wide = 38 + textWidth(item.text, kSmall);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += 24;
    }
    item.x = x;
    item.y = y;
    widest = std::max(widest, x + wide);
    x += wide + 24;
  }
}

void Legend::print(llvm::raw_ostream &out) const {
  for (const Item &item : items) {
    out << llvm::formatv("<g transform=\"translate({0:f1} {1:f1})\">\n", item.x, item.y);
    item.sign(out);
    drawText(out, 38, 12, item.text, "soft", kSmall);
    out << "</g>\n";
  }
}
