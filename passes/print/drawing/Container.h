//===- Container.h - what stands in layers ----------------------*- C++ -*-===//
//
// A container is an enclosure or the whole drawing. Its nodes (boxes, and enclosures inside it)
// stand in layers. A wire that passes a layer has a node there, too, and so has one that passes
// layers on its way to or from the border.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/print/Layers.h"
#include <map>

namespace sluice::drawing {

constexpr int kOutside = -1; // instead of a node: beyond the border

/// A box, an enclosure, or a wire that passes.
struct Node {
  int box = -1, enclosure = -1;
  double left = 0, right = 0, height = 0; // from its axis; from its top
  double x = 0;                           // of the axis
};

/// A wire inside of a container.
struct Link {
  uint32_t wire;
  int from, to;                    // nodes, or kOutside
  double fromX, toX;               // where it ends at them, from their axes
  bool up = false;                 // leads back up
  double lane = 0;                 // then
  std::vector<uint32_t> passing{}; // nodes, downwards
};

struct Container {
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::map<uint32_t, uint32_t> linkOf; // by wire
  std::vector<uint32_t> layerOf;       // by node
  Adjacency layers;
  std::vector<double> tops, bottoms; // of layers
  double width = 0, height = 0;
  double x = 0, y = 0; // of the inside, in the drawing

  const Link &link(uint32_t wire) const { return links[linkOf.at(wire)]; }
  /// Where a wire comes in, or goes out.
  double xAtTop(uint32_t wire) const {
    const Link &l = link(wire);
    return l.passing.empty() ? nodes[l.to].x + l.toX : nodes[l.passing.front()].x;
  }
  double xAtBottom(uint32_t wire) const {
    const Link &l = link(wire);
    return l.passing.empty() ? nodes[l.from].x + l.fromX : nodes[l.passing.back()].x;
  }
  void findLayers();
  void addPassing();
  void placeAcross();
  void placeDown();

private:
  Adjacency edges() const;
  void splitWide();
  struct Pull {
    uint32_t node;
    double distance, weight;
  };
  using Pulls = std::vector<std::vector<Pull>>; // by node
  void placeLayer(const std::vector<uint32_t> &layer, const Pulls &, const Pulls *more);
};

} // namespace sluice::drawing
