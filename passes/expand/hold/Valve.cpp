//===- Valve.cpp - a stream that an operator lets pass, or keeps ----------===//
#include "passes/expand/hold/Valve.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::hold;
using spl::CompareKind;

/// An entry of the ring: whether it is window punctuation, and else the tuple.
static window::Record entryOf(stream::OperatorOp op) {
  window::Record entry(op.getContext());
  entry.add("marker", IntegerType::get(op.getContext(), 1));
  entry.add("tuple", op.inputTuple(0));
  return entry;
}

Valve::Valve(stream::OperatorOp op, Condition isOpen, Code passed)
    : op(op), isOpen(std::move(isOpen)), passed(std::move(passed)), line(op.getContext()),
      ring(line, entryOf(op)), kept(op, "kept", "the queue of what waits", line.type()),
      ended(op, "ended", "the end of input 0", IntegerType::get(op.getContext(), 1)),
      stuck(op, "stuck", "the end of input 1", IntegerType::get(op.getContext(), 1)) {}

static Value flag(HandlerBuilder &code, bool value) {
  return code.constant(code.ops().getI1Type(), value);
}

Value Valve::isEmpty(HandlerBuilder &code) {
  Value count = ring.count(code, kept.place(code));
  return code.compare(CompareKind::eq, count, code.constant(count.getType(), 0));
}

void Valve::pass(HandlerBuilder &code, Value tuple) {
  passed(code);
  code.submit(0, tuple);
}

void Valve::keep(HandlerBuilder &code, Value tuple) {
  Value place = ring.push(code, kept.place(code));
  code.store(flag(code, !tuple), code.fieldRef(place, isMarker));
  if (tuple)
    code.store(tuple, code.fieldRef(place, tupleAt));
  code.hold(0, flag(code, true));
}

/// A tuple, or null for window punctuation, passes or is kept. While anything is kept the operator
/// is not open.
void Valve::arrive(HandlerBuilder &code, Value tuple) {
  code.when(
      isOpen(code),
      [&] {
        if (tuple)
          pass(code, tuple);
        else
          code.submitWindow(0);
      },
      [&] {
        auto drop = [&] {
          if (tuple)
            code.leftOut(stream::LeftOut::Waiting);
        };
        code.when(code.load(stuck.place(code)), drop, [&] { keep(code, tuple); });
      });
}

/// Nothing opens it any more.
void Valve::dropKept(HandlerBuilder &code) {
  code.forEach(ring.count(code, kept.place(code)), [&](Value at) {
    Value marker = code.load(code.fieldRef(ring.at(code, kept.place(code), at), isMarker));
    code.when(marker, [] {}, [&] { code.leftOut(stream::LeftOut::Waiting); });
  });
  ring.clear(code, kept.place(code));
}

void Valve::addHandlers(llvm::function_ref<void(HandlerBuilder &)> opens) {
  HandlerBuilder code = beginOnTuple(op, 0);
  arrive(code, code.argument(0));
  code.end();
  addOnPunct(
      op, op, 0, /*forward=*/false, [&](HandlerBuilder &code) { arrive(code, Value()); },
      [&](HandlerBuilder &code) {
        code.when(
            isEmpty(code), [&] { code.submitFinal(0); },
            [&] { code.store(flag(code, true), ended.place(code)); });
      });
  HandlerBuilder control = beginOnTuple(op, 1);
  opens(control);
  drain(control);
  control.end();
  addOnPunct(op, op, 1, /*forward=*/false, nullptr, [&](HandlerBuilder &code) {
    code.store(flag(code, true), stuck.place(code));
    dropKept(code);
    code.hold(0, flag(code, false));
  });
}

/// Submits what may pass by now.
void Valve::drain(HandlerBuilder &code) {
  Value more = code.variable("more", code.ops().getI1Type());
  auto mayPass = [&] {
    code.store(flag(code, false), more);
    code.when(isEmpty(code), [] {}, [&] { code.store(isOpen(code), more); });
    return code.load(more);
  };
  code.loop(mayPass, [&] {
    Value mark = spl::ArenaCheckpointOp::create(code.ops(), code.loc());
    Value oldest = ring.oldest(code, kept.place(code));
    ring.pop(code, kept.place(code));
    code.when(
        code.load(code.fieldRef(oldest, isMarker)), [&] { code.submitWindow(0); },
        [&] { pass(code, code.load(code.fieldRef(oldest, tupleAt))); });
    spl::ReleaseOp::create(code.ops(), code.loc(), mark);
  });
  code.when(isEmpty(code), [&] {
    code.hold(0, flag(code, false));
    code.when(code.load(ended.place(code)), [&] { code.submitFinal(0); });
  });
}
