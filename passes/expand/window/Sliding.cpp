//===- Sliding.cpp - triggers of sliding windows -------------===//
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
  if (!evictsBy(WindowPolicy::Count))
    return code.when(code.load(code.fieldRef(place, *fullAt)), [&] { fire(code, place); });
  unlessCountIsZero(code, [&] { // then it is never full
    Value size = contents->size(code, place);
    code.when(code.compare(CompareKind::ge, size, sizes.evict(code)), [&] { fire(code, place); });
  });
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
  if (trigger == WindowPolicy::Delta) {
    if (evictsBy(WindowPolicy::Time)) // the clock does not wait for the tuple
      evictByTime(code, place, now);
    triggerByDelta(code, place, tuple);
  }
  auto stay = [&] {
    evict(code, place, tuple, now);
    place = enter(code, place, key, tuple, now);
  };
  if (!mayBeZero()) {
    stay();
  } else {
    unlessCountIsZero(code, stay);
    place = partitions.find(code, key);
  }
  if (trigger == WindowPolicy::Count)
    triggerByCount(code, place);
}

/// All windows are triggered by time. Partitions that time has emptied are no partitions any more.
/// Where there is none, a marker alone is submitted: if incomplete windows fire, or if the only
/// window is empty because its tuples have left.
void Policy::slideAll(HandlerBuilder &code, Value now) {
  mlir::Type boolean = code.ops().getI1Type();
  Value any = code.variable("any", boolean);
  code.store(code.constant(boolean, 0), any);
  bool expires = evictsBy(WindowPolicy::Time);
  partitions.forEach(code, [&](Value place) {
    auto trigger = [&] {
      code.store(code.constant(boolean, 1), any);
      fireIfFull(code, place);
    };
    if (!expires)
      return trigger();
    evictByTime(code, place, now);
    code.when(holdsTuples(code, place), trigger);
  });
  if (expires)
    partitions.dropIf(code, [&](Value place) {
      return code.compare(CompareKind::eq, holdsTuples(code, place), code.constant(boolean, 0));
    });
  auto alone = [&] {
    if (options.incomplete)
      code.submitWindow(0);
    else if (expires && !partitions.partitioned())
      partitions.forEach(code, [&](Value place) {
        code.when(code.load(code.fieldRef(place, *fullAt)), [&] { code.submitWindow(0); });
      });
  };
  code.when(code.compare(CompareKind::eq, code.load(any), code.constant(boolean, 0)), alone);
}
