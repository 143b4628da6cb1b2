//===- Policy.cpp - what both kinds of windows do -------------------------===//
#include "passes/expand/window/Policy.h"
#include "ir/Kinds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Delta.h"
#include "passes/expand/window/Ticker.h"
#include "sluice/enums.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;
using stream::PartitionLimit;
using stream::WindowPolicy;

Policy::Policy(stream::OperatorOp op, unsigned port, Region *partitionBy, PolicyOptions options)
    : Eviction(op, port, partitionBy), options(options) {
  mlir::Type boolean = IntegerType::get(op.getContext(), 1);
  if (op.getIsCatch() && attr.isTumbling())
    firedAt = window.add("fired", boolean);
  auto attribute = [&](stream::BoundAttr bound) {
    return op.inputTuple(port).getTypes()[bound.getAttribute()];
  };
  if (attr.isTumbling()) {
    if (goesBy(WindowPolicy::Delta))
      referenceAt = window.add("first", attribute(attr.getEvict()));
    return;
  }
  if (attr.getTrigger().getPolicy() == WindowPolicy::Delta) {
    referenceAt = window.add("reference", attribute(attr.getTrigger()));
    hasReferenceAt = window.add("hasReference", boolean);
  }
  if (attr.getTrigger().getPolicy() == WindowPolicy::Count && sizes.constantTrigger() != 1)
    sinceAt = window.add("since", ui64(op.getContext()));
  if (options.drains)
    return;
  // The tuple that comes may evict its own partition before it has triggered anything; of a delta
  // window, others may leave than those that were there first.
  bool mayEvictItself = partitions.limited() && !partitions.limitedBy(PartitionLimit::Age);
  bool leavesAnywhere = sinceAt && evictsBy(WindowPolicy::Delta);
  if (attr.getTrigger().getPolicy() != WindowPolicy::Count || mayEvictItself || leavesAnywhere)
    unseenAt = window.add("unseen", ui64(op.getContext()));
  else if (sinceAt && waitsUntilFull())
    hasFiredAt = window.add("hasFired", boolean);
}

/// Whether triggers are ignored until a sliding window was full once.
bool Policy::waitsUntilFull() const { return !options.incomplete && !evictsBy(WindowPolicy::Time); }

bool Policy::goesBy(WindowPolicy policy) const {
  return attr.getEvict().getPolicy() == policy ||
         (attr.getTrigger() && attr.getTrigger().getPolicy() == policy);
}

//===--- firing ---------------------------------------------------------------------===//

/// Results, if there are tuples, and a marker.
void Policy::fire(HandlerBuilder &code, Value place) {
  if (unseenAt)
    code.store(code.constant(ui64(op.getContext()), 0), code.fieldRef(place, *unseenAt));
  if (hasFiredAt)
    code.store(code.constant(code.ops().getI1Type(), 1), code.fieldRef(place, *hasFiredAt));
  code.when(holdsTuples(code, place), [&] { contents->submit(code, place); });
  code.submitWindow(0);
}

void Policy::partitionIsLost(HandlerBuilder &code, Value place) {
  if (options.drains || mayHoldUnseen())
    code.leftOut(stream::LeftOut::InPartitions, unseen(code, place));
}

void Policy::partitionGoes(HandlerBuilder &code, Value place) {
  if (!options.submitEvicted)
    return partitionIsLost(code, place);
  recover(code, place);
  code.when(holdsTuples(code, place), [&] {
    markFired(code, place, true);
    contents->submit(code, place);
    code.submitWindow(0);
  });
}

void Policy::markFired(HandlerBuilder &code, Value place, bool fired) {
  if (firedAt)
    code.store(code.constant(code.ops().getI1Type(), fired), code.fieldRef(place, *firedAt));
}

void Policy::recover(HandlerBuilder &code, Value place) {
  if (!firedAt)
    return;
  code.when(code.load(code.fieldRef(place, *firedAt)), [&] {
    contents->clear(code, place);
    markFired(code, place, false);
  });
}

/// All tuples of a window are about to leave.
void Policy::countRemoved(HandlerBuilder &code, Value place) {
  if (!partitions.limitedBy(PartitionLimit::Tuples))
    return;
  Value size = contents->size(code, place);
  partitions.countTuples(code, code.sub(code.constant(size.getType(), 0), size));
}

