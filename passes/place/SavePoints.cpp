//===- SavePoints.cpp - sources that can be stopped and gone on with -------===//
//
// A save point divides a block. What is behind it is entered from two sides: from what is in front
// of it, and, in a program that goes on from a checkpoint, from the beginning of the process, where
// what was stored is loaded. So each value that is used behind a save point and made in front of it
// has several definitions then; MergeValues brings them together.
//
//===----------------------------------------------------------------------===//
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "passes/Passes.h"
#include "passes/place/MergeValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <string>

namespace sluice {
#define GEN_PASS_DEF_STREAMINSERTSAVEPOINTS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
/// A save point, between two blocks.
struct SavePoint {
  bool waits = false;
  Block *before = nullptr, *behind = nullptr;
  Operation *first = nullptr; // of those behind it
  SmallVector<Value> live;    // values that are needed behind it
};

/// The process of one source.
class Process {
public:
  Process(OperatorOp op, Region &body)
      : op(op), body(body), b(op.getContext()), number(b.getIntegerType(32, /*isSigned=*/true)) {}
  /// Returns how many save points it has now.
  unsigned insert();

private:
  void moveVariables();
  void liftConstants();
  void findPoints();
  void findLive();
  Value newPlace(StringRef name, mlir::Type type);
  Value stored(Value value);
  void store(SavePoint &point, unsigned index);
  void resume(SavePoint &point, unsigned index, MergeValues &merge);
  void dispatch();
  Location loc() { return op.getLoc(); }

  OperatorOp op;
  Region &body;
  OpBuilder b;
  mlir::Type number;
  unsigned states = 0;
  StateOp lastState;      // of the operator, or null
  Block *entry = nullptr; // where values begin that are the same in each run
  Block *begin = nullptr; // behind it, where the process begins if it does not go on
  Value place;            // of the number of the save point at which it is, from 1; 0: at none
  std::vector<SavePoint> points;
  DenseMap<Value, Value> places; // where a value is stored, by value
  SmallVector<Block *> resumed;  // by point
};
} // namespace

/// A new state variable of the operator, as a place in the entry block.
Value Process::newPlace(StringRef name, mlir::Type type) {
  OpBuilder::InsertionGuard guard(b);
  if (lastState)
    b.setInsertionPointAfter(lastState);
  else
    b.setInsertionPoint(body.getParentOp());
  lastState = StateOp::create(b, loc(), name, type);
  b.setInsertionPointToStart(entry);
  auto ref = spl::RefType::get(b.getContext(), type);
  return spl::StateOp::create(b, loc(), ref, name, states++);
}

/// Variables outlive the process.
void Process::moveVariables() {
  for (auto variable : llvm::make_early_inc_range(body.getOps<spl::VarOp>())) {
    auto ref = cast<spl::RefType>(variable.getType());
    variable.replaceAllUsesWith(newPlace(variable.getName(), ref.getElement()));
    variable.erase();
  }
}

/// What is the same in each run needs no saving.
void Process::liftConstants() {
  SmallVector<Operation *> constants;
  body.walk([&](Operation *o) {
    bool isSame = o->hasTrait<mlir::OpTrait::ConstantLike>() || isa<spl::StateOp>(o);
    if (isSame && o->getNumOperands() == 0)
      constants.push_back(o);
  });
  for (Operation *constant : llvm::reverse(constants))
    constant->moveBefore(entry, entry->begin());
}

static bool mayWait(Operation &o) {
  auto native = dyn_cast<spl::NativeOp>(o);
  return isa<WaitOp>(o) || (native && native.is(spl::CallTrait::waits));
}

/// Divides blocks at save points.
void Process::findPoints() {
  SmallVector<std::pair<Operation *, bool>> found; // what is behind it; whether that waits
  for (Block &block : body)
    for (Operation &o : block) {
      if (auto submit = dyn_cast<SubmitOp>(o); submit && !submit.getInRoom())
        found.emplace_back(o.getNextNode(), false);
      else if (isa<IsShutdownOp>(o) || mayWait(o))
        found.emplace_back(&o, !isa<IsShutdownOp>(o));
    }
  for (auto [first, waits] : found) {
    Block *before = first->getBlock(), *behind = before->splitBlock(first);
    points.push_back({waits, before, behind, first, {}});
    b.setInsertionPointToEnd(before);
    cf::BranchOp::create(b, loc(), behind);
  }
}

/// Positions of the arena are taken anew; what else is not a value cannot be saved.
static bool isSaved(Value value) { return !isa<spl::ArenaCheckpointType>(value.getType()); }

void Process::findLive() {
  Liveness liveness(body.getParentOp());
  for (SavePoint &point : points)
    for (Value value : liveness.getLiveIn(point.behind))
      if (value.getParentRegion() == &body && value.getParentBlock() != entry)
        point.live.push_back(value);
  // A reference into a collection is no value: the source does not stop there.
  llvm::erase_if(points, [](const SavePoint &point) {
    return llvm::any_of(point.live, [](Value v) { return isa<spl::RefType>(v.getType()); });
  });
  for (SavePoint &point : points) { // in an order that does not depend on addresses
    DenseMap<Block *, unsigned> numbers;
    for (Block &block : body)
      numbers[&block] = numbers.size();
    auto key = [&](Value v) {
      auto arg = dyn_cast<BlockArgument>(v);
      unsigned at = arg ? arg.getArgNumber() : 0;
      if (Operation *o = v.getDefiningOp())
        at = 1000 + std::distance(v.getParentBlock()->begin(), o->getIterator());
      return std::make_pair(numbers[v.getParentBlock()], at);
    };
    llvm::sort(point.live, [&](Value x, Value y) { return key(x) < key(y); });
  }
}

