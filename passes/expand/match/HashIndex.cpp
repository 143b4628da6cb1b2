//===- HashIndex.cpp - finds the rows of a ring by a hash -----------------===//
#include "passes/expand/match/HashIndex.h"
#include "passes/expand/match/Row.h"
#include "passes/expand/match/Rows.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using spl::BinaryKind;
using spl::CompareKind;

Value match::linkOf(HandlerBuilder &code, Value slot) {
  Value link = code.add(slot, code.constant(slot.getType(), 1));
  return code.cast(link, linkType(slot.getContext()));
}

HashIndex::HashIndex(window::Record &row, window::Record &window)
    : head(window.context()), firstAt(head.add("first", linkType(window.context()))),
      lastAt(head.add("last", linkType(window.context()))),
      hashAt(row.add("hash", hashType(window.context()))),
      nextAt(row.add("next", linkType(window.context()))),
      headsAt(window.add("heads", spl::ListType::get(window.context(), head.type()))) {}

Value HashIndex::headOf(HandlerBuilder &code, Value window, Value hash) const {
  Value heads = code.fieldRef(window, headsAt), size = code.sizeIn(heads);
  Value mask = code.sub(size, code.constant(size.getType(), 1));
  return code.nthRef(heads,
                     code.binary(BinaryKind::bit_and, code.cast(hash, size.getType()), mask));
}

Value HashIndex::first(HandlerBuilder &code, Value window, Value hash) const {
  return code.load(code.fieldRef(headOf(code, window, hash), firstAt));
}

Value HashIndex::next(HandlerBuilder &code, Value row) const {
  return code.load(code.fieldRef(row, nextAt));
}

Value HashIndex::at(HandlerBuilder &code, Value window, Value link) const {
  mlir::Type position = window::ui64(link.getContext());
  return ring->inSlot(code, window,
                      code.sub(code.cast(link, position), code.constant(position, 1)));
}

void HashIndex::keep(HandlerBuilder &code, Value row, Value hash) const {
  code.store(hash, code.fieldRef(row, hashAt));
}

/// Without a branch, which would be a guess: the first row of a chain is put behind itself, and
/// then has none behind it, as every new one. `last` is stored at once: LLVM makes a branch of a
/// choice of a value that it can load where it is chosen.
void HashIndex::append(HandlerBuilder &code, Value window, Value row, Value link) const {
  Value head = headOf(code, window, code.load(code.fieldRef(row, hashAt)));
  Value first = code.fieldRef(head, firstAt), last = code.fieldRef(head, lastAt);
  Value none = code.constant(link.getType(), 0);
  Value oldest = code.load(first), newest = code.load(last);
  code.store(link, last);
  Value begin = code.variable("begin", link.getType()), end = code.variable("end", link.getType());
  code.store(link, begin);
  code.store(link, end);
  code.when(code.compare(CompareKind::ne, oldest, none), [&] {
    code.store(oldest, begin);
    code.store(newest, end);
  });
  code.store(code.load(begin), first);
  code.store(link, code.fieldRef(at(code, window, code.load(end)), nextAt));
  code.store(none, code.fieldRef(row, nextAt));
}

void HashIndex::remove(HandlerBuilder &code, Value window, Value row, Value link,
                       Value before) const {
  Value head = headOf(code, window, code.load(code.fieldRef(row, hashAt)));
  Value last = code.fieldRef(head, lastAt), behind = next(code, row);
  code.when(
      code.compare(CompareKind::eq, before, code.constant(link.getType(), 0)),
      [&] { code.store(behind, code.fieldRef(head, firstAt)); },
      [&] { code.store(behind, code.fieldRef(at(code, window, before), nextAt)); });
  code.when(code.compare(CompareKind::eq, code.load(last), link),
            [&] { code.store(before, last); });
}

void HashIndex::removeOldest(HandlerBuilder &code, Value window, bool mayBeGone) const {
  Value slot = ring->slotOf(code, window, code.constant(window::ui64(window.getContext()), 0));
  Value row = ring->inSlot(code, window, slot);
  Value head = headOf(code, window, code.load(code.fieldRef(row, hashAt)));
  Value first = code.fieldRef(head, firstAt);
  auto leave = [&] { code.store(next(code, row), first); };
  if (!mayBeGone)
    return leave();
  code.when(code.compare(CompareKind::eq, code.load(first), linkOf(code, slot)), leave);
}

void HashIndex::restart(HandlerBuilder &code, Value window, Value rows) const {
  Value heads = code.fieldRef(window, headsAt);
  Value zero = code.constant(rows.getType(), 0), four = code.constant(rows.getType(), 4);
  Value fewest = code.binary(BinaryKind::mul, rows, four);
  Value none = code.variable("none", rows.getType()); // nothing was popped, nothing is kept
  code.loop([&] { return code.compare(CompareKind::le, code.sizeIn(heads), fewest); },
            [&] {
              code.store(zero, none);
              spl::GrowRingOp::create(code.ops(), code.loc(), heads, none, none);
            });
  code.forEach(code.sizeIn(heads),
               [&](Value at) { code.store(code.zero(head.type()), code.nthRef(heads, at)); });
}
