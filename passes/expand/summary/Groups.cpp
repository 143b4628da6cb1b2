//===- Groups.cpp - the summaries of a window, by group -------------------===//
#include "passes/expand/summary/Groups.h"
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

Groups::Groups(const Summary &summary, Region *groupBy, Record &owner, bool chained)
    : summary(summary), groupBy(groupBy), group(summary.record()) {
  MLIRContext *context = owner.context();
  tuplesAt = group.add("tuples", ui64(context));
  if (chained) {
    firstAt = group.add("first", ui64(context));
    lastAt = group.add("last", ui64(context));
  }
  mlir::Type one = group.type();
  mlir::Type all = groupBy ? spl::MapType::get(context, keyType(*groupBy), one) : one;
  groupAt = owner.add("group", all);
}

Value Groups::keyOf(HandlerBuilder &code, Value tuple) const {
  return groupBy ? keyValue(code, *groupBy, tuple) : Value();
}

/// The place of a group, which is made if there is none.
Value Groups::find(HandlerBuilder &code, Value owner, Value key) const {
  Value place = code.fieldRef(owner, groupAt);
  if (!groupBy)
    return place;
  auto ref = spl::RefType::get(owner.getContext(), group.type());
  return spl::MapSlotOp::create(code.ops(), code.loc(), ref, place, key);
}

Value Groups::add(HandlerBuilder &code, Value owner, Value key, const Arguments &arguments,
                  Value tuple) const {
  Value place = find(code, owner, key);
  Value tuples = code.load(code.fieldRef(place, tuplesAt));
  code.when(
      code.compare(CompareKind::eq, tuples, code.constant(tuples.getType(), 0)),
      [&] { summary.lift(code, arguments, tuple, place); },
      [&] { summary.add(code, arguments, tuple, place); });
  code.store(code.add(tuples, code.constant(tuples.getType(), 1)), code.fieldRef(place, tuplesAt));
  return place;
}

void Groups::link(HandlerBuilder &code, Value group, Value own, LinkOf linkOf) const {
  Value first = code.fieldRef(group, firstAt), last = code.fieldRef(group, lastAt);
  Value before = code.load(last);
  code.when(
      code.compare(CompareKind::eq, before, code.constant(before.getType(), 0)),
      [&] { code.store(own, first); }, [&] { code.store(own, linkOf(before)); });
  code.store(own, last);
  code.store(code.constant(own.getType(), 0), linkOf(own));
}

void Groups::remove(HandlerBuilder &code, Value owner, Value key,
                    const Arguments &arguments) const {
  Value place = find(code, owner, key);
  summary.remove(code, arguments, place);
  Value left = code.increment(code.fieldRef(place, tuplesAt), -1);
  if (!groupBy)
    return;
  code.when(code.compare(CompareKind::eq, left, code.constant(left.getType(), 0)), [&] {
    spl::MapEraseOp::create(code.ops(), code.loc(), code.fieldRef(owner, groupAt), key);
  });
}

/// A group of others, at the place `later`, comes behind that of `key`.
void Groups::append(HandlerBuilder &code, Value owner, Value key, const Groups &others,
                    Value later) const {
  Value place = find(code, owner, key);
  Value tuples = code.load(code.fieldRef(place, tuplesAt));
  code.when(
      code.compare(CompareKind::eq, tuples, code.constant(tuples.getType(), 0)),
      [&] { code.store(code.load(later), place); },
      [&] {
        summary.merge(code, place, later);
        Value more = code.load(code.fieldRef(later, others.tuplesAt));
        code.store(code.add(tuples, more), code.fieldRef(place, tuplesAt));
      });
}

void Groups::mergeOne(HandlerBuilder &code, Value owner, Value key, const Groups &others,
                      Value source) const {
  append(code, owner, key, others, code.fieldRef(source, others.groupAt));
}

void Groups::merge(HandlerBuilder &code, Value owner, const Groups &others, Value source) const {
  if (!groupBy)
    return mergeOne(code, owner, Value(), others, source);
  Value from = code.fieldRef(source, others.groupAt);
  code.forEach(code.sizeIn(from), [&](Value at) {
    append(code, owner, code.nthKey(from, at), others, code.nthRef(from, at));
  });
}

Value Groups::tuplesOf(HandlerBuilder &code, Value owner) const {
  return code.load(code.fieldRef(code.fieldRef(owner, groupAt), tuplesAt));
}

void Groups::clear(HandlerBuilder &code, Value owner) const {
  Value place = code.fieldRef(owner, groupAt);
  if (groupBy)
    code.clear(place);
  else
    code.store(code.constant(ui64(owner.getContext()), 0), code.fieldRef(place, tuplesAt));
}

/// A list of the numbers of tuples of all groups, in the order of the map.
Value Groups::countByGroup(HandlerBuilder &code, Value map) const {
  auto list =
      spl::ListType::get(map.getContext(), code.ops().getIntegerType(32, /*isSigned=*/true));
  Value counts = code.variable("counts", list);
  code.store(code.zero(list), counts);
  code.forEach(code.sizeIn(map), [&](Value at) {
    Value tuples = code.load(code.fieldRef(code.nthRef(map, at), tuplesAt));
    code.push(counts, code.cast(tuples, list.getElement()));
  });
  return code.load(counts);
}

Value window::countsOfOne(HandlerBuilder &code, Value tuples) {
  mlir::Type number = code.ops().getIntegerType(32, /*isSigned=*/true);
  return spl::MakeListOp::create(code.ops(), code.loc(),
                                 spl::ListType::get(tuples.getContext(), number),
                                 code.cast(tuples, number));
}

/// Without groupBy.
WindowCounts Groups::countsOfWhole(HandlerBuilder &code, Value tuples) const {
  WindowCounts counts;
  counts.tuples = tuples;
  counts.groups = code.constant(tuples.getType(), 1);
  if (summary.asks(spl::WindowCount::by_group))
    counts.byGroup = countsOfOne(code, tuples);
  return counts;
}

void Groups::submitFolds(HandlerBuilder &code, Value last, Value tuples,
                         llvm::function_ref<void(Summary::OnTuple)> forEachTuple) const {
  summary.submitFolds(code, last, countsOfWhole(code, tuples), forEachTuple);
}

void Groups::submit(HandlerBuilder &code, Value owner, Value tuples,
                    ForEachTuple forEachTuple) const {
  Value place = code.fieldRef(owner, groupAt);
  if (!groupBy)
    return summary.submit(code, place, countsOfWhole(code, tuples),
                          [&](Summary::OnTuple onTuple) { forEachTuple(Value(), onTuple); });
  WindowCounts counts;
  counts.tuples = tuples;
  counts.groups = code.sizeIn(place);
  if (summary.asks(spl::WindowCount::by_group))
    counts.byGroup = countByGroup(code, place);
  code.forEach(counts.groups, [&](Value at) {
    Value group = code.nthRef(place, at);
    summary.submit(code, group, counts, [&](Summary::OnTuple onTuple) {
      forEachTuple(code.load(code.fieldRef(group, firstAt)), onTuple);
    });
  });
}
