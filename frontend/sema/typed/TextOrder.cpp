//===- TextOrder.cpp - the order of a composite's parts -------------------===//
#include "frontend/sema/typed/TextOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice::typed;

std::vector<Item> sluice::typed::inTextOrder(const Composite &composite) {
  std::vector<std::pair<uint32_t, Item>> found; // by where it begins
  for (const Operator &op : composite.operators)
    found.push_back({op.range.begin, {&op, nullptr}});
  for (const Composite &inner : composite.composites)
    found.push_back({inner.range.begin, {nullptr, &inner}});
  llvm::stable_sort(found, llvm::less_first());
  std::vector<Item> items;
  for (auto &[begin, item] : found)
    items.push_back(item);
  return items;
}

static void collect(const Composite &composite, std::vector<const Operator *> &operators) {
  for (const Item &item : inTextOrder(composite))
    if (item.inner)
      collect(*item.inner, operators);
    else
      operators.push_back(item.op);
}

std::vector<const Operator *> sluice::typed::allInTextOrder(const Composite &composite) {
  std::vector<const Operator *> operators;
  collect(composite, operators);
  return operators;
}
