//===- History.cpp - tuples that came before, as state --------------------===//
//
// A ring holds the tuples of a port: a list whose size is a power of two, and the number of tuples
// that have come, which is, modulo the size, the slot of the current one. So no slot that a handler
// reads changes before the handler ends.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Record.h"
#include "llvm/Support/MathExtras.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMKEEPHISTORY
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
/// The history of one port.
class History {
public:
  History(OperatorOp op, OnTupleOp handler, ArrayRef<HistoryOp> reads);
  void expand();

private:
  void findReads();
  void read(HistoryOp, Value arrivals);
  Value slot(HandlerBuilder &, Value arrival);

  OperatorOp op;
  OnTupleOp handler;
  ArrayRef<HistoryOp> reads;
  SmallVector<std::optional<unsigned>> at; // by attribute of the tuple: that of a slot
  std::optional<AddedState> ring, count;
  uint64_t slots = 0;
};
} // namespace

History::History(OperatorOp op, OnTupleOp handler, ArrayRef<HistoryOp> reads)
    : op(op), handler(handler), reads(reads) {
  MLIRContext *context = op.getContext();
  auto tuple = op.inputTuple(handler.getPort());
  at.resize(tuple.getTypes().size());
  findReads();
  window::Record record(context);
  for (auto [name, type, place] : llvm::zip_equal(tuple.getNames(), tuple.getTypes(), at))
    if (place)
      place = record.add(name.getValue(), type);
  unsigned most = 0;
  for (HistoryOp read : reads)
    most = std::max(most, read.getBack());
  slots = llvm::PowerOf2Ceil(most + 1);
  std::string number = std::to_string(handler.getPort());
  auto list = spl::ListType::get(context, record.type());
  ring.emplace(op, "history" + number, "the history of input " + number, list);
  count.emplace(op, "arrivals" + number, "the number of arrivals at input " + number,
                window::ui64(context));
  HandlerBuilder code(op.getLoc(), ring->init(), {});
  Value empty = spl::DefaultListOp::create(code.ops(), code.loc(), list, slots);
  YieldOp::create(code.ops(), code.loc(), empty);
}

/// Marks the attributes that somebody reads.
void History::findReads() {
  for (HistoryOp read : reads)
    for (Operation *user : read->getUsers()) {
      if (auto field = dyn_cast<spl::FieldOp>(user))
        at[field.getIndex()] = 0;
      else
        std::fill(at.begin(), at.end(), 0);
    }
}

Value History::slot(HandlerBuilder &code, Value arrival) {
  Value mask = code.constant(arrival.getType(), slots - 1);
  return code.nthRef(ring->place(code), code.binary(spl::BinaryKind::bit_and, arrival, mask));
}

/// Attributes are loaded one by one, and only those that are read.
void History::read(HistoryOp read, Value arrivals) {
  HandlerBuilder code(read);
  Value place = slot(code, code.sub(arrivals, code.constant(arrivals.getType(), read.getBack())));
  auto load = [&](unsigned attribute) { return code.load(code.fieldRef(place, *at[attribute])); };
  for (Operation *user : llvm::make_early_inc_range(read->getUsers()))
    if (auto field = dyn_cast<spl::FieldOp>(user)) {
      field.replaceAllUsesWith(load(field.getIndex()));
      field.erase();
    }
  if (!read->use_empty()) {
    SmallVector<Value> values;
    for (unsigned attribute = 0; attribute < at.size(); ++attribute)
      values.push_back(load(attribute));
    read.replaceAllUsesWith(code.tuple(read.getType(), values));
  }
  read.erase();
}

void History::expand() {
  Block &entry = handler.getBody().front();
  HandlerBuilder code(&entry.front());
  Value arrivals = code.increment(count->place(code)), place = slot(code, arrivals);
  for (auto [attribute, index] : llvm::enumerate(at))
    if (index)
      code.store(code.field(entry.getArgument(0), attribute), code.fieldRef(place, *index));
  for (HistoryOp read : reads)
    this->read(read, arrivals);
}

namespace {
struct KeepHistory : sluice::impl::StreamKeepHistoryBase<KeepHistory> {
  void runOnOperation() override {
    SmallVector<OnTupleOp> handlers;
    getOperation().walk([&](OnTupleOp handler) { handlers.push_back(handler); });
    for (OnTupleOp handler : handlers) {
      SmallVector<HistoryOp> reads;
      handler.walk([&](HistoryOp read) {
        if (read.getPort() == handler.getPort())
          reads.push_back(read);
      });
      if (reads.empty())
        continue;
      History(handler->getParentOfType<OperatorOp>(), handler, reads).expand();
      ++rings;
    }
  }
};
} // namespace
