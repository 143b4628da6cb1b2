//===- Intervals.cpp - windows of event time ------------------------------===//
#include "passes/expand/window/Intervals.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/Watermark.h"
#include <limits>

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::BinaryKind;
using spl::CompareKind;

static Record numberRecord(MLIRContext *context) {
  Record record(context);
  record.add("number", si64(context));
  return record;
}

Intervals::Intervals(stream::OperatorOp op, unsigned port, Region *partitionBy,
                     const IntervalFunctions &functions)
    : op(op), port(port), item(op.window(port)), partitionBy(partitionBy), functions(functions),
      sizes(item), window(op.getContext()), order(op.getContext()),
      firedAt(window.add("fired", ui64(op.getContext()))),
      numbers(order, numberRecord(op.getContext())) {
  replacePaneFacts();
}

void Intervals::declare() {
  MLIRContext *context = op.getContext();
  windowsType = window.type();
  if (partitionBy)
    windowsType = spl::MapType::get(context, keyType(*partitionBy), windowsType);
  panes = AddedState(op, "panes", "the set of intervals",
                     spl::MapType::get(context, si64(context), windowsType));
  orderState = AddedState(op, "order", "the order of the intervals", order.type());
  completeState = AddedState(op, "complete", "the number of complete intervals", ui64(context));
  watermarkState = addTime(op, "watermark", "the watermark");
  forwardedState = addTime(op, "forwarded", "the watermark that went on");
}

//===--- output functions -----------------------------------------------------------===//

/// What an output function tells lies in a state variable while the window fires: the number of the
/// pane, the timing, and how often it has fired.
void Intervals::replacePaneFacts() {
  Region *output = op.output(0);
  if (!output)
    return;
  SmallVector<spl::OutputFnOp> functions;
  output->walk([&](spl::OutputFnOp fn) {
    if (fn.getPane())
      functions.push_back(fn);
  });
  if (functions.empty())
    return;
  Record firing(op.getContext());
  firingStart = firing.add("start", si64(op.getContext()));
  firingEnd = firing.add("end", si64(op.getContext()));
  firingIndex = firing.add("index", ui64(op.getContext()));
  auto timing = llvm::find_if(
      functions, [](spl::OutputFnOp fn) { return fn.getPane() == spl::PaneFact::timing; });
  if (timing != functions.end())
    firingTiming = firing.add("timing", (*timing).getType());
  firingState = AddedState(op, "firing", "the interval that fires", firing.type());
  for (spl::OutputFnOp fn : functions) {
    HandlerBuilder code(fn);
    fn.replaceAllUsesWith(factOf(code, fn));
    fn.erase();
  }
}

Value Intervals::floorDiv(HandlerBuilder &code, Value dividend, Value divisor) {
  return code.call(functions.floorDiv, {}, {dividend, divisor}, {}, dividend.getType());
}