void Policy::flush(HandlerBuilder &code, Value place) {
  countRemoved(code, place);
  markFired(code, place, true);
  contents->submit(code, place);
  code.submitWindow(0);
  contents->clear(code, place);
  markFired(code, place, false);
}

/// All windows of a tumbling port that hold tuples fire. Returns whether there was one.
Value Policy::flushEach(HandlerBuilder &code) {
  mlir::Type boolean = code.ops().getI1Type();
  Value fired = code.variable("fired", boolean);
  code.store(code.constant(boolean, 0), fired);
  partitions.forEach(code, [&](Value place) {
    recover(code, place);
    code.when(holdsTuples(code, place), [&] {
      countRemoved(code, place);
      markFired(code, place, true);
      contents->submit(code, place);
      code.submitWindow(0);
      code.store(code.constant(boolean, 1), fired);
    });
  });
  partitions.clearAll(code, [&](Value place) {
    contents->clear(code, place);
    markFired(code, place, false);
  });
  return code.load(fired);
}

/// The same. Without any tuple there is a marker alone.
void Policy::flushAll(HandlerBuilder &code) {
  Value fired = flushEach(code);
  code.when(code.compare(CompareKind::eq, fired, code.constant(fired.getType(), 0)),
            [&] { code.submitWindow(0); });
}

/// At the end: windows fire that hold tuples which no firing has seen.
void Policy::closeAll(HandlerBuilder &code) {
  if (attr.isTumbling()) {
    flushEach(code);
    return;
  }
  Value now;
  if (evictsBy(WindowPolicy::Time))
    now = stream::NowOp::create(code.ops(), code.loc(), si64(op.getContext()));
  partitions.forEach(code, [&](Value place) {
    if (now)
      evictByTime(code, place, now);
    Value count = unseen(code, place);
    code.when(code.compare(CompareKind::ne, count, code.constant(count.getType(), 0)), [&] {
      fire(code, place);
      contents->clear(code, place);
    });
  });
}

/// At the end: what windows hold leaves one by one.
void Policy::drainAll(HandlerBuilder &code) {
  partitions.forEach(code, [&](Value place) {
    code.forEach(contents->size(code, place), [&](Value) { evictOldest(code, place); });
  });
}

//===--- tuples that no firing has seen -----------------------------------------------===//

/// Whether there may be any when the input has ended.
bool Policy::mayHoldUnseen() const {
  if (options.drains)
    return false;
  bool eachFires = attr.isSliding() && !sinceAt && !unseenAt && !waitsUntilFull();
  return !eachFires;
}

/// How many tuples of a window no firing has seen. They are the last that came, of those it holds.
Value Policy::unseen(HandlerBuilder &code, Value place) {
  Value size = contents->size(code, place);
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(code.ops(), code.loc(), condition, yes, no);
  };
  auto flag = [&](unsigned at) { return code.load(code.fieldRef(place, at)); };
  Value none = code.constant(size.getType(), 0);
  if (attr.isTumbling() || options.drains)
    return firedAt ? select(flag(*firedAt), none, size) : size;
  if (!sinceAt && !unseenAt) // each tuple fires it, once it is full
    return evictsBy(WindowPolicy::Delta)
               ? select(flag(*fullAt), none, size)
               : select(code.compare(CompareKind::lt, size, sizes.evict(code)), size, none);
  Value since = code.load(code.fieldRef(place, unseenAt ? *unseenAt : *sinceAt));
  Value last = select(code.compare(CompareKind::lt, since, size), since, size);
  return hasFiredAt ? select(flag(*hasFiredAt), last, size) : last;
}

void Policy::onEnd() {
  if (!mayHoldUnseen())
    return;
  addOnEnd(op, [&](HandlerBuilder &code) {
    Value sum = code.variable("unseen", ui64(op.getContext()));
    code.store(code.constant(ui64(op.getContext()), 0), sum);
    partitions.forEach(
        code, [&](Value place) { code.store(code.add(code.load(sum), unseen(code, place)), sum); });
    code.leftOut(stream::LeftOut::InWindows, code.load(sum));
  });
}

//===--- a tuple --------------------------------------------------------------------===//

