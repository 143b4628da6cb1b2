//===- Ring.cpp - a queue of what a window holds --------------------------===//
#include "passes/expand/window/Ring.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::BinaryKind;
using spl::CompareKind;

/// Slots of no size could not be told apart.
static spl::TupleType withSize(Record element) {
  if (spl::bytesOf(element.type()) == 0)
    element.add("unit", IntegerType::get(element.context(), 1));
  return element.type();
}

Ring::Ring(Record &owner, const Record &element) : elementType(withSize(element)) {
  MLIRContext *context = owner.context();
  slotsAt = owner.add("slots", spl::ListType::get(context, elementType));
  headAt = owner.add("head", ui64(context));
  countAt = owner.add("count", ui64(context));
}

Value Ring::size(HandlerBuilder &code, Value owner) const {
  return code.sizeIn(code.fieldRef(owner, slotsAt));
}

/// The slot at a position from 0 on, modulo the number of slots, which is not 0.
Value Ring::slotAt(HandlerBuilder &code, Value owner, Value position) const {
  Value mask = code.sub(size(code, owner), code.constant(position.getType(), 1));
  return code.binary(BinaryKind::bit_and, position, mask);
}

Value Ring::count(HandlerBuilder &code, Value owner) const {
  return code.load(code.fieldRef(owner, countAt));
}

Value Ring::slotOf(HandlerBuilder &code, Value owner, Value index) const {
  return slotAt(code, owner, code.add(code.load(code.fieldRef(owner, headAt)), index));
}

Value Ring::at(HandlerBuilder &code, Value owner, Value index) const {
  return inSlot(code, owner, slotOf(code, owner, index));
}

Value Ring::oldest(HandlerBuilder &code, Value owner) const {
  return inSlot(code, owner, slotAt(code, owner, code.load(code.fieldRef(owner, headAt))));
}

Value Ring::isFull(HandlerBuilder &code, Value owner) const {
  return code.compare(CompareKind::eq, count(code, owner), size(code, owner));
}

void Ring::grow(HandlerBuilder &code, Value owner) const {
  spl::GrowRingOp::create(code.ops(), code.loc(), code.fieldRef(owner, slotsAt),
                          code.fieldRef(owner, headAt), code.fieldRef(owner, countAt));
}

Value Ring::push(HandlerBuilder &code, Value owner) const {
  code.when(isFull(code, owner), [&] { grow(code, owner); });
  return append(code, owner);
}

Value Ring::append(HandlerBuilder &code, Value owner) const {
  Value old = count(code, owner), place = at(code, owner, old);
  code.store(code.add(old, code.constant(old.getType(), 1)), code.fieldRef(owner, countAt));
  return place;
}

void Ring::pop(HandlerBuilder &code, Value owner) const {
  code.increment(code.fieldRef(owner, headAt));
  code.increment(code.fieldRef(owner, countAt), -1);
}

void Ring::clear(HandlerBuilder &code, Value owner) const {
  code.store(code.constant(ui64(owner.getContext()), 0), code.fieldRef(owner, countAt));
}
