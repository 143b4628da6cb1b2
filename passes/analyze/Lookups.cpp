//===- Lookups.cpp - keys that are known before their row runs ------------===//
#include "passes/analyze/Lookups.h"

using namespace mlir;
using namespace sluice;

/// The set or map and the key of a look-up; the collection is a value or a place.
static std::pair<Value, Value> lookupOf(Operation *op) {
  if (auto contains = dyn_cast<spl::ContainsOp>(op))
    return {contains.getCollection(), contains.getElement()};
  if (auto index = dyn_cast<spl::IndexOp>(op))
    return {index.getBase(), index.getIndex()};
  if (auto index = dyn_cast<spl::IndexRefOp>(op))
    return {index.getPlace(), index.getIndex()};
  if (auto find = dyn_cast<spl::MapFindOp>(op))
    return {find.getPlace(), find.getKey()};
  if (auto slot = dyn_cast<spl::MapSlotOp>(op))
    return {slot.getPlace(), slot.getKey()};
  return {};
}

/// The path from the tuple to the field that `value` is, outermost first.
static std::optional<SmallVector<unsigned>> pathOf(Value value, Value tuple) {
  SmallVector<unsigned> path;
  while (value != tuple) {
    auto field = value.getDefiningOp<spl::FieldOp>();
    if (!field)
      return std::nullopt;
    path.insert(path.begin(), unsigned(field.getIndex()));
    value = field.getTuple();
  }
  return path;
}

static std::optional<KeyedLookup> keyedLookup(Operation *op, Value tuple) {
  auto [collection, key] = lookupOf(op);
  if (!collection)
    return std::nullopt;
  if (auto load = collection.getDefiningOp<spl::LoadOp>())
    collection = load.getPlace();
  auto state = collection.getDefiningOp<spl::StateOp>();
  auto path = pathOf(key, tuple);
  if (!state || !path)
    return std::nullopt;
  mlir::Type table = cast<spl::RefType>(state.getType()).getElement();
  if (!isa<spl::MapType, spl::SetType>(table))
    return std::nullopt;
  return KeyedLookup{unsigned(state.getIndex()), *path, table, {}};
}

/// The look-up whose value a part is of, and the path from that to the part.
static std::pair<Operation *, SmallVector<unsigned>> partOf(Value place) {
  SmallVector<unsigned> path;
  while (auto field = place.getDefiningOp<spl::FieldRefOp>()) {
    path.insert(path.begin(), unsigned(field.getIndex()));
    place = field.getPlace();
  }
  return {place.getDefiningOp(), path};
}

/// The ring, if it is one of a map's value. `slot`: the look-up that finds the value.
static std::optional<RingOfKey> ringOf(spl::GrowRingOp grow, Operation *&slot) {
  auto [owner, slots] = partOf(grow.getSlots());
  auto [headOwner, head] = partOf(grow.getHead());
  auto [countOwner, count] = partOf(grow.getCount());
  if (!isa_and_nonnull<spl::MapSlotOp, spl::IndexRefOp>(owner) || headOwner != owner ||
      countOwner != owner)
    return std::nullopt;
  slot = owner;
  auto list = cast<spl::ListType>(cast<spl::RefType>(grow.getSlots().getType()).getElement());
  return RingOfKey{slots, head, count, list};
}

std::vector<KeyedLookup> sluice::keyedLookups(stream::OperatorOp op, unsigned port) {
  std::vector<KeyedLookup> found;
  Region *body = op.onTuple(port);
  if (!body)
    return found;
  Value tuple = body->getArgument(0);
  auto same = [&](const KeyedLookup &a) {
    return llvm::find_if(
        found, [&](const KeyedLookup &b) { return a.state == b.state && a.key == b.key; });
  };
  body->walk([&](Operation *o) {
    std::optional<KeyedLookup> lookup = keyedLookup(o, tuple);
    if (lookup && same(*lookup) == found.end())
      found.push_back(*lookup);
  });
  body->walk([&](spl::GrowRingOp grow) {
    Operation *slot = nullptr;
    std::optional<RingOfKey> ring = ringOf(grow, slot);
    std::optional<KeyedLookup> lookup = ring ? keyedLookup(slot, tuple) : std::nullopt;
    if (lookup)
      same(*lookup)->rings.push_back(*ring);
  });
  return found;
}
