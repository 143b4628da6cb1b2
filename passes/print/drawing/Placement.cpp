//===- Placement.cpp - where a drawing shows what -------------------------===//
//
// Inner containers are placed first: their size is needed.
//
//===----------------------------------------------------------------------===//
#include "passes/print/drawing/Container.h"
#include "passes/print/drawing/Placing.h"

using namespace sluice;
using namespace sluice::drawing;
using namespace sluice::drawing::metrics;

static constexpr double kBorder = 14, kTitleHeight = 24; // inside enclosures

namespace {
class Placer {
public:
  explicit Placer(Content &content)
      : content(content), containers(content.enclosures.size() + 1),
        nodeOfBox(content.boxes.size()), nodeOfEnclosure(content.enclosures.size()) {}

  Placement place() {
    for (Box &box : content.boxes)
      result.boxes.push_back(placeBox(box));
    result.enclosures.resize(content.enclosures.size());
    for (int enclosure = int(content.enclosures.size()) - 1; enclosure >= -1; --enclosure)
      placeContainer(enclosure);
    move(-1, 0, 0);
    for (uint32_t wire = 0; wire < content.wires.size(); ++wire)
      result.wires.push_back(route(wire));
    result.width = of(-1).width;
    result.height = of(-1).height;
    return std::move(result);
  }

private:
  Container &of(int enclosure) { return containers[enclosure + 1]; }

  /// The enclosures around a box, the innermost first, then -1.
  std::vector<int> around(uint32_t box) const {
    std::vector<int> path{content.boxes[box].enclosure};
    while (path.back() >= 0)
      path.push_back(content.enclosures[path.back()].parent);
    return path;
  }

  void placeContainer(int enclosure) {
    Container &c = of(enclosure);
    addNodes(c, enclosure);
    for (uint32_t wire = 0; wire < content.wires.size(); ++wire)
      addLink(c, enclosure, wire);
    c.findLayers();
    c.addPassing();
    c.placeAcross();
    c.placeDown();
  }

  void addNodes(Container &c, int enclosure) {
    for (uint32_t i = 0; i < content.boxes.size(); ++i)
      if (content.boxes[i].enclosure == enclosure) {
        nodeOfBox[i] = c.nodes.size();
        const PlacedBox &placed = result.boxes[i];
        c.nodes.push_back(
            {int(i), -1, -placed.rect.x, rightOf(content.boxes[i], placed),
             placed.rect.y + placed.rect.height + (placed.exits.empty() ? 0 : kLabel)});
      }
    for (uint32_t i = 0; i < content.enclosures.size(); ++i)
      if (content.enclosures[i].parent == enclosure) {
        nodeOfEnclosure[i] = c.nodes.size();
        double title = textWidth(content.enclosures[i].title, kSmall) + 4;
        double half = std::max(of(i).width, title) / 2 + kBorder;
        c.nodes.push_back({-1, int(i), half, half, of(i).height + kTitleHeight + kBorder});
      }
  }

  /// The node of a container that has a box inside, or kOutside.
  int nodeOf(int enclosure, uint32_t box) const {
    std::vector<int> path = around(box);
    auto here = llvm::find(path, enclosure);
    if (here == path.end())
      return kOutside;
    return here == path.begin() ? nodeOfBox[box] : nodeOfEnclosure[here[-1]];
  }

  void addLink(Container &c, int enclosure, uint32_t index) {
    const Wire &wire = content.wires[index];
    int from = nodeOf(enclosure, wire.from), to = nodeOf(enclosure, wire.to);
    if (from == to && (from == kOutside || c.nodes[from].enclosure >= 0))
      return; // elsewhere
    // The inside of an enclosure counts from its left.
    auto shift = [&](int node) { return kBorder - c.nodes[node].left; };
    double fromX = 0, toX = 0;
    if (from != kOutside)
      fromX = c.nodes[from].box >= 0 ? result.boxes[wire.from].exits[wire.exit].x
                                     : of(c.nodes[from].enclosure).xAtBottom(index) + shift(from);
    if (to != kOutside)
      toX = c.nodes[to].box >= 0 ? result.boxes[wire.to].entries[wire.entry].x
                                 : of(c.nodes[to].enclosure).xAtTop(index) + shift(to);
    c.linkOf[index] = c.links.size();
    c.links.push_back({index, from, to, fromX, toX});
  }

  /// To where it is in the drawing, with all that is inside.
  void move(int enclosure, double x, double y) {
    Container &c = of(enclosure);
    c.x = x;
    c.y = y;
    for (size_t i = 0; i < c.nodes.size(); ++i) {
      const Node &node = c.nodes[i];
      double top = y + c.tops[c.layerOf[i]], axis = x + node.x;
      if (node.box >= 0)
        moveBox(result.boxes[node.box], axis, top);
      if (node.enclosure >= 0) {
        result.enclosures[node.enclosure] = {axis - node.left, top, 2 * node.left, node.height};
        move(node.enclosure, axis - node.left + kBorder, top + kTitleHeight);
      }
    }
  }

  static void moveBox(PlacedBox &box, double x, double y) {
    auto moved = [&](auto &place) {
      place.x += x;
      place.y += y;
    };
    moved(box.rect);
    llvm::for_each(box.rows, moved);
    llvm::for_each(box.exits, moved);
    llvm::for_each(box.entries, moved);
    for (double &side : box.sides)
      side += side ? y : 0;
  }

  /// Out of the enclosures around its begin, and into those around its end.
  PlacedWire route(uint32_t index) {
    const Wire &wire = content.wires[index];
    std::vector<int> out = around(wire.from), in = around(wire.to);
    while (out.size() > 1 && in.size() > 1 && out[out.size() - 2] == in[in.size() - 2]) {
      out.pop_back(); // in both
      in.pop_back();
    }
    Point begin = result.boxes[wire.from].exits[wire.exit],
          end = result.boxes[wire.to].entries[wire.entry];
    PlacedWire placed;
    placed.runs.push_back({begin.x, begin.y, begin.y});
    auto pass = [&](Container &c, const Link &link) {
      for (uint32_t node : link.passing)
        placed.runs.push_back({c.x + c.nodes[node].x, c.y + c.tops[c.layerOf[node]],
                               c.y + c.bottoms[c.layerOf[node]]});
    };
    for (int enclosure : out) {
      Container &c = of(enclosure);
      const Link &link = c.link(index);
      placed.runs.back().bottom = c.y + c.bottoms[c.layerOf[link.from]];
      if (link.up) {
        placed.up = placed.runs.size();
        placed.lane = c.x + link.lane;
      }
      pass(c, link);
    }
    const Container &common = of(out.back());
    double top = common.y + common.tops[common.layerOf[common.link(index).to]];
    for (int enclosure : llvm::drop_begin(llvm::reverse(in))) {
      size_t first = placed.runs.size();
      pass(of(enclosure), of(enclosure).link(index));
      if (first < placed.runs.size()) {
        placed.runs[first].top = std::min(top, placed.runs[first].top);
        top = of(enclosure).y +
              of(enclosure).tops[of(enclosure).layerOf[of(enclosure).link(index).to]];
      }
    }
    placed.runs.push_back({end.x, std::min(top, end.y), end.y});
    return placed;
  }

  Content &content;
  std::vector<Container> containers;           // by enclosure; the whole drawing first
  std::vector<int> nodeOfBox, nodeOfEnclosure; // in their containers
  Placement result;
};
} // namespace

Placement drawing::place(Content &content) { return Placer(content).place(); }
