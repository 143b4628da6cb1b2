//===- QueueStore.cpp - rows of one window, oldest first ------------------===//
#include "passes/expand/match/HashIndex.h"
#include "passes/expand/match/RowStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using spl::CompareKind;

namespace {
/// A ring. A row that leaves before the oldest one stays where it is, is marked as gone, and leaves
/// its chain when that is walked next. Such rows are dropped when they are the oldest, or more than
/// half of a ring that is full.
class QueueStore : public RowStore {
public:
  QueueStore(Row &row, window::Record &window, bool anyLeaves);

  void declare(stream::OperatorOp, StringRef) override;
  mlir::Type element() const override { return ring->element(); }
  void insert(HandlerBuilder &, Value window, Key key, OnRow fill) override;
  Value size(HandlerBuilder &code, Value window) override {
    return liveAt ? code.load(code.fieldRef(window, *liveAt)) : ring->count(code, window);
  }
  Value oldest(HandlerBuilder &, Value window) override;
  void dropOldest(HandlerBuilder &, Value window) override;
  void dropIf(HandlerBuilder &, Value window, llvm::function_ref<Value(Value)> leaves,
              OnRow gone) override;
  void forEach(HandlerBuilder &, Value window, OnRow body) override;
  void clear(HandlerBuilder &, Value) override { llvm_unreachable("only partitions are cleared"); }
  void forEachCandidate(HandlerBuilder &, Value window, Key key, OnRow body) override;
  void whenAny(HandlerBuilder &, Value window, OnRow body) override;

private:
  Value isGone(HandlerBuilder &code, Value row) { return code.load(code.fieldRef(row, *goneAt)); }
  void unlessGone(HandlerBuilder &, Value row, HandlerBuilder::Code body);
  void popGone(HandlerBuilder &, Value window);
  void pop(HandlerBuilder &, Value window);
  void makeRoom(HandlerBuilder &, Value window);
  void compact(HandlerBuilder &, Value window);

  Row &row;
  window::Record &window;
  std::optional<unsigned> goneAt, liveAt; // of a row, of the window: rows that are not gone
  std::optional<HashIndex> index;
  std::optional<window::Ring> ring;
};
} // namespace

QueueStore::QueueStore(Row &row, window::Record &window, bool anyLeaves)
    : row(row), window(window) {
  if (anyLeaves) {
    goneAt = row.record.add("gone", IntegerType::get(window.context(), 1));
    liveAt = window.add("live", window::ui64(window.context()));
  }
  if (row.equality)
    index.emplace(row.record, window);
}

void QueueStore::declare(stream::OperatorOp, StringRef) {
  ring.emplace(window, row.record);
  if (index)
    index->setRing(*ring);
}

void QueueStore::unlessGone(HandlerBuilder &code, Value row, HandlerBuilder::Code body) {
  if (!goneAt)
    return body();
  Value gone = isGone(code, row);
  code.when(code.compare(CompareKind::eq, gone, code.constant(gone.getType(), 0)), body);
}

//===--- rows come --------------------------------------------------------------===//

void QueueStore::insert(HandlerBuilder &code, Value window, Key key, OnRow fill) {
  code.when(ring->isFull(code, window), [&] { makeRoom(code, window); });
  Value slot = ring->slotOf(code, window, ring->count(code, window));
  Value place = ring->append(code, window);
  fill(place);
  if (goneAt) {
    code.store(code.constant(code.ops().getI1Type(), 0), code.fieldRef(place, *goneAt));
    code.increment(code.fieldRef(window, *liveAt));
  }
  if (!index)
    return;
  index->keep(code, place, key.hash);
  index->append(code, window, place, linkOf(code, slot));
}

/// Rows move, so all chains are made anew.
void QueueStore::makeRoom(HandlerBuilder &code, Value window) {
  Value count = ring->count(code, window);
  auto grow = [&] {
    if (index)
      index->restart(code, window, count); // fails before the ring does
    ring->grow(code, window);
  };
  if (!goneAt)
    grow();
  else
    code.when(
        code.compare(CompareKind::le, count, code.add(size(code, window), size(code, window))),
        grow, [&] { compact(code, window); });
  if (!index)
    return;
  code.forEach(ring->count(code, window), [&](Value at) {
    Value slot = ring->slotOf(code, window, at), place = ring->inSlot(code, window, slot);
    unlessGone(code, place, [&] { index->append(code, window, place, linkOf(code, slot)); });
  });
}

