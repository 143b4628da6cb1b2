//===- Layers.cpp - a graph in layers -------------------------------------===//
#include "passes/print/Layers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <deque>

using namespace sluice;

static Adjacency reversed(const Adjacency &to) {
  Adjacency from(to.size());
  for (uint32_t node = 0; node < to.size(); ++node)
    for (uint32_t next : to[node])
      from[next].push_back(node);
  return from;
}

std::vector<uint32_t> sluice::findLayers(const Adjacency &to) {
  std::vector<uint32_t> layer(to.size()), waits(to.size());
  for (const std::vector<uint32_t> &targets : to)
    for (uint32_t next : targets)
      ++waits[next];
  std::deque<uint32_t> ready;
  for (uint32_t node = 0; node < to.size(); ++node)
    if (!waits[node])
      ready.push_back(node);
  std::vector<bool> done(to.size());
  for (size_t count = 0, next = 0; count < to.size();) {
    if (ready.empty()) { // a cycle: begin somewhere
      while (done[next])
        ++next;
      ready.push_back(next);
    }
    uint32_t node = ready.front();
    ready.pop_front();
    if (done[node])
      continue;
    done[node] = true;
    ++count;
    for (uint32_t target : to[node])
      if (!done[target]) {
        layer[target] = std::max(layer[target], layer[node] + 1);
        if (--waits[target] == 0)
          ready.push_back(target);
      }
  }
  return layer;
}

Adjacency sluice::groupByLayer(llvm::ArrayRef<uint32_t> layerOf) {
  Adjacency layers;
  for (uint32_t node = 0; node < layerOf.size(); ++node) {
    layers.resize(std::max<size_t>(layers.size(), layerOf[node] + 1));
    layers[layerOf[node]].push_back(node);
  }
  llvm::erase_if(layers, [](const std::vector<uint32_t> &layer) { return layer.empty(); });
  return layers;
}

void sluice::untangle(Adjacency &layers, const Adjacency &to) {
  Adjacency from = reversed(to);
  std::vector<double> place(to.size()), key(to.size());
  auto number = [&](const std::vector<uint32_t> &layer) {
    for (size_t i = 0; i < layer.size(); ++i)
      place[layer[i]] = (double(i) + 0.5) / double(layer.size());
  };
  auto sort = [&](std::vector<uint32_t> &layer, const Adjacency &near) {
    for (uint32_t node : layer) {
      double sum = 0;
      for (uint32_t other : near[node])
        sum += place[other];
      key[node] = near[node].empty() ? place[node] : sum / double(near[node].size());
    }
    llvm::sort(layer,
               [&](uint32_t a, uint32_t b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
    number(layer);
  };
  llvm::for_each(layers, number);
  for (int pass = 0; pass < 4; ++pass) {
    for (size_t i = 1; i < layers.size(); ++i)
      sort(layers[i], from);
    for (size_t i = layers.size(); i-- > 1;)
      sort(layers[i - 1], to);
  }
}