Value Intervals::timestampOf(HandlerBuilder &code, Value nanos, mlir::Type type) {
  Value billion = code.constant(nanos.getType(), 1'000'000'000);
  Value seconds = floorDiv(code, nanos, billion);
  Value rest = code.sub(nanos, code.binary(BinaryKind::mul, seconds, billion));
  mlir::Type ui32 = code.ops().getIntegerType(32, /*isSigned=*/false);
  return code.call(functions.timestamp, {}, {seconds, code.cast(rest, ui32)}, {}, type);
}

Value Intervals::factOf(HandlerBuilder &code, spl::OutputFnOp fn) {
  Value place = firingState.place(code);
  auto get = [&](unsigned at) { return code.load(code.fieldRef(place, at)); };
  switch (*fn.getPane()) {
  case spl::PaneFact::timing:
    return get(*firingTiming);
  case spl::PaneFact::start:
    return timestampOf(code, get(firingStart), fn.getType());
  case spl::PaneFact::end:
    return timestampOf(code, get(firingEnd), fn.getType());
  case spl::PaneFact::index:
    return get(firingIndex);
  }
  llvm_unreachable("unknown fact of a pane");
}

//===--- numbers of panes -----------------------------------------------------------===//

Value Intervals::startOf(HandlerBuilder &code, Value pane) {
  return code.add(code.binary(BinaryKind::mul, pane, sizes.length(code, Sizes::Period)),
                  sizes.length(code, Sizes::Offset));
}

Value Intervals::endOf(HandlerBuilder &code, Value pane) {
  return code.add(startOf(code, pane), sizes.length(code, Sizes::Duration));
}

Value Intervals::lastStartingBy(HandlerBuilder &code, Value time) {
  return floorDiv(code, code.sub(time, sizes.length(code, Sizes::Offset)),
                  sizes.length(code, Sizes::Period));
}

Value Intervals::firstEndingAfter(HandlerBuilder &code, Value time) {
  Value before = lastStartingBy(code, code.sub(time, sizes.length(code, Sizes::Duration)));
  return code.add(before, code.constant(before.getType(), 1));
}

Value Intervals::numberAt(HandlerBuilder &code, Value index) {
  return code.load(code.fieldRef(numbers.at(code, orderState.place(code), index), 0));
}

Value Intervals::paneOf(HandlerBuilder &code, Value pane) {
  auto ref = spl::RefType::get(op.getContext(), windowsType);
  return spl::MapSlotOp::create(code.ops(), code.loc(), ref, panes.place(code), pane);
}

//===--- a tuple --------------------------------------------------------------------===//

void Intervals::onTuple() {
  HandlerBuilder code = beginOnTuple(op, port);
  Value tuple = code.argument(0);
  Value time = code.inlineBody(item.getTime(), tuple).front();
  Value latest =
      code.sub(code.load(watermarkState.place(code)), sizes.length(code, Sizes::DiscardAge));
  code.when(
      code.compare(CompareKind::ge, time, latest), [&] { enterPanes(code, tuple, time); },
      [&] { code.leftOut(stream::LeftOut::Late); });
  code.end();
}

/// The tuple enters all panes whose interval has its time: those from the first that ends behind it
/// to the last that has started. Then those fire for which it is late.
void Intervals::enterPanes(HandlerBuilder &code, Value tuple, Value time) {
  Value key;
  if (partitionBy)
    key = keyValue(code, *partitionBy, SmallVector<Value>(op.inputPorts(), tuple));
  Value first = firstEndingAfter(code, time), last = lastStartingBy(code, time);
  Value none = code.constant(first.getType(), 0);
  Value count = code.add(code.sub(last, first), code.constant(first.getType(), 1));
  auto forEachPane = [&](llvm::function_ref<void(Value)> body) {
    code.forEach(code.cast(count, ui64(op.getContext())),
                 [&](Value at) { body(code.add(first, code.cast(at, first.getType()))); });
  };
  auto enterEach = [&] {
    forEachPane([&](Value pane) { enterPane(code, pane, key, tuple); });
    code.when(isOver(code, first), [&] {
      forEachPane([&](Value pane) {
        code.when(isOver(code, pane),
                  [&] { fire(code, pane, windowOf(code, paneOf(code, pane), key), Late); });
      });
    });
  };
  code.when(code.compare(CompareKind::gt, count, none), [&] {
    whenKeyIsFound(code, key, enterEach, [&] { code.leftOut(stream::LeftOut::NoKey); });
  });
}

Value Intervals::isOver(HandlerBuilder &code, Value pane) {
  return code.compare(CompareKind::le, endOf(code, pane), code.load(watermarkState.place(code)));
}

Value Intervals::windowOf(HandlerBuilder &code, Value place, Value key) {
  if (!partitionBy)
    return place;
  auto ref = spl::RefType::get(op.getContext(), window.type());
  return spl::MapSlotOp::create(code.ops(), code.loc(), ref, place, key);
}

void Intervals::enterPane(HandlerBuilder &code, Value pane, Value key, Value tuple) {
  Value before = code.sizeIn(panes.place(code));
  Value place = paneOf(code, pane);
  Value isNew = code.compare(CompareKind::ne, before, code.sizeIn(panes.place(code)));
  code.when(isNew, [&] { addNumber(code, pane); });
  contents->insert(code, windowOf(code, place, key), tuple, {});
}

/// Most panes are new ones: the number goes to the end, and changes places with those that are
/// above it.
void Intervals::addNumber(HandlerBuilder &code, Value pane) {
  Value owner = orderState.place(code);
  mlir::Type counter = ui64(op.getContext());
  Value at = code.variable("at", counter);
  code.store(numbers.count(code, owner), at);
  code.store(pane, code.fieldRef(numbers.push(code, owner), 0));
  Value moves = code.variable("moves", code.ops().getI1Type());
  auto before = [&] { return code.sub(code.load(at), code.constant(counter, 1)); };
  auto isBelow = [&] {
    code.store(code.constant(code.ops().getI1Type(), 0), moves);
    code.when(code.compare(CompareKind::gt, code.load(at), code.constant(counter, 0)), [&] {
      code.store(code.compare(CompareKind::gt, numberAt(code, before()), pane), moves);
    });
    return code.load(moves);
  };
  code.loop(isBelow, [&] {
    Value index = before();
    code.store(numberAt(code, index), code.fieldRef(numbers.at(code, owner, code.load(at)), 0));
    code.store(pane, code.fieldRef(numbers.at(code, owner, index), 0));
    code.store(index, at);
  });
  // It is one of the complete ones, unless others wait before it, as a result has failed.
  Value complete = completeState.place(code);
  code.when(isOver(code, pane), [&] {
    code.when(code.compare(CompareKind::le, code.load(at), code.load(complete)),
              [&] { code.increment(complete); });
  });
}

/// Results and a marker, if there are tuples. If a result fails, it has fired all the same.
void Intervals::fire(HandlerBuilder &code, Value pane, Value place, Timing timing) {
  Value size = contents->size(code, place);
  code.when(code.compare(CompareKind::ne, size, code.constant(size.getType(), 0)),
            [&] { submit(code, pane, place, timing); });
}

void Intervals::submit(HandlerBuilder &code, Value pane, Value place, Timing timing) {
  Value fired = code.load(code.fieldRef(place, firedAt));
  if (firingState) {
    Value firing = firingState.place(code);
    code.store(startOf(code, pane), code.fieldRef(firing, firingStart));
    code.store(endOf(code, pane), code.fieldRef(firing, firingEnd));
    code.store(fired, code.fieldRef(firing, firingIndex));
    if (firingTiming) {
      Value place = code.fieldRef(firing, *firingTiming);
      code.store(code.constant(cast<spl::RefType>(place.getType()).getElement(), timing), place);
    }
  }
  code.increment(code.fieldRef(place, firedAt));
  if (timing == Late)
    code.leftOut(stream::LeftOut::LateFirings);
  contents->submit(code, place);
  code.submitWindow(0);
}

//===--- watermarks -----------------------------------------------------------------===//

/// Panes that the watermark has reached fire, in the order of their intervals. If a result fails,
/// this goes on behind it at the next watermark.
void Intervals::completePanes(HandlerBuilder &code, Value watermark) {
  Value owner = orderState.place(code), complete = completeState.place(code);
  mlir::Type boolean = code.ops().getI1Type();
  Value more = code.variable("more", boolean);
  auto isComplete = [&] {
    code.store(code.constant(boolean, 0), more);
    Value next = code.load(complete);
    code.when(code.compare(CompareKind::lt, next, numbers.count(code, owner)), [&] {
      Value end = endOf(code, numberAt(code, next));
      code.store(code.compare(CompareKind::le, end, watermark), more);
    });
    return code.load(more);
  };
  code.loop(isComplete, [&] {
    Value pane = numberAt(code, code.load(complete));
    Value place = paneOf(code, pane);
    auto fireOnce = [&](Value window) {
      Value fired = code.load(code.fieldRef(window, firedAt));
      code.when(code.compare(CompareKind::eq, fired, code.constant(fired.getType(), 0)),
                [&] { fire(code, pane, window, OnComplete); });
    };
    if (!partitionBy)
      fireOnce(place);
    else
      code.forEach(code.sizeIn(place), [&](Value at) { fireOnce(code.nthRef(place, at)); });
    code.increment(complete);
  });
}

/// Panes go for which no tuple can come any more.
void Intervals::discardPanes(HandlerBuilder &code, Value watermark) {
  Value owner = orderState.place(code), complete = completeState.place(code);
  mlir::Type boolean = code.ops().getI1Type();
  Value more = code.variable("more", boolean);
  Value latest = code.sub(watermark, sizes.length(code, Sizes::DiscardAge));
  Value none = code.constant(ui64(op.getContext()), 0);
  auto mayGo = [&] {
    code.store(code.constant(boolean, 0), more);
    code.when(code.compare(CompareKind::ne, numbers.count(code, owner), none), [&] {
      Value end = endOf(code, numberAt(code, none));
      code.store(code.compare(CompareKind::le, end, latest), more);
    });
    return code.load(more);
  };
  code.loop(mayGo, [&] {
    Value pane = numberAt(code, none);
    spl::MapEraseOp::create(code.ops(), code.loc(), panes.place(code), pane);
    numbers.pop(code, owner);
    code.increment(complete, -1);
  });
}

/// What follows is of panes that may still fire. Their results may have any time of the interval,
/// so the watermark behind this operator is where the first of them starts.
void Intervals::forward(HandlerBuilder &code, Value watermark) {
  Value latest = code.sub(watermark, sizes.length(code, Sizes::DiscardAge));
  Value start = startOf(code, firstEndingAfter(code, latest));
  Value forwarded = forwardedState.place(code);
  Value time = code.variable("start", start.getType());
  code.store(start, time);
  code.when(code.compare(CompareKind::gt, start, watermark), [&] { code.store(watermark, time); });
  code.when(code.compare(CompareKind::gt, code.load(time), code.load(forwarded)), [&] {
    code.store(code.load(time), forwarded);
    code.submitWatermark(0, code.load(time));
  });
}

void Intervals::onWatermark() {
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = stream::OnWatermarkOp::create(builder, op.getLoc(), port);
  HandlerBuilder code(op.getLoc(), handler.getBody(), si64(op.getContext()));
  Value time = code.argument(0);
  Value known = code.load(watermarkState.place(code));
  code.when(code.compare(CompareKind::gt, time, known), [&] {
    code.store(time, watermarkState.place(code));
    completePanes(code, time);
    discardPanes(code, time);
    forward(code, time);
  });
  code.end();
}

/// A last watermark, if the window closes: no tuple comes any more.
void Intervals::onPunct() {
  auto close = [&](HandlerBuilder &code) {
    Value end = code.constant(si64(op.getContext()), std::numeric_limits<int64_t>::max());
    completePanes(code, end);
  };
  if (item.getCloses())
    addOnPunct(op, op, port, /*forward=*/false, nullptr, close);
  else
    addOnPunct(op, op, port, /*forward=*/false);
}

/// Counts tuples in panes that have not fired; a tuple counts in each of its panes.
void Intervals::onEnd() {
  addOnEnd(op, [&](HandlerBuilder &code) {
    mlir::Type number = ui64(op.getContext());
    Value sum = code.variable("unseen", number), all = panes.place(code);
    code.store(code.constant(number, 0), sum);
    auto add = [&](Value window) {
      Value fired = code.load(code.fieldRef(window, firedAt));
      code.when(code.compare(CompareKind::eq, fired, code.constant(number, 0)),
                [&] { code.store(code.add(code.load(sum), contents->size(code, window)), sum); });
    };
    code.forEach(code.sizeIn(all), [&](Value at) {
      Value pane = code.nthRef(all, at);
      if (!partitionBy)
        return add(pane);
      code.forEach(code.sizeIn(pane), [&](Value key) { add(code.nthRef(pane, key)); });
    });
    code.leftOut(stream::LeftOut::InWindows, code.load(sum));
  });
}

void Intervals::expand(Contents &what) {
  contents = &what;
  tellWindow(item, what.element());
  declare();
  onTuple();
  onPunct();
  onWatermark();
  onEnd();
}
