//===- Columns.cpp - where the nodes of a layer stand ---------------------===//
#include "passes/print/drawing/Columns.h"
#include <cstddef>

using namespace sluice::drawing;

std::vector<double> sluice::drawing::separate(const std::vector<Standing> &nodes) {
  // Less the sum of the widths before it, each place is not below the one before: isotonic
  // regression, by joining neighbours that are in the wrong order.
  struct Group {
    double place, weight;
    size_t count;
  };
  std::vector<Group> groups;
  std::vector<double> before(nodes.size()), result;
  for (size_t i = 0; i < nodes.size(); ++i) {
    before[i] = i ? before[i - 1] + nodes[i - 1].right + nodes[i].left : 0;
    groups.push_back({nodes[i].wanted - before[i], nodes[i].weight, 1});
    while (groups.size() > 1 && groups[groups.size() - 2].place > groups.back().place) {
      Group last = groups.back();
      groups.pop_back();
      Group &joined = groups.back();
      joined.place =
          (joined.place * joined.weight + last.place * last.weight) / (joined.weight + last.weight);
      joined.weight += last.weight;
      joined.count += last.count;
    }
  }
  for (const Group &group : groups)
    for (size_t i = 0; i < group.count; ++i)
      result.push_back(group.place + before[result.size()]);
  return result;
}
