//===- Selections.cpp - segments that run batches step by step ------------===//
#include "codegen/selections/Selections.h"
#include "codegen/Layout.h"
#include "codegen/segments/Allocation.h"
#include "codegen/segments/InPlace.h"
#include "codegen/selections/Early.h"
#include "codegen/selections/Origins.h"
#include "codegen/selections/StepColumns.h"
#include "passes/analyze/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// What loops have to save by rows side by side, in ns a row: a step costs a few for itself.
static constexpr double kWorthwhile = 16;
/// A block takes no longer than this, in ns, where that leaves enough rows for vectors.
static constexpr double kLongest = 10e6;
static constexpr unsigned kMostRows = 1024, kFewestRows = 256;
/// Memory of a block: it is on the stack, and had better be in the cache.
static constexpr uint64_t kMostBytes = 256 << 10;

spl::TupleType Step::tuple() const {
  return forwards ? entry->op.outputTuple(*forwards) : entry->op.inputTuple(0);
}

const Exit *Selections::exit(const OpInfo &op, unsigned port) const {
  auto found = llvm::find_if(exits, [&](const Exit &e) { return e.op == &op && e.port == port; });
  return found == exits.end() ? nullptr : &*found;
}

uint64_t Selections::at(Array array, unsigned number) const {
  auto aligned = [](uint64_t bytes) { return llvm::alignTo(bytes, 64); };
  uint64_t marks = aligned(8 * (lists + kCounters)), first = marks + aligned(rows / 8),
           list = aligned(2 * rows);
  uint64_t columns = first + lists * list, all = 0, before = 0;
  for (auto [column, stride] : llvm::enumerate(strides)) {
    all += aligned(stride * rows);
    before += column < number ? aligned(stride * rows) : 0;
  }
  switch (array) {
  case Array::Counts:
    return 0;
  case Array::Marks:
    return marks;
  case Array::List:
    return first + number * list;
  case Array::Column:
    return columns + before;
  case Array::Dense:
    return columns + all + before;
  }
}

namespace {
class Planner {
public:
  Planner(GraphInfo &info, OpInfo &head, ArrayRef<Cost> costs, ModuleOp module)
      : info(info), head(head), costs(costs), module(module) {}
  SelectionChoice plan();

private:
  bool loops(OpInfo &op) const {
    const Cost &cost = costs[op.index];
    return cost.sideBySide && cost.saved > 0;
  }
  void sortMembers();
  bool beginsStep(OpInfo &op);
  void findSteps();
  bool isWorthIt() const;
  std::string whySeen(OpInfo &op);
  std::string moveSeenToEnd();
  void findExits();
  bool isAlways(const Exit &exit);
  void numberLists();
  std::string findFailures();
  void countWays();
  bool fits();

  GraphInfo &info;
  OpInfo &head;
  ArrayRef<Cost> costs;
  ModuleOp module;
  SmallVector<OpInfo *> members; // those that call come first
  llvm::DenseMap<OpInfo *, SmallVector<Caller>> callers;
  llvm::DenseSet<OpInfo *> leadsToLoops; // it loops, or what its tuples reach does
  Selections found;
};
} // namespace

//===--- steps ----------------------------------------------------------------===//

void Planner::sortMembers() {
  SmallVector<OpInfo *> all = info.segment(head);
  for (OpInfo *op : all)
    callers[op] = op == &head ? SmallVector<Caller>() : info.callers(*op);
  llvm::DenseSet<OpInfo *> done;
  while (members.size() < all.size())
    for (OpInfo *op : all)
      if (!done.contains(op) &&
          llvm::all_of(callers[op], [&](Caller from) { return done.contains(from.op); })) {
        members.push_back(op);
        done.insert(op);
      }
  for (OpInfo *op : llvm::reverse(members)) {
    if (loops(*op))
      leadsToLoops.insert(op);
    if (leadsToLoops.contains(op))
      for (Caller from : callers[op])
        leadsToLoops.insert(from.op);
  }
}

