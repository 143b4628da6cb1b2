//===- Expand.cpp - spl.utility::DeDuplicate as handlers ----------------------------===//
//
// A map remembers for each key the **mark** of its last tuple: a position, an
// attribute, or a time. A key whose mark is too old may come again, but its entry
// stays until the **hand** finds it: for each new entry the hand moves over
// kSteps entries and removes those that are too old. So the map never holds more than
// twice as many keys as come in a window, and no tuple takes long.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Delta.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;
using spl::BinaryKind;
using spl::CompareKind;

/// For each new entry. The table grows by that one, so the hand comes round it after half as many
/// new entries as the table had.
static constexpr int64_t kSteps = 3;
/// So many entries before the hand the places of keys in the index are fetched: what eight new
/// entries take is longer than a miss.
static constexpr int64_t kAhead = 8 * kSteps;
static constexpr double kDefaultSeconds = 600;

static mlir::Type unsignedType(OperatorOp op, unsigned width) {
  return IntegerType::get(op.getContext(), width, IntegerType::Unsigned);
}

namespace {
/// What tells how old a key is. Sub-classes: by count, by delta, by time.
class Age {
public:
  explicit Age(mlir::Type type) : type(type) {}
  virtual ~Age() = default;
  /// The mark of the tuple that has come.
  virtual Value now(HandlerBuilder &) = 0;
  /// Whether a tuple with the mark `now` comes too late to be a duplicate of one with `mark`.
  virtual Value isOver(HandlerBuilder &, Value now, Value mark) = 0;

  const mlir::Type type; // of marks
};

class ByCount : public Age {
public:
  explicit ByCount(OperatorOp op)
      : Age(unsignedType(op, 64)), limit(op, "count", type),
        position(op, "position", "the number of tuples", type) {}
  Value now(HandlerBuilder &code) override {
    Value place = position.place(code);
    Value next = code.add(code.load(place), code.constant(type, 1));
    code.store(next, place);
    return next;
  }
  Value isOver(HandlerBuilder &code, Value now, Value mark) override {
    return code.compare(CompareKind::gt, code.sub(now, mark), limit.in(code));
  }

private:
  StartValue limit;
  AddedState position;
};

/// A value of the attribute that is below the mark is no older: nothing is too late for it.
class ByDelta : public Age {
public:
  ByDelta(OperatorOp op, unsigned attribute)
      : Age(op.inputTuple(0).getTypes()[attribute]), attribute(attribute),
        limit(op, "delta", type) {}
  Value now(HandlerBuilder &code) override { return code.field(code.argument(0), attribute); }
  Value isOver(HandlerBuilder &code, Value now, Value mark) override {
    return window::isFurther(code, now, mark, limit.in(code));
  }

private:
  unsigned attribute;
  StartValue limit;
};

class ByTime : public Age {
public:
  explicit ByTime(OperatorOp op) : Age(IntegerType::get(op.getContext(), 64, IntegerType::Signed)) {
    if (op.param("timeOut"))
      limit.emplace(op, "timeOut", Float64Type::get(op.getContext()));
  }
  Value now(HandlerBuilder &code) override {
    return stream::NowOp::create(code.ops(), code.loc(), type);
  }
  Value isOver(HandlerBuilder &code, Value now, Value mark) override {
    mlir::Type seconds = code.ops().getF64Type();
    Value age = code.cast(code.sub(now, mark), seconds);
    Value most = limit ? limit->in(code) : real(code, kDefaultSeconds);
    return code.compare(CompareKind::gt, age, code.binary(BinaryKind::mul, most, real(code, 1e9)));
  }

private:
  static Value real(HandlerBuilder &code, double value) {
    return spl::ConstOp::create(code.ops(), code.loc(), code.ops().getF64Type(),
                                code.ops().getF64FloatAttr(value));
  }
  std::optional<StartValue> limit;
};

/// The handlers of one operator.
class DeDuplicate {
public:
  explicit DeDuplicate(OperatorOp op);
  void onTuple();
  void onPunct();

private:
  void lookUp(HandlerBuilder &, Value key, Value now);
  void sweep(HandlerBuilder &, Value now);

  OperatorOp op;
  std::unique_ptr<Age> age;
  AddedState seen; // map from keys to marks
  AddedState hand; // uint32: the position of the entry that it looks at next
};
} // namespace

static std::unique_ptr<Age> ageOf(OperatorOp op) {
  if (op.param("count"))
    return std::make_unique<ByCount>(op);
  if (!op.param("delta"))
    return std::make_unique<ByTime>(op);
  auto name = StringAttr::get(op.getContext(), literalOf(op, "deltaAttribute"));
  return std::make_unique<ByDelta>(op, *op.inputTuple(0).indexOf(name));
}