void Policy::onTuple() {
  HandlerBuilder code = beginOnTuple(op, port);
  Value tuple = code.argument(0), now;
  if (needsClock())
    now = stream::NowOp::create(code.ops(), code.loc(), si64(op.getContext()));
  SmallVector<Value> tuples(op.inputPorts(), tuple);
  Value key = partitions.keyOf(code, tuples);
  if (partitions.limitedBy(PartitionLimit::Age))
    evictPartitions(code, now);
  whenKeyIsFound(
      code, key,
      [&] { // else the tuple is in no partition
        if (attr.isTumbling())
          tumble(code, key, tuple, now);
        else
          slide(code, key, tuple, now);
      },
      [&] { code.leftOut(stream::LeftOut::NoKey); });
  code.end();
}

void Policy::tumble(HandlerBuilder &code, Value key, Value tuple, Value now) {
  Value place = partitions.find(code, key);
  recover(code, place);
  switch (attr.getEvict().getPolicy()) {
  case WindowPolicy::Count:
    unlessCountIsZero(code, [&] {
      enter(code, place, key, tuple, now, [&](Value place) {
        Value size = contents->size(code, place);
        code.when(code.compare(CompareKind::ge, size, sizes.evict(code)), [&] {
          flush(code, place);
          if (partitions.limited())
            partitions.drop(code, key);
        });
      });
    });
    return;
  case WindowPolicy::Delta: {
    Value own = code.field(tuple, attr.getEvict().getAttribute());
    code.when(
        holdsTuples(code, place),
        [&] {
          Value first = code.load(code.fieldRef(place, referenceAt));
          code.when(isFurther(code, own, first, sizes.evict(code)), [&] {
            flush(code, place);
            code.store(own, code.fieldRef(place, referenceAt));
          });
        },
        [&] { code.store(own, code.fieldRef(place, referenceAt)); });
    enter(code, place, key, tuple, now);
    return;
  }
  case WindowPolicy::Time:
  case WindowPolicy::Punct:
    enter(code, place, key, tuple, now);
    return;
  }
}

//===--- markers and time ---------------------------------------------------------------===//

/// Window punctuation ends here; it fires windows by punctuation. Final drains, or closes.
void Policy::onPunct() {
  Region *logic = op.onPunct(port);
  bool fires = attr.isTumbling() && goesBy(WindowPolicy::Punct);
  bool closes = item.getCloses() && mayHoldUnseen();
  if (!logic && !fires && !options.drains && !closes)
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = stream::OnPunctOp::create(builder, op.getLoc(), port);
  mlir::Type type = spl::markerType(op.getContext());
  HandlerBuilder code(op.getLoc(), handler.getBody(), {type});
  if (logic)
    code.inlineBody(*logic, code.argument(0));
  auto at = [&](PunctuationKind kind, HandlerBuilder::Code then) {
    Value marker = code.constant(type, int64_t(kind));
    code.when(code.compare(CompareKind::eq, code.argument(0), marker), then);
  };
  if (fires)
    at(PunctuationKind::Window, [&] { flushAll(code); });
  if (options.drains)
    at(PunctuationKind::Final, [&] { drainAll(code); });
  if (closes)
    at(PunctuationKind::Final, [&] { closeAll(code); });
  code.end();
}

/// A tick: windows by time fire.
void Policy::onTick() {
  bool tumbles = attr.isTumbling() && goesBy(WindowPolicy::Time);
  bool slides = attr.isSliding() && attr.getTrigger().getPolicy() == WindowPolicy::Time;
  if (!tumbles && !slides)
    return;
  unsigned tick = addTicker(op, item, tumbles ? 0 : 1);
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = stream::OnTupleOp::create(builder, op.getLoc(), tick);
  HandlerBuilder code(op.getLoc(), handler.getBody(), {op.inputTuple(tick)});
  Value now;
  if (needsClock())
    now = stream::NowOp::create(code.ops(), code.loc(), si64(op.getContext()));
  if (partitions.limitedBy(PartitionLimit::Age))
    evictPartitions(code, now);
  if (tumbles)
    flushAll(code);
  else
    slideAll(code, now);
  code.end();
}

void Policy::expand(Contents &what) {
  declare(what, sweeps());
  onTuple();
  onPunct();
  onTick();
  onEnd();
}
