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
  if (!waitsUntilFull())
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
      code.load(code.fieldRef(place, *hasReferenceAt)),
      [&] {
        code.when(isFurther(code, own, code.load(reference), sizes.trigger(code)), [&] {
          code.store(own, reference);
          fireIfFull(code, place);
        });
      },
      [&] {
        code.store(own, reference);
        code.store(code.constant(boolean, 1), code.fieldRef(place, *hasReferenceAt));
      });
}

void Policy::triggerByCount(HandlerBuilder &code, Value place) {
  if (sizes.constantTrigger() == 1)
    return fireIfFull(code, place);
  Value since = code.increment(code.fieldRef(place, *sinceAt));
  code.when(code.compare(CompareKind::eq, since, sizes.trigger(code)), [&] {
    code.store(code.constant(since.getType(), 0), code.fieldRef(place, *sinceAt));
    fireIfFull(code, place);
  });
}

/// Where no tick looks at all partitions, and no limit drops those that are not used.
bool Policy::sweeps() const {
  return partitions.partitioned() && !partitions.limited() && evictsBy(WindowPolicy::Time) &&
         attr.getTrigger().getPolicy() != WindowPolicy::Time;
}

/// Tuples that have been there for too long leave some other partitions, too.
void Policy::sweep(HandlerBuilder &code, Value now) {
  if (sweeps())
    partitions.sweep(code, [&](Value place) {
      evictByTime(code, place, now);
      return isEmpty(code, place);
    });
}

/// A partition that time has emptied is none: its next tuple begins it anew.
void Policy::beginAnew(HandlerBuilder &code, Value place) {
  if (!partitions.partitioned())
    return;
  code.when(isEmpty(code, place), [&] {
    for (std::optional<unsigned> at : {hasReferenceAt, sinceAt})
      if (at)
        code.store(code.zero(window.type().getTypes()[*at]), code.fieldRef(place, *at));
  });
}

void Policy::slide(HandlerBuilder &code, Value key, Value tuple, Value now) {
  sweep(code, now);
  Value place = partitions.find(code, key);
  WindowPolicy trigger = attr.getTrigger().getPolicy();
  bool expires = evictsBy(WindowPolicy::Time); // the clock does not wait for the tuple
  if (expires) {
    evictByTime(code, place, now);
    beginAnew(code, place);
  }
  if (!options.drains && trigger == WindowPolicy::Delta)
    triggerByDelta(code, place, tuple);
  auto count = [&](Value place) {
    if (!options.drains && trigger == WindowPolicy::Count)
      triggerByCount(code, place);
  };
  auto stay = [&] {
    if (!expires)
      evict(code, place, tuple, now);
    if (unseenAt) // before its partition may be evicted
      code.increment(code.fieldRef(place, *unseenAt));
    enter(code, place, key, tuple, now, count);
  };
  unlessCountIsZero(code, stay, [&] { count(place); });
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
    partitions.dropIf(code, [&](Value place) { return isEmpty(code, place); });
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
