//===- Expand.cpp - spl.relational::Sort over its window ------------------===//
//
// A window keeps **rows** in a ring. A row is a tuple of the input and the keys that are not
// attributes of it; keys come first, in their order (spl.sort_rows).
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Policy.h"
#include "passes/expand/window/RingStore.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using spl::CompareKind;

/// Whether each value of sortBy is descending.
static SmallVector<bool> directions(stream::OperatorOp op, size_t keys) {
  SmallVector<bool> result;
  if (Region *order = op.param("order"))
    for (Value word : yieldOf(*order).getValues()) {
      auto text = cast<StringAttr>(word.getDefiningOp<spl::ConstOp>().getValueAttr());
      result.push_back(text.getValue() == "descending");
    }
  bool all = result.size() == 1 && result.front();
  result.resize(keys, all);
  return result;
}

namespace {
/// What a row consists of.
class Rows {
public:
  /// Adds the keys to the record of a row.
  Rows(stream::OperatorOp op, Record &record);

  /// For each key that rows begin with, whether it is descending.
  DenseBoolArrayAttr descending() const { return DenseBoolArrayAttr::get(context, directions); }
  /// One more key, behind the others, which the caller stores. Before `complete`.
  unsigned addKey(StringRef name, mlir::Type type) {
    directions.push_back(false);
    return record.add(name, type);
  }
  void complete();
  /// The values of sortBy.
  SmallVector<Value> keysOf(HandlerBuilder &code, Value tuple) const {
    return code.inlineBody(*op.param("sortBy"), tuple);
  }
  void store(HandlerBuilder &, ValueRange keys, Value tuple, Value row) const;
  void submit(HandlerBuilder &, Value row) const;

private:
  mutable stream::OperatorOp op;
  MLIRContext *context;
  Record &record;
  SmallVector<bool> directions;
  SmallVector<std::optional<unsigned>> keysAt;      // by value of sortBy; none: a value twice
  SmallVector<std::optional<unsigned>> attributeAt; // by attribute of the input
};

class SortWindow : public RingStore {
public:
  SortWindow(stream::OperatorOp op, Record &window) : RingStore(window, {}), rows(op, entry) {}
  void evictIf(HandlerBuilder &, Value, unsigned, Leaves) override { never(); }

protected:
  static void never() { llvm_unreachable("a sliding window to sort goes by count"); }
  Value rowsPlace(HandlerBuilder &code, Value window) { return ring->slots(code, window); }

  Rows rows;
};

/// A tumbling window.
class SortedAtOnce : public SortWindow {
public:
  SortedAtOnce(stream::OperatorOp op, Record &window) : SortWindow(op, window) {
    rows.complete();
    complete();
  }
  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value>) override {
    SmallVector<Value> keys = rows.keysOf(code, tuple); // may fail: first
    rows.store(code, keys, tuple, ring->push(code, window));
  }
  void submit(HandlerBuilder &code, Value window) override;
  void evictOldest(HandlerBuilder &, Value) override { never(); }
};

/// A sliding window: the first in order is at the top of a heap. A row that has left is free for
/// the next tuple.
class SortedByHeap : public SortWindow {
public:
  SortedByHeap(stream::OperatorOp op, Record &window);
  void insert(HandlerBuilder &, Value window, Value tuple, ArrayRef<Value>) override;
  Value size(HandlerBuilder &code, Value window) override {
    return code.load(code.fieldRef(window, sizeAt));
  }
  void submit(HandlerBuilder &, Value) override { never(); }
  void clear(HandlerBuilder &, Value) override { never(); }
  void evictOldest(HandlerBuilder &, Value window) override;

private:
  Value rowOf(HandlerBuilder &, Value window, Value entry);

  spl::TupleType entryType; // of the heap
  unsigned arrivalAt;       // of a row: the number of its tuple, the last key
  unsigned heapAt, sizeAt, arrivalsAt;
};
} // namespace

//===--- rows -----------------------------------------------------------------------===//

static bool isInput(Value tuple, Region &param) {
  auto argument = dyn_cast<BlockArgument>(tuple);
  return argument && argument.getOwner() == &param.front();
}

Rows::Rows(stream::OperatorOp op, Record &record)
    : op(op), context(op.getContext()), record(record),
      attributeAt(op.inputTuple(0).getTypes().size()) {
  Region &sortBy = *op.param("sortBy");
  SmallVector<Value> keys(yieldOf(sortBy).getValues());
  SmallVector<bool> wanted = ::directions(op, keys.size());
  for (auto [key, isDescending] : llvm::zip_equal(keys, wanted)) {
    auto field = key.getDefiningOp<spl::FieldOp>();
    bool isAttribute = field && isInput(field->getOperand(0), sortBy);
    if (isAttribute && attributeAt[field.getIndex()]) {
      keysAt.push_back(std::nullopt);
      continue;
    }
    unsigned at = record.add("key", key.getType());
    directions.push_back(isDescending);
    keysAt.push_back(at);
    if (isAttribute)
      attributeAt[field.getIndex()] = at;
  }
}

