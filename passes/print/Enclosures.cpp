//===- Enclosures.cpp - what is drawn around operators --------------------===//
#include "passes/print/Enclosures.h"
#include "passes/print/GraphText.h"

using namespace mlir;
using namespace sluice;

Enclosures::Enclosures(stream::GraphOp op, const Graph &graph) : op(op) {
  for (stream::OperatorOp item : graph.operators()) {
    SmallVector<unsigned> regions; // the outermost last
    for (int32_t at = item.parallelRegion(); at >= 0; at = op.parallelRegion(at).getParent())
      regions.push_back(at);
    bool hasPe = item.getPe() && *item.getPe() < op.getPes().size();
    int32_t peRegion = hasPe ? op.pe(*item.getPe()).getRegion() : -1;
    int around = -1;
    auto enterPe = [&](int32_t region) {
      if (hasPe && peRegion == region)
        around = find({Enclosure::Kind::Pe, *item.getPe(), around});
    };
    enterPe(-1);
    for (unsigned region : llvm::reverse(regions)) {
      around = find({Enclosure::Kind::Region, region, around});
      enterPe(int32_t(region));
    }
    innermost.push_back(around);
  }
}

int Enclosures::find(Enclosure wanted) {
  auto same = llvm::find_if(list, [&](const Enclosure &each) {
    return each.kind == wanted.kind && each.index == wanted.index && each.parent == wanted.parent;
  });
  if (same == list.end())
    same = list.insert(same, wanted);
  return same - list.begin();
}

std::string Enclosures::title(const Enclosure &of) const {
  if (of.kind == Enclosure::Kind::Pe)
    return peName(op, of.index);
  stream::RegionAttr region = stream::GraphOp(op).parallelRegion(of.index);
  return "@parallel " + region.title() + ", width " + widthOf(op, region);
}

namespace {
/// A number of PEs: a constant, and terms with submission-time values.
struct PeCount {
  int64_t known = 0;
  std::string terms; // with a plus between them

  void add(const PeCount &more) {
    known += more.known;
    terms += (terms.empty() || more.terms.empty() ? "" : "+") + more.terms;
  }
  std::string text() const {
    std::string number = std::to_string(known);
    return terms.empty() ? number : terms + (known > 0 ? "+" : "") + (known ? number : "");
  }
};
} // namespace

/// How many PEs an entry of the table stands for.
static PeCount countOf(stream::GraphOp op, unsigned index) {
  int64_t channels = 1;
  std::string values;
  for (int32_t at = op.pe(index).getRegion(); at >= 0; at = op.parallelRegion(at).getParent()) {
    stream::RegionAttr region = op.parallelRegion(at);
    if (region.getWidth())
      channels *= *region.getWidth();
    else
      values += (values.empty() ? "" : "*") + widthOf(op, region);
  }
  if (values.empty())
    return {channels, ""};
  return {0, channels == 1 ? values : std::to_string(channels) + "*" + values};
}

std::string sluice::peName(stream::GraphOp op, unsigned index) {
  PeCount first;
  for (unsigned before = 0; before < index; ++before)
    first.add(countOf(op, before));
  if (op.pe(index).getRegion() < 0)
    return "PE " + first.text();
  PeCount last = first;
  last.add(countOf(op, index));
  --last.known;
  return "PEs " + first.text() + " to " + last.text();
}
