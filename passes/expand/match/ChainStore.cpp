//===- ChainStore.cpp - rows of windows by partition ----------------------===//
#include "passes/expand/match/RowStore.h"
#include "passes/expand/match/Rows.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using spl::CompareKind;

namespace {
/// A row is in the chain of its window. With an index it is in that of its key, too: an entry of a
/// map, which leaves it with its last row.
class ChainStore : public RowStore {
public:
  ChainStore(Row &row, window::Record &window, bool byArrival);

  void declare(stream::OperatorOp, StringRef suffix) override;
  mlir::Type element() const override { return row.record.type(); }
  void insert(HandlerBuilder &, Value window, Key key, OnRow fill) override;
  Value size(HandlerBuilder &code, Value window) override {
    return code.load(code.fieldRef(window, sizeAt));
  }
  Value oldest(HandlerBuilder &code, Value window) override {
    return rows.at(code, firstOf(code, inWindow, window));
  }
  void dropOldest(HandlerBuilder &code, Value window) override {
    drop(code, window, firstOf(code, inWindow, window));
  }
  void dropIf(HandlerBuilder &, Value window, llvm::function_ref<Value(Value)> leaves,
              OnRow gone) override;
  void forEach(HandlerBuilder &code, Value window, OnRow body) override {
    walk(code, rows.chain(), firstOf(code, inWindow, window), body);
  }
  void clear(HandlerBuilder &, Value window) override;
  void forEachCandidate(HandlerBuilder &, Value window, Key key, OnRow body) override;
  void whenAny(HandlerBuilder &, Value window, OnRow body) override;

private:
  void drop(HandlerBuilder &, Value window, Value link);
  void enterIndex(HandlerBuilder &, Value key, Value link);
  void leaveIndex(HandlerBuilder &, Value link);
  /// If the index has `key`: `body` is given the place of the ends of its chain.
  void withKey(HandlerBuilder &, Value key, llvm::function_ref<void(Value)> body);
  void walk(HandlerBuilder &, const Chain &, Value first, OnRow body);

  Row &row;
  Rows rows;
  Ends inWindow;           // of a window
  window::Record keyOwner; // the value of the index
  Ends inKey;
  unsigned sizeAt; // of a window
  std::optional<Chain> keyChain, arrivalChain;
  std::optional<Ends> arrived; // all rows
  AddedState index;
};
} // namespace

ChainStore::ChainStore(Row &row, window::Record &window, bool byArrival)
    : row(row), rows(row.record), inWindow(window), keyOwner(window.context()), inKey(keyOwner),
      sizeAt(window.add("size", window::ui64(window.context()))) {
  if (row.equality)
    keyChain.emplace(row.record);
  if (!byArrival)
    return;
  arrivalChain.emplace(row.record);
  arrived.emplace(rows.port());
}

void ChainStore::declare(stream::OperatorOp op, StringRef suffix) {
  rows.declare(op, ("rows" + suffix).str(), "the window of input " + suffix);
  if (row.equality)
    index = AddedState(op, ("index" + suffix).str(), "the index of the window of input " + suffix,
                       spl::MapType::get(op.getContext(), row.equality->type(), keyOwner.type()));
}

//===--- the index --------------------------------------------------------------===//

void ChainStore::withKey(HandlerBuilder &code, Value key, llvm::function_ref<void(Value)> body) {
  Value place = index.place(code);
  Value at =
      spl::MapFindOp::create(code.ops(), code.loc(), window::ui64(key.getContext()), place, key);
  code.when(code.compare(CompareKind::ne, at, code.sizeIn(place)),
            [&] { body(code.nthRef(place, at)); });
}

/// A key that is not found again matches nothing.
void ChainStore::enterIndex(HandlerBuilder &code, Value key, Value link) {
  whenKeyIsFound(code, key, [&] {
    auto place = spl::RefType::get(key.getContext(), keyOwner.type());
    Value owner = spl::MapSlotOp::create(code.ops(), code.loc(), place, index.place(code), key);
    keyChain->append(code, rows, inKey, owner, link);
  });
}

/// A key without rows leaves the index.
void ChainStore::leaveIndex(HandlerBuilder &code, Value link) {
  Value key = row.key(code, rows.at(code, link));
  withKey(code, key, [&](Value owner) {
    keyChain->remove(code, rows, inKey, owner, link);
    Value first = firstOf(code, inKey, owner);
    code.when(code.compare(CompareKind::eq, first, code.constant(first.getType(), 0)),
              [&] { spl::MapEraseOp::create(code.ops(), code.loc(), index.place(code), key); });
  });
}

//===--- rows -------------------------------------------------------------------===//

void ChainStore::walk(HandlerBuilder &code, const Chain &chain, Value first, OnRow body) {
  code.follow(first, [&](Value link) {
    Value place = rows.at(code, link);
    body(place);
    return chain.next(code, place);
  });
}

void ChainStore::insert(HandlerBuilder &code, Value window, Key key, OnRow fill) {
  Value link = rows.take(code);
  fill(rows.at(code, link));
  rows.chain().append(code, rows, inWindow, window, link);
  code.increment(code.fieldRef(window, sizeAt));
  if (arrived)
    arrivalChain->append(code, rows, *arrived, rows.portPlace(code), link);
  if (key)
    enterIndex(code, key.value, link);
}

void ChainStore::drop(HandlerBuilder &code, Value window, Value link) {
  if (keyChain)
    leaveIndex(code, link);
  if (arrived)
    arrivalChain->remove(code, rows, *arrived, rows.portPlace(code), link);
  rows.chain().remove(code, rows, inWindow, window, link);
  code.increment(code.fieldRef(window, sizeAt), -1);
  rows.release(code, link);
}

void ChainStore::dropIf(HandlerBuilder &code, Value window, llvm::function_ref<Value(Value)> leaves,
                        OnRow gone) {
  code.follow(firstOf(code, inWindow, window), [&](Value link) {
    Value place = rows.at(code, link), next = rows.chain().next(code, place);
    code.when(leaves(place), [&] {
      gone(place);
      drop(code, window, link);
    });
    return next;
  });
}

void ChainStore::clear(HandlerBuilder &code, Value window) {
  code.follow(firstOf(code, inWindow, window), [&](Value link) {
    Value next = rows.chain().next(code, rows.at(code, link));
    drop(code, window, link);
    return next;
  });
}

void ChainStore::forEachCandidate(HandlerBuilder &code, Value window, Key key, OnRow body) {
  if (key)
    return withKey(code, key.value,
                   [&](Value owner) { walk(code, *keyChain, firstOf(code, inKey, owner), body); });
  walk(code, *arrivalChain, firstOf(code, *arrived, rows.portPlace(code)), body);
}

void ChainStore::whenAny(HandlerBuilder &code, Value window, OnRow body) {
  Value link = firstOf(code, *arrived, rows.portPlace(code));
  code.when(code.compare(CompareKind::ne, link, code.constant(link.getType(), 0)),
            [&] { body(rows.at(code, link)); });
}

std::unique_ptr<RowStore> match::makeChains(Row &row, window::Record &window, bool byArrival) {
  return std::make_unique<ChainStore>(row, window, byArrival);
}