static mlir::Type mapType(OperatorOp op, mlir::Type mark) {
  mlir::Type key = op.param("key") ? keyType(*op.param("key")) : op.inputTuple(0);
  return spl::MapType::get(op.getContext(), key, mark);
}

DeDuplicate::DeDuplicate(OperatorOp op)
    : op(op), age(ageOf(op)), seen(op, "seen", "the set of keys seen", mapType(op, age->type)),
      hand(op, "hand", "the place to look next for old keys", unsignedType(op, 32)) {}

/// for (i = 0; i < kSteps; ++i) {
///   at = hand < size ? hand : 0
///   fetch what removing the entry at + kAhead will touch
///   if (the entry there is too old) remove it, hand = at; else hand = at + 1
/// }
void DeDuplicate::sweep(HandlerBuilder &code, Value now) {
  mlir::Type count = hand.type();
  Block *head = code.newBlock(count), *look = code.newBlock(), *body = code.newBlock(),
        *old = code.newBlock(), *young = code.newBlock(), *next = code.newBlock(count),
        *done = code.newBlock();
  code.branch(head, code.constant(count, 0));
  code.enter(head);
  Value step = head->getArgument(0);
  code.branch(code.compare(CompareKind::lt, step, code.constant(count, kSteps)), look, done);
  code.enter(look);
  Value table = code.load(seen.place(code)), size = code.size(table);
  Value zero = code.constant(count, 0);
  code.branch(code.compare(CompareKind::gt, size, zero), body, done);
  code.enter(body);
  Value last = code.load(hand.place(code));
  Value at = arith::SelectOp::create(code.ops(), code.loc(),
                                     code.compare(CompareKind::lt, last, size), last, zero);
  mlir::Type wide = unsignedType(op, 64);
  Value position = code.cast(at, wide);
  spl::MapFetchNthOp::create(code.ops(), code.loc(), seen.place(code),
                             code.add(position, code.constant(wide, kAhead)));
  Value mark = spl::MapValueOp::create(code.ops(), code.loc(), age->type, table, at);
  code.branch(age->isOver(code, now, mark), old, young);
  code.enter(old);
  spl::MapEraseNthOp::create(code.ops(), code.loc(), seen.place(code), position);
  code.branch(next, at); // another entry is there now
  code.enter(young);
  code.branch(next, code.add(at, code.constant(count, 1)));
  code.enter(next);
  code.store(next->getArgument(0), hand.place(code));
  code.branch(head, code.add(step, code.constant(count, 1)));
  code.enter(done);
}

/// Where the key is known, and its tuple not too old, the handler ends; else the key is remembered.
void DeDuplicate::lookUp(HandlerBuilder &code, Value key, Value now) {
  Block *known = code.newBlock(), *fresh = code.newBlock(), *renewed = code.newBlock(),
        *duplicate = code.newBlock(), *pass = code.newBlock();
  Value table = seen.place(code);
  Value before = code.size(code.load(table));
  mlir::Type place = spl::RefType::get(op.getContext(), age->type);
  Value slot = spl::MapSlotOp::create(code.ops(), code.loc(), place, table, key);
  code.branch(code.compare(CompareKind::eq, before, code.size(code.load(table))), known, fresh);
  code.enter(known);
  code.branch(age->isOver(code, now, code.load(slot)), renewed, duplicate);
  code.enter(renewed);
  code.store(now, slot);
  code.branch(pass);
  code.enter(fresh);
  code.store(now, slot);
  sweep(code, now);
  code.branch(pass);

  code.enter(duplicate);
  if (flagOf(op, "resetOnDuplicate", true))
    code.store(now, slot);
  if (op.getNumResults() > 1)
    code.submit(1, outputTuple(op, code, 1));
  code.end();
  code.enter(pass);
}

void DeDuplicate::onTuple() {
  HandlerBuilder code = beginOnTuple(op, 0);
  Value key = code.argument(0);
  if (op.param("key"))
    key = keyValue(code, *op.param("key"), key);
  Value now = age->now(code);
  whenKeyIsFound(code, key, [&] { lookUp(code, key, now); });
  code.submit(0, outputTuple(op, code, 0));
  code.end();
}

void DeDuplicate::onPunct() {
  addOnPunct(op, 0, [&](HandlerBuilder &code) {
    if (flagOf(op, "flushOnPunctuation", false))
      code.clear(seen.place(code));
  });
}

LogicalResult sluice::expandDeDuplicate(OperatorOp op) {
  DeDuplicate handlers(op);
  handlers.onTuple();
  handlers.onPunct();
  return success();
}
