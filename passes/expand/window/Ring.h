//===- Ring.h - a queue of what a window holds ------------------*- C++ -*-===//
//
// Elements are tuples of one type. The oldest is at `head`; `count` follow it, modulo the number of
// slots, which is a power of two. Both ends move in constant time. A slot that is free keeps its
// buffers for the next element.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/window/Record.h"

namespace sluice::window {

class Ring {
public:
  /// Adds the ring's attributes to the record that it lies in. `element` may have no attribute.
  Ring(Record &owner, const Record &element);

  mlir::Value count(HandlerBuilder &, mlir::Value owner) const;
  /// The place of the element `index` (ui64) behind the oldest.
  mlir::Value at(HandlerBuilder &, mlir::Value owner, mlir::Value index) const;
  /// The place of the list of slots. If nothing was popped, element i is in slot i.
  mlir::Value slots(HandlerBuilder &code, mlir::Value owner) const {
    return code.fieldRef(owner, slotsAt);
  }
  /// The slot of that element (ui64), and the place of an element by its slot.
  mlir::Value slotOf(HandlerBuilder &, mlir::Value owner, mlir::Value index) const;
  mlir::Value inSlot(HandlerBuilder &code, mlir::Value owner, mlir::Value slot) const {
    return code.nthRef(slots(code, owner), slot);
  }
  mlir::Value oldest(HandlerBuilder &, mlir::Value owner) const;
  /// Makes room for one more and counts it. The caller stores what it is.
  mlir::Value push(HandlerBuilder &, mlir::Value owner) const;
  /// The same where there is room.
  mlir::Value append(HandlerBuilder &, mlir::Value owner) const;
  mlir::Value isFull(HandlerBuilder &, mlir::Value owner) const;
  /// A full ring gets twice as many slots; elements move.
  void grow(HandlerBuilder &, mlir::Value owner) const;
  /// The oldest, which there is, leaves.
  void pop(HandlerBuilder &, mlir::Value owner) const;
  /// All leave.
  void clear(HandlerBuilder &, mlir::Value owner) const;

  spl::TupleType element() const { return elementType; }

private:
  mlir::Value slotAt(HandlerBuilder &, mlir::Value owner, mlir::Value position) const;
  mlir::Value size(HandlerBuilder &, mlir::Value owner) const;

  spl::TupleType elementType;
  unsigned slotsAt, headAt, countAt; // attributes of the owner
};

} // namespace sluice::window