/// Where rows of different steps come together; around operators that loop; and where rows that
/// take different ways may come to such.
bool Planner::beginsStep(OpInfo &op) {
  ArrayRef<Caller> from = callers[&op];
  if (from.empty())
    return true;
  unsigned step = found.stepOf[from[0].op];
  if (llvm::any_of(from, [&](Caller each) { return found.stepOf[each.op] != step; }) ||
      loops(*from[0].op) != loops(op))
    return true;
  return leadsToLoops.contains(&op) && (from.size() > 1 || !from[0].op->op.onTuple(0) ||
                                        !submitsAlways(*from[0].op, from[0].outPort));
}

void Planner::findSteps() {
  auto begin = [&](OpInfo *op) -> Step & {
    Step &step = found.steps.emplace_back();
    step.entry = op;
    return step;
  };
  for (OpInfo *op : members) {
    bool begins = beginsStep(*op);
    found.stepOf[op] = begins ? found.steps.size() : found.stepOf[callers[op][0].op];
    if (begins)
      begin(op);
  }
  // What loops goes into batches in a step of its own: payload is copied there.
  for (OpInfo *op : members)
    for (unsigned port = 0; port < op->op.getOutputs().size(); ++port)
      if (loops(*op) && info.hasBatch(*op, port))
        begin(op).forwards = port;
}

bool Planner::isWorthIt() const {
  SmallVector<double> saved(found.steps.size());
  for (OpInfo *op : members)
    if (loops(*op))
      saved[found.stepOf.lookup(op)] += costs[op->index].saved;
  return saved.size() > 1 && *llvm::max_element(saved) >= kWorthwhile;
}

/// Why only the last step may have the operator.
std::string Planner::whySeen(OpInfo &op) {
  for (unsigned port = 0; port < op.op.getOutputs().size(); ++port)
    if (info.hasBatch(op, port) && !loops(op))
      return "what it submits leaves the segment";
  return whyNotEarly(info, op, module);
}

/// The only step with what can be seen becomes the last one. Returns why it cannot.
std::string Planner::moveSeenToEnd() {
  std::optional<unsigned> seen;
  std::string first;
  for (OpInfo *op : members) {
    unsigned step = found.stepOf[op];
    std::string why = step == seen ? "" : whySeen(*op);
    if (why.empty())
      continue;
    if (seen)
      return first;
    seen = step;
    first = op->op.label() + ": " + why;
  }
  for (unsigned step = 0; step < found.steps.size(); ++step)
    if (found.steps[step].forwards) {
      if (seen)
        return first.empty() ? "tuples leave the segment at several places" : first;
      seen = step;
    }
  if (!seen)
    return "";
  for (OpInfo *op : members)
    for (Caller from : callers[op])
      if (found.stepOf[from.op] == seen && found.stepOf[op] != seen)
        return first;
  for (OpInfo *op : members) {
    unsigned &step = found.stepOf[op];
    step = step == seen ? found.steps.size() - 1 : step - (step > *seen);
  }
  std::rotate(found.steps.begin() + *seen, found.steps.begin() + *seen + 1, found.steps.end());
  return "";
}

//===--- exits ----------------------------------------------------------------===//

/// Whether each row of the step comes to the exit.
bool Planner::isAlways(const Exit &exit) {
  OpInfo *op = exit.op;
  unsigned port = exit.port;
  while (submitsAlways(*op, port)) {
    if (op == found.steps[exit.from].entry)
      return true;
    if (callers[op].size() > 1)
      return false;
    std::tie(op, port) = std::make_pair(callers[op][0].op, callers[op][0].outPort);
  }
  return false;
}

void Planner::findExits() {
  auto add = [&](OpInfo *op, unsigned port, unsigned to) {
    Exit exit{op, port, found.stepOf[op], to, false, {}, {}};
    exit.always = isAlways(exit);
    found.steps[to].exits.push_back(found.exits.size());
    found.exits.push_back(exit);
  };
  for (OpInfo *op : members)
    for (unsigned port = 0; port < op->op.getOutputs().size(); ++port)
      for (const Consumer &to : info.consumers(*op, port))
        if (to.edge == Edge::Call && found.stepOf[to.op] != found.stepOf[op])
          add(op, port, found.stepOf[to.op]);
  if (Step &last = found.steps.back(); last.forwards)
    add(last.entry, *last.forwards, found.steps.size() - 1);
}

void Planner::numberLists() {
  for (Exit &exit : found.exits)
    if (!exit.always)
      exit.list = found.lists++;
  for (Step &step : found.steps)
    if (step.exits.size() > 1)
      step.list = found.lists++;
}

