//===- Eviction.cpp - when tuples enter and leave the windows of a port -----===//
#include "passes/expand/window/Eviction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/expand/window/Delta.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;
using stream::PartitionLimit;
using stream::WindowPolicy;

Eviction::Eviction(stream::OperatorOp op, unsigned port, Region *partitionBy)
    : op(op), port(port), item(op.window(port)), attr(item.getWindow()), sizes(item),
      window(op.getContext()), partitions(op, item, sizes, partitionBy, window) {
  mlir::Type boolean = IntegerType::get(op.getContext(), 1);
  if (evictsBy(WindowPolicy::Time)) {
    markTypes.push_back(si64(op.getContext()));
    if (attr.getTrigger().getPolicy() == WindowPolicy::Time && !partitionBy)
      fullAt = window.add("full", boolean);
  }
  if (!evictsBy(WindowPolicy::Delta))
    return;
  mlir::Type attribute = op.inputTuple(port).getTypes()[attr.getEvict().getAttribute()];
  markTypes.push_back(attribute);
  fullAt = window.add("full", boolean);
  disorderAt = window.add("disorder", boolean);
  newestAt = window.add("newest", attribute);
  if (isa<IntegerType, spl::TimestampType>(attribute))
    leastAt = window.add("least", attribute);
}

void window::tellWindow(stream::WindowOp item, mlir::Type element) {
  auto op = item->getParentOfType<stream::OperatorOp>();
  SmallVector<Attribute> windows(op.getWindows().begin(), op.getWindows().end());
  windows.push_back(stream::KeptWindowAttr::get(op.getContext(), item.getPort(), item.getWindow(),
                                                *item.getPlan(), element));
  op.setWindowsAttr(ArrayAttr::get(op.getContext(), windows));
}

void Eviction::declare(Contents &what, bool sweeps) {
  contents = &what;
  tellWindow(item, what.element());
  partitions.declare(window, sweeps);
}

bool Eviction::needsClock() const {
  return evictsBy(WindowPolicy::Time) || partitions.limitedBy(PartitionLimit::Age);
}

Value Eviction::isEmpty(HandlerBuilder &code, Value place) {
  Value size = contents->size(code, place);
  return code.compare(CompareKind::eq, size, code.constant(size.getType(), 0));
}

Value Eviction::holdsTuples(HandlerBuilder &code, Value place) {
  Value size = contents->size(code, place);
  return code.compare(CompareKind::ne, size, code.constant(size.getType(), 0));
}

void Eviction::unlessCountIsZero(HandlerBuilder &code, HandlerBuilder::Code body,
                                 HandlerBuilder::Code otherwise) {
  if (!mayBeZero())
    return body();
  Value most = sizes.evict(code);
  code.when(code.compare(CompareKind::ne, most, code.constant(most.getType(), 0)), body, otherwise);
}

//===--- eviction -------------------------------------------------------------------===//

/// One tuple less in all windows together.
void Eviction::evictOldest(HandlerBuilder &code, Value place) {
  if (partitions.limitedBy(PartitionLimit::Tuples))
    partitions.countTuples(code, code.constant(ui64(op.getContext()), -1));
  contents->evictOldest(code, place);
}

/// Oldest tuples leave while `leaves(mark)` holds.
void Eviction::evictWhile(HandlerBuilder &code, Value place,
                          llvm::function_ref<Value(Value)> leaves) {
  mlir::Type boolean = code.ops().getI1Type();
  Value more = code.variable("leaves", boolean);
  code.loop(
      [&] {
        code.store(code.constant(boolean, 0), more);
        code.when(holdsTuples(code, place),
                  [&] { code.store(leaves(contents->oldestMark(code, place, 0)), more); });
        return code.load(more);
      },
      [&] {
        if (fullAt)
          code.store(code.constant(boolean, 1), code.fieldRef(place, *fullAt));
        evictOldest(code, place);
      });
}

void Eviction::evictByTime(HandlerBuilder &code, Value place, Value now) {
  Value most = sizes.evict(code);
  evictWhile(code, place,
             [&](Value mark) { return code.compare(CompareKind::gt, code.sub(now, mark), most); });
}

/// A tuple is behind its predecessor, for the first time or again.
void Eviction::noteDisorder(HandlerBuilder &code, Value place, Value own) {
  Value disorder = code.fieldRef(place, disorderAt);
  if (leastAt) {
    Value least = code.fieldRef(place, *leastAt), known = code.load(disorder);
    code.when(code.compare(CompareKind::eq, known, code.constant(known.getType(), 0)),
              [&] { code.store(contents->oldestMark(code, place, 0), least); });
    code.when(code.compare(CompareKind::lt, own, code.load(least)),
              [&] { code.store(own, least); });
  }
  code.store(code.constant(code.ops().getI1Type(), 1), disorder);
}