void Rows::complete() {
  for (auto [at, type] : llvm::zip_equal(attributeAt, op.inputTuple(0).getTypes()))
    if (!at)
      at = record.add("kept", type);
}

void Rows::store(HandlerBuilder &code, ValueRange keys, Value tuple, Value row) const {
  for (auto [at, key] : llvm::zip_equal(keysAt, keys))
    if (at)
      code.store(key, code.fieldRef(row, *at));
  for (auto [index, at] : llvm::enumerate(attributeAt))
    if (!llvm::is_contained(keysAt, at))
      code.store(code.field(tuple, index), code.fieldRef(row, *at));
}

/// The row's tuple as it came: an output clause changes nothing, and Sema warns of it (Rules.cpp).
void Rows::submit(HandlerBuilder &code, Value row) const {
  SmallVector<Value> values;
  for (std::optional<unsigned> at : attributeAt)
    values.push_back(code.load(code.fieldRef(row, *at)));
  code.submit(0, code.tuple(op.outputTuple(0), values));
}

//===--- tumbling -------------------------------------------------------------------===//

void SortedAtOnce::submit(HandlerBuilder &code, Value window) {
  MLIRContext *context = window.getContext();
  Value count = size(code, window);
  auto numbers = spl::ListType::get(context, IntegerType::get(context, 32, IntegerType::Unsigned));
  Value order = spl::SortRowsOp::create(code.ops(), code.loc(), numbers, rowsPlace(code, window),
                                        count, rows.descending());
  code.forEach(count, [&](Value at) {
    Value position = code.cast(at, numbers.getElement());
    Value row = spl::NthOp::create(code.ops(), code.loc(), numbers.getElement(), order, position);
    rows.submit(code, ring->at(code, window, code.cast(row, count.getType())));
  });
}

//===--- sliding --------------------------------------------------------------------===//

SortedByHeap::SortedByHeap(stream::OperatorOp op, Record &window) : SortWindow(op, window) {
  MLIRContext *context = op.getContext();
  mlir::Type number = ui64(context);
  arrivalAt = rows.addKey("arrival", number);
  rows.complete();
  complete();
  entryType = spl::TupleType::get(
      context, {StringAttr::get(context, "word"), StringAttr::get(context, "row")},
      {number, number});
  heapAt = window.add("heap", spl::ListType::get(context, entryType));
  sizeAt = window.add("size", number);
  arrivalsAt = window.add("arrivals", number);
}

/// The place of the row that an element of the heap is of.
Value SortedByHeap::rowOf(HandlerBuilder &code, Value window, Value entry) {
  Value element = code.nthRef(code.fieldRef(window, heapAt), entry);
  return ring->at(code, window, code.load(code.fieldRef(element, 1)));
}

void SortedByHeap::insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value>) {
  SmallVector<Value> keys = rows.keysOf(code, tuple);
  Value heap = code.fieldRef(window, heapAt), used = size(code, window);
  Value made = ring->count(code, window);
  code.when(code.compare(CompareKind::eq, used, made), [&] {
    ring->push(code, window);
    code.push(heap, code.tuple(entryType, {made, made}));
  });
  Value row = rowOf(code, window, used);
  rows.store(code, keys, tuple, row);
  code.store(code.increment(code.fieldRef(window, arrivalsAt)), code.fieldRef(row, arrivalAt));
  spl::HeapPushOp::create(code.ops(), code.loc(), heap, used, rowsPlace(code, window),
                          rows.descending());
  code.increment(code.fieldRef(window, sizeAt));
}

void SortedByHeap::evictOldest(HandlerBuilder &code, Value window) {
  Value used = size(code, window);
  rows.submit(code, rowOf(code, window, code.constant(used.getType(), 0)));
  spl::HeapPopOp::create(code.ops(), code.loc(), code.fieldRef(window, heapAt), used,
                         rowsPlace(code, window), rows.descending());
  code.increment(code.fieldRef(window, sizeAt), -1);
}

LogicalResult sluice::expandSort(stream::OperatorOp op) {
  PolicyOptions options;
  bool isHeap = op.window(0).getPlan()->getStore() == stream::Store::Heap;
  options.drains = isHeap;
  Policy policy(op, 0, op.param("partitionBy"), options);
  std::unique_ptr<Contents> window;
  if (isHeap)
    window = std::make_unique<SortedByHeap>(op, policy.record());
  else
    window = std::make_unique<SortedAtOnce>(op, policy.record());
  policy.expand(*window);
  return success();
}