/// As if each exit of a step had as many rows as the others.
void Planner::countWays() {
  SmallVector<double> share(found.steps.size());
  share[0] = 1;
  for (unsigned step = 0; step < found.steps.size(); ++step) {
    double exits = llvm::count_if(found.exits, [&](const Exit &exit) { return exit.from == step; });
    for (const Exit &exit : found.exits)
      if (exit.from == step)
        share[exit.to] += exit.always ? share[step] : share[step] / exits;
    if (found.steps[step].sideBySide)
      found.ways = std::max(found.ways, unsigned(std::lround(1 / share[step])));
  }
}

/// A failure is told of when all rows before it have left the segment. What is known of it until
/// then, the thread forgets when it catches another one.
std::string Planner::findFailures() {
  Allocation allocation(&info);
  bool catches = llvm::any_of(info.operators(), [](auto &op) { return op->op.getIsCatch(); });
  for (OpInfo *op : members) {
    if (!found.isEarly(*op))
      continue;
    found.mayAllocate |= allocation.mayAllocate(*op->op.onTuple(0));
    if (!mayFail(*op, module))
      continue;
    if (catches)
      return op->op.label() + ": it may fail, and other failures are caught";
    found.mayFail = found.steps[found.stepOf[op]].mayFail = true;
  }
  return "";
}

//===--- the whole ------------------------------------------------------------===//

/// Chooses the number of rows of a block.
bool Planner::fits() {
  double cost = 0;
  for (OpInfo *op : members)
    cost += costs[op->index].nanos;
  found.rows = found.mayAllocate ? kFewestRows : kMostRows;
  while (found.rows > kFewestRows && (found.bytes() > kMostBytes || found.rows * cost > kLongest))
    found.rows /= 2;
  return found.bytes() <= kMostBytes;
}

SelectionChoice Planner::plan() {
  if (head.native >= 0 || head.op.inputPorts() != 1 || !head.op.isHead(0) || head.op.takesBatches())
    return {};
  sortMembers();
  findSteps();
  if (!isWorthIt())
    return {};
  if (head.op.sharing() == Sharing::ByKey)
    return {std::nullopt, head.op.label() + ": key shards may run its rows"};
  if (std::string why = moveSeenToEnd(); !why.empty())
    return {std::nullopt, why};
  for (const Step &step : found.steps)
    if (step.entry->op.inputPorts() > 1)
      return {std::nullopt, step.entry->op.label() + ": tuples come to several ports of it"};
  findExits();
  numberLists();
  if (std::string why = findFailures(); !why.empty())
    return {std::nullopt, why};
  if (std::string why = findColumns(found, callers); !why.empty())
    return {std::nullopt, why};
  for (Step &step : found.steps)
    step.sideBySide = loops(*step.entry) && !step.forwards;
  findDense(found, callers);
  countWays();
  if (!fits())
    return {std::nullopt, "there are too many ways for one block of rows"};
  return {std::move(found), ""};
}

llvm::DenseMap<Operation *, std::string> sluice::explainSteps(ModuleOp module) {
  llvm::DenseSet<Operation *> inPlace = inPlaceHeads(module);
  llvm::DenseMap<Operation *, std::string> found;
  const Counted counted(module);
  for (auto graph : module.getOps<GraphOp>()) {
    GraphInfo info(graph);
    SmallVector<Cost> costs = segmentCosts(info, module);
    for (auto &op : info.operators())
      op->counted = counted(op->op);
    for (auto &op : info.operators()) {
      if (inPlace.contains(op->op))
        continue;
      auto [plan, why] = planSelections(info, *op, costs, module);
      if (plan)
        found[op->op] = llvm::formatv(
            "{0} steps over selected rows, {1} with rows side by side", plan->steps.size(),
            llvm::count_if(plan->steps, [](const Step &step) { return step.sideBySide; }));
      else if (!why.empty())
        found[op->op] = "not in steps over selected rows: " + why;
    }
  }
  return found;
}

SelectionChoice sluice::planSelections(GraphInfo &info, OpInfo &head, ArrayRef<Cost> costs,
                                       ModuleOp module) {
  return Planner(info, head, costs, module).plan();
}
