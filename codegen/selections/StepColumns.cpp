//===- StepColumns.cpp - where the columns of a step are ------------------===//
#include "codegen/selections/StepColumns.h"
#include "codegen/Layout.h"
#include "codegen/selections/Early.h"
#include "codegen/selections/Origins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

using Origins = SmallVector<int>; // by column: a column of the step's input, or -1

/// The operators from the entry of the step to the exit. Empty: there are several ways.
static SmallVector<OpInfo *> pathTo(const Selections &plan, const Exit &exit,
                                    const CallersOf &callers) {
  SmallVector<OpInfo *> path{exit.op};
  while (path.back() != plan.steps[exit.from].entry) {
    ArrayRef<Caller> from = callers.find(path.back())->second;
    if (from.size() != 1)
      return {};
    path.push_back(from[0].op);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// What comes to `next` is, of what comes to `op`.
static Origins originsTo(OpInfo &op, unsigned port, ArrayRef<int> before) {
  Origins origins = originsOf(op, 0, port);
  for (int &origin : origins)
    origin = origin < 0 ? -1 : before[origin];
  return origins;
}

/// By operator of a path: what comes to it; and last, what leaves at the exit.
static SmallVector<Origins> originsAlong(ArrayRef<OpInfo *> path, const Exit &exit,
                                         const CallersOf &callers) {
  SmallVector<Origins> along(1);
  for (unsigned i = 0; i < layout::leaves(path[0]->op.inputTuple(0)).size(); ++i)
    along[0].push_back(i);
  for (auto [i, op] : llvm::enumerate(path)) {
    unsigned port = i + 1 < path.size() ? callers.find(path[i + 1])->second[0].outPort : exit.port;
    along.push_back(originsTo(*op, port, along.back()));
  }
  return along;
}

static Origins originsOf(const Selections &plan, const Exit &exit, const CallersOf &callers) {
  SmallVector<OpInfo *> path = pathTo(plan, exit, callers);
  if (path.empty())
    return Origins(layout::leaves(plan.steps[exit.to].tuple()).size(), -1);
  return originsAlong(path, exit, callers).back();
}

/// By column of what leaves at an exit: the column of the batch that it is; kArray: it is in its
/// array; kElsewhere.
static constexpr int kElsewhere = -2;
static SmallVector<int> sourcesOf(const Selections &plan, const Exit &exit,
                                  const CallersOf &callers) {
  const Step &from = plan.steps[exit.from];
  SmallVector<int> sources;
  Origins origins = originsOf(plan, exit, callers);
  origins.resize(layout::leaves(plan.steps[exit.to].tuple()).size(), -1); // if it never submits
  for (auto [column, origin] : llvm::enumerate(origins)) {
    int there = origin < 0 ? kElsewhere : from.columns[origin];
    sources.push_back(there == Step::kArray && origin != int(column) ? kElsewhere : there);
  }
  return sources;
}

/// A column is one of the batch where it is that on all ways.
static std::string findColumns(Selections &plan, Step &step, const CallersOf &callers) {
  auto columns = layout::batchLayout(step.tuple()).columns;
  SmallVector<SmallVector<int>> sources;
  for (unsigned exit : step.exits)
    sources.push_back(sourcesOf(plan, plan.exits[exit], callers));
  plan.strides.resize(std::max(plan.strides.size(), columns.size()));
  for (auto [i, column] : llvm::enumerate(columns)) {
    int first = sources[0][i];
    bool same = llvm::all_of(sources, [&](const auto &source) { return source[i] == first; });
    step.columns.push_back(same && first >= 0 ? first : Step::kArray);
    if (step.columns[i] == Step::kArray)
      plan.strides[i] =
          std::max(plan.strides[i], llvm::alignTo(column.size, layout::alignOf(column.type)));
  }
  for (auto [number, source] : llvm::zip_equal(step.exits, sources)) {
    Exit &exit = plan.exits[number];
    exit.stores.resize(columns.size());
    exit.copies.resize(columns.size());
    for (unsigned i = 0; i < columns.size(); ++i) {
      if (step.columns[i] != Step::kArray || source[i] == Step::kArray)
        continue;
      exit.stores.set(i);
      if (source[i] == kElsewhere && !layout::isPlain(columns[i].type))
        exit.copies.set(i);
    }
    if (exit.copies.none())
      continue;
    plan.mayAllocate = true;
    if (llvm::any_of(plan.stepOf, [&](const auto &each) {
          return each.second == exit.from && releasesBehindSubmit(*each.first);
        }))
      return exit.op->op.label() + ": strings or collections that leave there are made in a loop";
  }
  return "";
}

std::string sluice::findColumns(Selections &plan, const CallersOf &callers) {
  for (unsigned i = 0; i < layout::leaves(plan.steps[0].tuple()).size(); ++i)
    plan.steps[0].columns.push_back(i);
  for (Step &step : llvm::drop_begin(plan.steps))
    if (std::string why = ::findColumns(plan, step, callers); !why.empty())
      return why;
  return "";
}

//===--- dense copies ---------------------------------------------------------===//

/// Marks those leaves of `value` that are used for more than to be handed on.
static void markReads(Value value, ArrayRef<int> leaves, llvm::SmallBitVector &reads) {
  for (Operation *user : value.getUsers()) {
    auto field = dyn_cast<spl::FieldOp>(user);
    auto make = dyn_cast<spl::MakeTupleOp>(user);
    if (auto record = field ? dyn_cast<spl::TupleType>(value.getType()) : spl::TupleType()) {
      unsigned first = 0;
      for (mlir::Type before : record.getTypes().take_front(field.getIndex()))
        first += leafCount(before);
      markReads(field.getResult(), leaves.slice(first, leafCount(field.getType())), reads);
    } else if (!isa<SubmitOp>(user) &&
               !(make && llvm::all_of(make->getUsers(), llvm::IsaPred<SubmitOp>))) {
      for (int leaf : leaves)
        if (leaf >= 0)
          reads.set(leaf);
    }
  }
}

static bool isDense(const Selections &plan, unsigned number, ArrayRef<const Exit *> exits,
                    ArrayRef<OpInfo *> path) {
  unsigned members = llvm::count_if(plan.stepOf, [&](auto &each) { return each.second == number; });
  return number > 0 && exits.size() == 1 && exits[0]->always && path.size() == members;
}

void sluice::findDense(Selections &plan, const CallersOf &callers) {
  for (auto [number, step] : llvm::enumerate(plan.steps)) {
    if (!step.sideBySide)
      continue;
    SmallVector<const Exit *> exits;
    for (const Exit &exit : plan.exits)
      if (exit.from == number)
        exits.push_back(&exit);
    SmallVector<OpInfo *> path;
    if (exits.size() == 1)
      path = pathTo(plan, *exits[0], callers);
    step.sideBySide = isDense(plan, number, exits, path);
    if (!step.sideBySide)
      continue;
    step.reads.resize(step.columns.size());
    SmallVector<Origins> along = originsAlong(path, *exits[0], callers);
    for (auto [op, origins] : llvm::zip(path, along))
      markReads(op->op.onTuple(0)->getArgument(0), origins, step.reads);
    for (auto [column, origin] : llvm::enumerate(along.back()))
      if (origin >= 0 && exits[0]->stores.test(column))
        step.reads.set(origin);
    for (auto [i, column] : llvm::enumerate(layout::batchLayout(step.tuple()).columns))
      if (step.reads.test(i))
        plan.strides[i] =
            std::max(plan.strides[i], llvm::alignTo(column.size, layout::alignOf(column.type)));
  }
}