Value Process::stored(Value value) {
  Value &at = places[value];
  if (!at)
    at = newPlace("$" + std::to_string(places.size()), value.getType());
  return at;
}

/// The way aside on which a source stores what it needs.
void Process::store(SavePoint &point, unsigned index) {
  auto *aside = new Block;
  body.getBlocks().insert(point.behind->getIterator(), aside);
  b.setInsertionPoint(point.before->getTerminator());
  Value due = SaveDueOp::create(b, loc(), b.getI1Type(), point.waits);
  point.before->getTerminator()->erase();
  b.setInsertionPointToEnd(point.before);
  cf::CondBranchOp::create(b, loc(), due, aside, ValueRange(), point.behind, ValueRange());
  b.setInsertionPointToEnd(aside);
  for (Value value : point.live)
    if (isSaved(value))
      spl::StoreOp::create(b, loc(), value, stored(value));
  Value at = spl::ConstOp::create(b, loc(), number, b.getI64IntegerAttr(index + 1));
  spl::StoreOp::create(b, loc(), at, place);
  SavePointOp::create(b, loc(), point.waits ? stream::SaveStep::Wait : stream::SaveStep::Stay);
  cf::BranchOp::create(b, loc(), point.behind);
  if (point.waits) {
    b.setInsertionPointAfter(point.first);
    SavePointOp::create(b, loc(), stream::SaveStep::Go);
  }
}

/// The way to the point in a program that goes on from a checkpoint. One that was about to wait
/// says so again.
void Process::resume(SavePoint &point, unsigned index, MergeValues &merge) {
  Block *block = resumed[index];
  b.setInsertionPointToEnd(block);
  SmallVector<Value> now;
  for (Value value : point.live) {
    if (!isSaved(value))
      continue;
    // What is in the place changes at the next save point.
    Value loaded = spl::LoadOp::create(b, loc(), places[value]);
    merge.define(value, block, spl::CopyOp::create(b, loc(), value.getType(), loaded));
  }
  // Behind the copies, so that none is released with what is made later.
  for (Value value : point.live)
    if (!isSaved(value))
      merge.define(value, block, spl::ArenaCheckpointOp::create(b, loc()));
  if (point.waits)
    SavePointOp::create(b, loc(), stream::SaveStep::Wait);
  cf::BranchOp::create(b, loc(), point.behind);
}

/// At the beginning: jumps to the point that the state names.
void Process::dispatch() {
  b.setInsertionPointToEnd(entry);
  Value at = spl::LoadOp::create(b, loc(), place);
  for (unsigned i = 0; i < points.size(); ++i) {
    Block *next = begin;
    if (i + 1 < points.size())
      body.getBlocks().insert(begin->getIterator(), next = new Block);
    Value here = spl::ConstOp::create(b, loc(), number, b.getI64IntegerAttr(i + 1));
    Value isHere = spl::CompareOp::create(b, loc(), spl::CompareKind::eq, at, here);
    cf::CondBranchOp::create(b, loc(), isHere, resumed[i], ValueRange(), next, ValueRange());
    b.setInsertionPointToEnd(next);
  }
}

/// A name for the place that changes with the code, as another code has other save points. Values
/// are numbered from the beginning of the process: what else the program has does not count.
static std::string nameOfPlace(Operation *process) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OwningOpRef<Operation *> alone(process->clone());
  alone->print(stream, OpPrintingFlags().assumeVerified().useLocalScope());
  return "$point " + llvm::utohexstr(llvm::xxh3_64bits(text));
}

unsigned Process::insert() {
  const std::string name = nameOfPlace(body.getParentOp());
  begin = &body.front();
  body.push_front(entry = new Block);
  for (StateOp state : op.getBody().getOps<StateOp>())
    lastState = state, ++states;
  moveVariables();
  liftConstants();
  findPoints();
  findLive();
  b.setInsertionPointToEnd(entry);
  if (points.empty())
    return cf::BranchOp::create(b, loc(), begin), 0;
  place = newPlace(name, number);
  MergeValues merge(body);
  for (unsigned i = 0; i < points.size(); ++i) {
    body.push_back(resumed.emplace_back(new Block));
    store(points[i], i);
    resume(points[i], i, merge);
  }
  dispatch();
  merge.rewrite();
  return points.size();
}

namespace {
struct StreamInsertSavePoints : sluice::impl::StreamInsertSavePointsBase<StreamInsertSavePoints> {
  void runOnOperation() override {
    for (GraphOp graph : getOperation().getOps<GraphOp>())
      for (OperatorOp op : graph.getBody().getOps<OperatorOp>())
        if (Region *process = op.onProcess())
          points += Process(op, *process).insert();
  }
};
} // namespace
