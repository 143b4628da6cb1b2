//===- Container.cpp - what stands in layers ------------------------------===//
#include "passes/print/drawing/Container.h"
#include "passes/print/drawing/Columns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sluice;
using namespace sluice::drawing;

static constexpr double kGap = 34;                  // between layers, for curves
static constexpr double kApart = 28, kPassing = 14; // between nodes of a layer; for a wire
static constexpr double kMostWide = 1400;           // of a layer; wider ones become several
static constexpr double kLane = 12;                 // of wires that lead back up

//===--- layers -------------------------------------------------------------===//

/// What leads downwards from node to node.
Adjacency Container::edges() const {
  Adjacency to(nodes.size());
  for (const Link &link : links) {
    if (link.up)
      continue;
    std::vector<uint32_t> path(link.passing);
    if (link.from != kOutside)
      path.insert(path.begin(), link.from);
    if (link.to != kOutside)
      path.push_back(link.to);
    for (size_t i = 1; i < path.size(); ++i)
      to[path[i - 1]].push_back(path[i]);
  }
  return to;
}

void Container::findLayers() {
  layerOf = sluice::findLayers(edges());
  for (Link &link : links)
    link.up =
        link.from != kOutside && link.to != kOutside && layerOf[link.from] >= layerOf[link.to];
  layers = groupByLayer(layerOf);
  untangle(layers, edges());
  splitWide();
}

/// Nodes of one layer are not connected: it may be several layers.
void Container::splitWide() {
  Adjacency narrow;
  for (const std::vector<uint32_t> &layer : layers) {
    double width = 0;
    narrow.emplace_back();
    for (uint32_t node : layer) {
      double more = nodes[node].left + nodes[node].right + kApart;
      if (width > 0 && width + more > kMostWide) {
        narrow.emplace_back();
        width = 0;
      }
      width += more;
      narrow.back().push_back(node);
      layerOf[node] = narrow.size() - 1;
    }
  }
  layers = std::move(narrow);
}

void Container::addPassing() {
  for (Link &link : links) {
    if (link.up)
      continue;
    uint32_t begin = link.from == kOutside ? 0 : layerOf[link.from] + 1;
    uint32_t end = link.to == kOutside ? layers.size() : layerOf[link.to];
    for (uint32_t layer = begin; layer < end; ++layer) {
      link.passing.push_back(nodes.size());
      layers[layer].push_back(nodes.size());
      layerOf.push_back(layer);
      Node &node = nodes.emplace_back();
      node.left = node.right = kPassing / 2;
    }
  }
  untangle(layers, edges());
}

//===--- coordinates --------------------------------------------------------===//

/// Each node goes to where its wires are straight, as far as there is room.
void Container::placeLayer(const std::vector<uint32_t> &layer, const Pulls &pulls,
                           const Pulls *more) {
  std::vector<Standing> standing;
  for (uint32_t node : layer) {
    double sum = 0, weight = 0;
    for (const Pulls *some : {&pulls, more})
      if (some)
        for (const Pull &pull : (*some)[node]) {
          sum += (nodes[pull.node].x + pull.distance) * pull.weight;
          weight += pull.weight;
        }
    bool alone = weight == 0;
    double apart = nodes[node].box < 0 && nodes[node].enclosure < 0 ? 0 : kApart / 2;
    standing.push_back({alone ? nodes[node].x : sum / weight, alone ? 0.1 : weight,
                        nodes[node].left + apart, nodes[node].right + apart});
  }
  std::vector<double> places = separate(standing);
  for (size_t i = 0; i < layer.size(); ++i)
    nodes[layer[i]].x = places[i];
}

void Container::placeAcross() {
  Pulls above(nodes.size()), below(nodes.size());
  for (const Link &link : links) {
    if (link.up)
      continue;
    std::vector<std::pair<uint32_t, double>> path; // node, where the wire is
    if (link.from != kOutside)
      path.emplace_back(link.from, link.fromX);
    for (uint32_t node : link.passing)
      path.emplace_back(node, 0);
    if (link.to != kOutside)
      path.emplace_back(link.to, link.toX);
    for (size_t i = 1; i < path.size(); ++i) {
      auto [a, ax] = path[i - 1];
      auto [b, bx] = path[i];
      bool inner = i > 1 && i + 1 < path.size();
      above[b].push_back({a, ax - bx, inner ? 8.0 : 1.0});
      below[a].push_back({b, bx - ax, inner ? 8.0 : 1.0});
    }
  }
  for (int pass = 0; pass < 8; ++pass) {
    for (const std::vector<uint32_t> &layer : layers)
      placeLayer(layer, above, pass > 4 ? &below : nullptr);
    for (size_t i = layers.size(); i-- > 0;)
      placeLayer(layers[i], below, pass > 4 ? &above : nullptr);
  }
  double left = 1e9, right = 0;
  for (const Node &node : nodes)
    left = std::min(left, node.x - node.left);
  for (Node &node : nodes) {
    node.x -= left;
    right = std::max(right, node.x + node.right);
  }
  for (Link &link : links)
    if (link.up)
      link.lane = right += kLane;
  width = right;
}

void Container::placeDown() {
  double y = 0;
  for (const std::vector<uint32_t> &layer : layers) {
    double height = 0;
    for (uint32_t node : layer)
      height = std::max(height, nodes[node].height);
    tops.push_back(y);
    bottoms.push_back(y + height);
    y += height + kGap;
  }
  height = y - kGap;
}
