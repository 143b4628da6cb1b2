//===- Sliding.cpp - eviction and triggers of sliding windows -------------===//
#include "passes/expand/window/Delta.h"
#include "passes/expand/window/Policy.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;
using stream::PartitionLimit;
using stream::WindowPolicy;

/// Fires if the window was full once: it had its count of tuples, or has evicted one by delta.
/// Eviction by time does not wait for that.
void Policy::fireIfFull(HandlerBuilder &code, Value place) {
  if (options.incomplete || attr.getEvict().getPolicy() == WindowPolicy::Time)
    return fire(code, place);
  Value full = attr.getEvict().getPolicy() == WindowPolicy::Count
                   ? code.compare(CompareKind::ge, contents->size(code, place), sizes.evict(code))
                   : code.load(code.fieldRef(place, *fullAt));
  code.when(full, [&] { fire(code, place); });
}

//===--- eviction -------------------------------------------------------------------===//

/// One tuple less in all windows together.
void Policy::evictOldest(HandlerBuilder &code, Value place) {
  if (partitions.limitedBy(PartitionLimit::Tuples))
    partitions.countTuples(code, code.constant(ui64(op.getContext()), -1));
  contents->evictOldest(code, place);
}

/// Oldest tuples leave while `leaves(mark)` holds.
void Policy::evictWhile(HandlerBuilder &code, Value place,
                        llvm::function_ref<Value(Value)> leaves) {
  mlir::Type boolean = code.ops().getI1Type();
  Value more = code.variable("leaves", boolean);
  code.loop(
      [&] {
        code.store(code.constant(boolean, 0), more);
        Value size = contents->size(code, place);
        code.when(code.compare(CompareKind::ne, size, code.constant(size.getType(), 0)),
                  [&] { code.store(leaves(contents->oldestMark(code, place, 0)), more); });
        return code.load(more);
      },
      [&] {
        if (fullAt)
          code.store(code.constant(boolean, 1), code.fieldRef(place, *fullAt));
        evictOldest(code, place);
      });
}

void Policy::evictByTime(HandlerBuilder &code, Value place, Value now) {
  Value most = sizes.evict(code);
  evictWhile(code, place,
             [&](Value mark) { return code.compare(CompareKind::gt, code.sub(now, mark), most); });
}

/// A tuple that is behind its predecessor puts the window in disorder for good: then any tuple may
/// be too far from the new one, not only the oldest.
void Policy::evictByDelta(HandlerBuilder &code, Value place, Value tuple) {
  mlir::Type boolean = code.ops().getI1Type();
  Value own = code.field(tuple, attr.getEvict().getAttribute());
  Value newest = code.fieldRef(place, newestAt), disorder = code.fieldRef(place, disorderAt);
  Value most = sizes.evict(code);
  Value size = contents->size(code, place);
  code.when(code.compare(CompareKind::ne, size, code.constant(size.getType(), 0)), [&] {
    code.when(code.compare(CompareKind::lt, own, code.load(newest)),
              [&] { code.store(code.constant(boolean, 1), disorder); });
    code.when(
        code.load(disorder),
        [&] {
          Value before = contents->size(code, place);
          contents->evictIf(code, place, 0,
                            [&](Value mark) { return isFurther(code, own, mark, most); });
          Value after = contents->size(code, place);
          if (partitions.limitedBy(PartitionLimit::Tuples))
            partitions.countTuples(code, code.sub(after, before));
          code.when(code.compare(CompareKind::ne, before, after),
                    [&] { code.store(code.constant(boolean, 1), code.fieldRef(place, *fullAt)); });
        },
        [&] {
          evictWhile(code, place, [&](Value mark) { return isFurther(code, own, mark, most); });
        });
  });
  code.store(own, newest);
}

void Policy::evict(HandlerBuilder &code, Value place, Value tuple, Value now) {
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

//===--- triggers -------------------------------------------------------------------===//

void Policy::triggerByDelta(HandlerBuilder &code, Value place, Value tuple) {
  mlir::Type boolean = code.ops().getI1Type();
  Value own = code.field(tuple, attr.getTrigger().getAttribute());
  Value reference = code.fieldRef(place, referenceAt);
  code.when(
      code.load(code.fieldRef(place, hasReferenceAt)),
      [&] {
        code.when(isFurther(code, own, code.load(reference), sizes.trigger(code)), [&] {
          fireIfFull(code, place);
          code.store(own, reference);
        });
      },
      [&] {
        code.store(own, reference);
        code.store(code.constant(boolean, 1), code.fieldRef(place, hasReferenceAt));
      });
}

void Policy::triggerByCount(HandlerBuilder &code, Value place) {
  if (sizes.constantTrigger() == 1)
    return fireIfFull(code, place);
  Value since = code.increment(code.fieldRef(place, sinceAt));
  code.when(code.compare(CompareKind::eq, since, sizes.trigger(code)), [&] {
    code.store(code.constant(since.getType(), 0), code.fieldRef(place, sinceAt));
    fireIfFull(code, place);
  });
}

void Policy::slide(HandlerBuilder &code, Value key, Value tuple, Value now) {
  Value place = partitions.find(code, key);
  if (options.drains)
    return unlessCountIsZero(code, [&] {
      evict(code, place, tuple, now);
      enter(code, place, key, tuple, now);
    });
  WindowPolicy trigger = attr.getTrigger().getPolicy();
  if (trigger == WindowPolicy::Delta)
    triggerByDelta(code, place, tuple);
  evict(code, place, tuple, now);
  place = enter(code, place, key, tuple, now);
  if (trigger == WindowPolicy::Count)
    triggerByCount(code, place);
}

/// All windows are triggered by time. Without any there is a marker alone.
void Policy::slideAll(HandlerBuilder &code, Value now) {
  mlir::Type boolean = code.ops().getI1Type();
  Value any = code.variable("any", boolean);
  code.store(code.constant(boolean, 0), any);
  partitions.forEach(code, [&](Value place) {
    code.store(code.constant(boolean, 1), any);
    if (attr.getEvict().getPolicy() == WindowPolicy::Time)
      evictByTime(code, place, now);
    fireIfFull(code, place);
  });
  code.when(code.compare(CompareKind::eq, code.load(any), code.constant(boolean, 0)),
            [&] { code.submitWindow(0); });
}