/// Each row goes from the front to the back once, or out.
void QueueStore::compact(HandlerBuilder &code, Value window) {
  if (index)
    index->restart(code, window, code.constant(window::ui64(window.getContext()), 0));
  code.forEach(ring->count(code, window), [&](Value) {
    Value kept = code.copy(code.load(ring->oldest(code, window)));
    Value gone = isGone(code, ring->oldest(code, window));
    ring->pop(code, window);
    code.when(code.compare(CompareKind::eq, gone, code.constant(gone.getType(), 0)),
              [&] { code.store(kept, ring->append(code, window)); });
  });
}

//===--- rows leave -------------------------------------------------------------===//

void QueueStore::pop(HandlerBuilder &code, Value window) {
  if (index)
    index->removeOldest(code, window, /*mayBeGone=*/goneAt.has_value());
  ring->pop(code, window);
}

/// The oldest row is not gone behind it, or there is none.
void QueueStore::popGone(HandlerBuilder &code, Value window) {
  Value more = code.variable("gone", code.ops().getI1Type());
  code.loop(
      [&] {
        code.store(code.constant(code.ops().getI1Type(), 0), more);
        Value count = ring->count(code, window);
        code.when(code.compare(CompareKind::ne, count, code.constant(count.getType(), 0)),
                  [&] { code.store(isGone(code, ring->oldest(code, window)), more); });
        return code.load(more);
      },
      [&] { pop(code, window); });
}

Value QueueStore::oldest(HandlerBuilder &code, Value window) {
  if (goneAt)
    popGone(code, window);
  return ring->oldest(code, window);
}

void QueueStore::dropOldest(HandlerBuilder &code, Value window) {
  if (goneAt) {
    popGone(code, window);
    code.increment(code.fieldRef(window, *liveAt), -1);
  }
  pop(code, window);
}

void QueueStore::dropIf(HandlerBuilder &code, Value window, llvm::function_ref<Value(Value)> leaves,
                        OnRow gone) {
  forEach(code, window, [&](Value place) {
    code.when(leaves(place), [&] {
      gone(place);
      code.store(code.constant(code.ops().getI1Type(), 1), code.fieldRef(place, *goneAt));
      code.increment(code.fieldRef(window, *liveAt), -1);
    });
  });
  popGone(code, window);
}

//===--- rows are read ----------------------------------------------------------===//

void QueueStore::forEach(HandlerBuilder &code, Value window, OnRow body) {
  code.forEach(ring->count(code, window), [&](Value at) {
    Value place = ring->at(code, window, at);
    unlessGone(code, place, [&] { body(place); });
  });
}

void QueueStore::forEachCandidate(HandlerBuilder &code, Value window, Key key, OnRow body) {
  if (!index)
    return forEach(code, window, body);
  Value count = ring->count(code, window);
  mlir::Type link = code.ops().getIntegerType(32, /*isSigned=*/false);
  Value before = goneAt ? code.variable("before", link) : Value();
  auto meet = [&](Value place) {
    code.when(code.compare(CompareKind::eq, row.key(code, place), key.value), [&] { body(place); });
  };
  code.when(code.compare(CompareKind::ne, count, code.constant(count.getType(), 0)), [&] {
    if (before)
      code.store(code.constant(link, 0), before);
    code.follow(index->first(code, window, key.hash), [&](Value at) {
      Value place = index->at(code, window, at);
      Value next = index->next(code, place);
      if (!before)
        meet(place);
      else
        code.when(
            isGone(code, place), [&] { index->remove(code, window, place, at, code.load(before)); },
            [&] {
              code.store(at, before);
              meet(place);
            });
      return next;
    });
  });
}

void QueueStore::whenAny(HandlerBuilder &code, Value window, OnRow body) {
  Value count = size(code, window);
  code.when(code.compare(CompareKind::ne, count, code.constant(count.getType(), 0)),
            [&] { body(oldest(code, window)); });
}

std::unique_ptr<RowStore> match::makeQueue(Row &row, window::Record &window, bool anyLeaves) {
  return std::make_unique<QueueStore>(row, window, anyLeaves);
}