/// Tuples leave anywhere. Those that no firing has seen are the last that came: so many are counted
/// off as leave among them.
void Eviction::evictUnseen(HandlerBuilder &code, Value place, Contents::Leaves leaves) {
  Value unseen = unseenPlace(code, place);
  if (!unseen)
    return contents->evictIf(code, place, 0, leaves);
  Value size = contents->size(code, place), last = code.load(unseen);
  auto lesser = [&](Value a, Value b) -> Value {
    return arith::SelectOp::create(code.ops(), code.loc(), code.compare(CompareKind::lt, a, b), a,
                                   b);
  };
  Value held = lesser(last, size), seen = code.sub(size, held);
  Value left = code.variable("left", size.getType()), at = code.variable("at", size.getType());
  code.store(held, left);
  code.store(code.constant(size.getType(), 0), at);
  contents->evictIf(code, place, 0, [&](Value mark, Value tuples) {
    Value leaving = leaves(mark, tuples), end = code.add(code.load(at), tuples);
    Value gone = lesser(tuples, code.sub(end, lesser(seen, end)));
    code.when(leaving, [&] { code.store(code.sub(code.load(left), gone), left); });
    code.store(end, at);
    return leaving;
  });
  code.store(code.load(left), unseen);
}

/// Any tuple may be too far from the new one, not only the oldest.
void Eviction::evictAny(HandlerBuilder &code, Value place, Value own) {
  mlir::Type boolean = code.ops().getI1Type();
  Value most = sizes.evict(code), before = contents->size(code, place);
  Value least = leastAt ? code.variable("least", own.getType()) : Value();
  if (least)
    code.store(own, least);
  evictUnseen(code, place, [&](Value mark, Value) {
    Value leaves = isFurther(code, own, mark, most);
    auto stay = [&] {
      code.when(code.compare(CompareKind::lt, mark, code.load(least)),
                [&] { code.store(mark, least); });
    };
    if (least)
      code.when(leaves, [] {}, stay);
    return leaves;
  });
  if (least)
    code.store(code.load(least), code.fieldRef(place, *leastAt));
  Value after = contents->size(code, place);
  if (partitions.limitedBy(PartitionLimit::Tuples))
    partitions.countTuples(code, code.sub(after, before));
  code.when(code.compare(CompareKind::ne, before, after),
            [&] { code.store(code.constant(boolean, 1), code.fieldRef(place, *fullAt)); });
}

/// A tuple that is behind its predecessor puts the window in disorder for good: then all tuples are
/// looked at, unless none can leave.
void Eviction::evictByDelta(HandlerBuilder &code, Value place, Value tuple) {
  Value own = code.field(tuple, attr.getEvict().getAttribute());
  Value newest = code.fieldRef(place, newestAt);
  auto inOrder = [&] {
    evictWhile(code, place,
               [&](Value mark) { return isFurther(code, own, mark, sizes.evict(code)); });
  };
  auto anyOrder = [&] {
    if (!leastAt)
      return evictAny(code, place, own);
    Value least = code.load(code.fieldRef(place, *leastAt));
    code.when(isFurther(code, own, least, sizes.evict(code)), [&] { evictAny(code, place, own); });
  };
  auto leave = [&] {
    Value follows = code.compare(CompareKind::ge, own, code.load(newest)); // not a NaN
    code.when(code.compare(CompareKind::eq, follows, code.constant(follows.getType(), 0)),
              [&] { noteDisorder(code, place, own); });
    code.when(code.load(code.fieldRef(place, disorderAt)), anyOrder, inOrder);
  };
  code.when(holdsTuples(code, place), leave, [&] {
    if (leastAt)
      code.store(own, code.fieldRef(place, *leastAt));
  });
  code.store(own, newest);
}

void Eviction::evict(HandlerBuilder &code, Value place, Value tuple, Value now) {
  switch (attr.getEvict().getPolicy()) {
  case WindowPolicy::Count:
    code.when(code.compare(CompareKind::ge, contents->size(code, place), sizes.evict(code)),
              [&] { evictOldest(code, place); });
    return;
  case WindowPolicy::Delta:
    return evictByDelta(code, place, tuple);
  case WindowPolicy::Time:
    return evictByTime(code, place, now);
  case WindowPolicy::Punct:
    break;
  }
  llvm_unreachable("a sliding window does not go by punctuation");
}

//===--- a tuple --------------------------------------------------------------------===//

void Eviction::enter(HandlerBuilder &code, Value place, Value key, Value tuple, Value now,
                     OnPlace then) {
  // Each window is in the order of the limit's ring, also one whose first tuple fails now.
  if (partitions.limited())
    partitions.touch(code, key, partitions.limitedBy(PartitionLimit::Age) ? now : Value());
  Marks marks;
  if (evictsBy(WindowPolicy::Delta))
    marks.push_back(code.field(tuple, attr.getEvict().getAttribute()));
  if (evictsBy(WindowPolicy::Time))
    marks.push_back(now);
  contents->insert(code, place, tuple, marks);
  partitions.countTuples(code, code.constant(ui64(op.getContext()), 1));
  bool evicts = partitions.limited() && !partitions.limitedBy(PartitionLimit::Age);
  if (evicts)
    evictPartitions(code, now);
  if (!then)
    return;
  if (evicts)
    partitions.whenThere(code, key, then);
  else
    then(place);
}

void Eviction::evictPartitions(HandlerBuilder &code, Value now) {
  partitions.enforce(
      code, now, [&](Value gone) { partitionGoes(code, gone); },
      [&](Value gone) {
        recover(code, gone);
        return contents->size(code, gone);
      });
}
