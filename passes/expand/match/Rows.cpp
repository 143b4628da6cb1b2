//===- Rows.cpp - tuples that hang together in chains ---------------------===//
#include "passes/expand/match/Rows.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using spl::CompareKind;

static Value isLink(HandlerBuilder &code, Value link) {
  return code.compare(CompareKind::ne, link, code.constant(link.getType(), 0));
}

//===--- chains -----------------------------------------------------------------===//

Ends::Ends(window::Record &owner)
    : firstAt(owner.add("first", linkType(owner.context()))),
      lastAt(owner.add("last", linkType(owner.context()))) {}

Value match::firstOf(HandlerBuilder &code, Ends ends, Value owner) {
  return code.load(code.fieldRef(owner, ends.firstAt));
}

Chain::Chain(window::Record &row)
    : previousAt(row.add("previous", linkType(row.context()))),
      nextAt(row.add("next", linkType(row.context()))) {}

Value Chain::next(HandlerBuilder &code, Value row) const {
  return code.load(code.fieldRef(row, nextAt));
}

void Chain::append(HandlerBuilder &code, const Rows &rows, Ends ends, Value owner,
                   Value link) const {
  Value row = rows.at(code, link), last = code.load(code.fieldRef(owner, ends.lastAt));
  code.store(last, code.fieldRef(row, previousAt));
  code.store(code.constant(link.getType(), 0), code.fieldRef(row, nextAt));
  code.when(
      isLink(code, last), [&] { code.store(link, code.fieldRef(rows.at(code, last), nextAt)); },
      [&] { code.store(link, code.fieldRef(owner, ends.firstAt)); });
  code.store(link, code.fieldRef(owner, ends.lastAt));
}

void Chain::remove(HandlerBuilder &code, const Rows &rows, Ends ends, Value owner,
                   Value link) const {
  Value row = rows.at(code, link), before = code.load(code.fieldRef(row, previousAt)),
        behind = next(code, row);
  code.when(
      isLink(code, before),
      [&] { code.store(behind, code.fieldRef(rows.at(code, before), nextAt)); },
      [&] { code.store(behind, code.fieldRef(owner, ends.firstAt)); });
  code.when(
      isLink(code, behind),
      [&] { code.store(before, code.fieldRef(rows.at(code, behind), previousAt)); },
      [&] { code.store(before, code.fieldRef(owner, ends.lastAt)); });
}

//===--- rows -------------------------------------------------------------------===//

void Rows::declare(stream::OperatorOp op, StringRef name, const Twine &what) {
  listAt = owner.add("rows", spl::ListType::get(op.getContext(), record.type()));
  state = AddedState(op, name, what, owner.type());
}

Value Rows::at(HandlerBuilder &code, Value link) const {
  mlir::Type position = window::ui64(link.getContext());
  Value place = code.fieldRef(portPlace(code), listAt);
  return code.nthRef(place, code.sub(code.cast(link, position), code.constant(position, 1)));
}

Value Rows::take(HandlerBuilder &code) const {
  mlir::Type type = linkType(record.context());
  Value taken = code.variable("taken", type), port = portPlace(code);
  Value unused = firstOf(code, free, port);
  code.store(unused, taken);
  code.when(
      isLink(code, unused), [&] { links.remove(code, *this, free, port, unused); },
      [&] {
        Value list = code.fieldRef(port, listAt);
        code.push(list, code.zero(record.type()));
        code.store(code.cast(code.sizeIn(list), type), taken);
      });
  return code.load(taken);
}

void Rows::release(HandlerBuilder &code, Value link) const {
  links.append(code, *this, free, portPlace(code), link);
}
