//===- Summary.cpp - the output functions of a window ---------------------===//
#include "passes/expand/summary/Summary.h"
#include "passes/expand/OperatorExpansion.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

Summary::Summary(stream::OperatorOp op)
    : op(op), output(op.output(0)), summaryRecord(op.getContext()), valueRecord(op.getContext()) {
  collectFunctions();
  collectKept();
}

//===--- what is kept ---------------------------------------------------------------===//

/// Whether two regions compute the same from the tuple.
static bool sameRegion(Region &a, Region &b) {
  return OperationEquivalence::isRegionEquivalentTo(&a, &b, OperationEquivalence::IgnoreLocations);
}

void Summary::collectFunctions() {
  for (auto item : op.getBody().getOps<stream::AggregateOp>()) {
    auto equal = llvm::find_if(functions, [&](const Function &other) {
      return other.algebra == item.getAlgebra() &&
             sameRegion(other.op->getRegion(0), item.getArguments());
    });
    byNumber.push_back(equal - functions.begin());
    if (equal != functions.end()) // `Sum(a) / Count(), Sum(b) / Count()` counts once
      continue;
    Function function{item, item.getAlgebra(), 0, {}};
    function.stateAt = summaryRecord.add("state", function.algebra.getState());
    auto same = llvm::find_if(functions, [&](const Function &other) {
      return sameRegion(other.op->getRegion(0), item.getArguments());
    });
    if (same != functions.end())
      function.valuesAt = same->valuesAt;
    else
      for (Value value : yieldOf(item.getArguments()).getValues())
        function.valuesAt.push_back(valueRecord.add("value", value.getType()));
    functions.push_back(std::move(function));
  }
}

/// The attributes of the input that a region reads of its tuple.
static void collectReads(Region &region, unsigned attributes, llvm::SetVector<unsigned> &reads) {
  if (region.getNumArguments() == 0)
    return;
  for (Operation *user : region.getArgument(0).getUsers())
    if (auto field = dyn_cast<spl::FieldOp>(user))
      reads.insert(field.getIndex());
    else
      for (unsigned i = 0; i < attributes; ++i)
        reads.insert(i);
}

void Summary::collectKept() {
  auto tuple = op.inputTuple(0);
  unsigned attributes = tuple.getTypes().size();
  llvm::SetVector<unsigned> last, every;
  if (output)
    collectReads(*output, attributes, last);
  else
    for (unsigned i = 0; i < attributes; ++i)
      last.insert(i);
  for (auto fold : op.getBody().getOps<stream::FoldOp>())
    collectReads(fold.getStep(), attributes, every);
  every.insert(last.begin(), last.end());
  for (unsigned attribute : every) {
    mlir::Type type = tuple.getTypes()[attribute];
    Kept keep{attribute, ~0u, valueRecord.add("kept", type)};
    if (last.contains(attribute))
      keep.summaryAt = summaryRecord.add("last", type);
    kept.push_back(keep);
  }
}

bool Summary::asks(spl::WindowCount what) const {
  bool found = false;
  if (output)
    output->walk([&](spl::OutputFnOp fn) { found |= fn.getCounts() == what; });
  return found;
}

//===--- one tuple ------------------------------------------------------------------===//

Arguments Summary::arguments(HandlerBuilder &code, Value tuple) const {
  Arguments result;
  for (auto [index, function] : llvm::enumerate(functions)) {
    auto same = llvm::find_if(
        functions, [&](const Function &other) { return other.valuesAt == function.valuesAt; });
    unsigned first = same - functions.begin();
    result.push_back(
        first < index ? result[first]
                      : code.inlineBody(const_cast<Function &>(function).op.getArguments(), tuple));
  }
  return result;
}

void Summary::storeValues(HandlerBuilder &code, const Arguments &arguments, Value tuple,
                          Value place) const {
  llvm::SmallSet<unsigned, 8> stored;
  for (auto [function, values] : llvm::zip_equal(functions, arguments))
    for (auto [at, value] : llvm::zip_equal(function.valuesAt, values))
      if (stored.insert(at).second)
        code.store(value, code.fieldRef(place, at));
  for (const Kept &keep : kept)
    code.store(code.field(tuple, keep.attribute), code.fieldRef(place, keep.valuesAt));
}

Arguments Summary::loadArguments(HandlerBuilder &code, Value place) const {
  Arguments result;
  for (const Function &function : functions)
    result.push_back(llvm::map_to_vector(function.valuesAt, [&](unsigned at) -> Value {
      return code.load(code.fieldRef(place, at));
    }));
  return result;
}

Value Summary::tupleFrom(HandlerBuilder &code, Value place, unsigned Kept::*at) const {
  auto type = op.inputTuple(0);
  SmallVector<Value> values(type.getTypes().size());
  for (const Kept &keep : kept)
    if (keep.*at != ~0u)
      values[keep.attribute] = code.load(code.fieldRef(place, keep.*at));
  for (auto [value, attribute] : llvm::zip_equal(values, type.getTypes()))
    if (!value)
      value = code.zero(attribute);
  return code.tuple(type, values);
}

Value Summary::loadTuple(HandlerBuilder &code, Value place) const {
  return tupleFrom(code, place, &Kept::valuesAt);
}

//===--- a summary --------------------------------------------------------------------===//

void Summary::call(HandlerBuilder &code, FlatSymbolRefAttr callee, ValueRange arguments) const {
  spl::CallOp::create(code.ops(), code.loc(), TypeRange(), callee, arguments, StringAttr());
}

Value Summary::call(HandlerBuilder &code, FlatSymbolRefAttr callee, mlir::Type result,
                    ValueRange arguments) const {
  return spl::CallOp::create(code.ops(), code.loc(), result, callee, arguments, StringAttr())
      .getResult();
}

void Summary::keepLast(HandlerBuilder &code, Value tuple, Value summary) const {
  for (const Kept &keep : kept)
    if (keep.summaryAt != ~0u)
      code.store(code.field(tuple, keep.attribute), code.fieldRef(summary, keep.summaryAt));
}

void Summary::lift(HandlerBuilder &code, const Arguments &arguments, Value tuple,
                   Value summary) const {
  for (auto [f, values] : llvm::zip_equal(functions, arguments))
    code.store(call(code, f.algebra.getLift(), f.algebra.getState(), values),
               code.fieldRef(summary, f.stateAt));
  keepLast(code, tuple, summary);
}

/// Whether a function of SPL may fail.
static bool mayFail(ModuleOp module, FlatSymbolRefAttr callee) {
  auto function = module.lookupSymbol<spl::FuncOp>(callee.getValue());
  return !function || function.getBody()
                          .walk([&](Operation *op) {
                            auto cast = dyn_cast<spl::CastOp>(op);
                            auto call = dyn_cast<spl::CallOp>(op);
                            bool fails = call   ? mayFail(module, call.getCalleeAttr())
                                         : cast ? cast.canFail()
                                                : op->hasTrait<spl::CanFail>();
                            return fails ? WalkResult::interrupt() : WalkResult::advance();
                          })
                          .wasInterrupted();
}

SmallVector<bool> Summary::inCopies() const {
  SmallVector<bool> result(functions.size());
  if (!op.getIsCatch())
    return result;
  auto module = op->getParentOfType<ModuleOp>();
  for (auto [f, fails] : llvm::zip_equal(functions, result))
    fails = mayFail(module, f.algebra.getAdd() ? f.algebra.getAdd() : f.algebra.getMerge());
  return result;
}

void Summary::add(HandlerBuilder &code, const Arguments &arguments, Value tuple,
                  Value summary) const {
  // Where a failure is caught, all states change or none.
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [f, values, inCopy] : llvm::zip_equal(functions, arguments, inCopies())) {
    Value state = code.fieldRef(summary, f.stateAt);
    if (inCopy) {
      Value copy = code.variable("copy", f.algebra.getState());
      code.store(code.load(state), copy);
      copies.emplace_back(copy, state);
      state = copy;
    }
    SmallVector<Value> operands{state};
    if (f.algebra.getAdd()) {
      llvm::append_range(operands, values);
      call(code, f.algebra.getAdd(), operands);
    } else {
      operands.push_back(call(code, f.algebra.getLift(), f.algebra.getState(), values));
      call(code, f.algebra.getMerge(), operands);
    }
  }
  for (auto [copy, state] : copies)
    code.store(code.load(copy), state);
  keepLast(code, tuple, summary);
}

void Summary::remove(HandlerBuilder &code, const Arguments &arguments, Value summary) const {
  for (auto [f, values] : llvm::zip_equal(functions, arguments)) {
    SmallVector<Value> operands{code.fieldRef(summary, f.stateAt)};
    llvm::append_range(operands, values);
    call(code, f.algebra.getRemove(), operands);
  }
}

void Summary::merge(HandlerBuilder &code, Value summary, Value later) const {
  for (const Function &f : functions)
    call(code, f.algebra.getMerge(),
         {code.fieldRef(summary, f.stateAt), code.load(code.fieldRef(later, f.stateAt))});
  for (const Kept &keep : kept)
    if (keep.summaryAt != ~0u)
      code.store(code.load(code.fieldRef(later, keep.summaryAt)),
                 code.fieldRef(summary, keep.summaryAt));
}

//===--- results ----------------------------------------------------------------------===//

/// The value of an output function that stands in the handler.
Value Summary::replacement(HandlerBuilder &code, spl::OutputFnOp fn, Value summary,
                           const WindowCounts &counts, ArrayRef<Value> folded) const {
  if (fn.getFold())
    return folded[*fn.getFold()];
  if (auto what = fn.getCounts()) {
    Value count = *what == spl::WindowCount::groups   ? counts.groups
                  : *what == spl::WindowCount::tuples ? counts.tuples
                                                      : counts.byGroup;
    return code.cast(count, fn.getType());
  }
  const Function &f = functions[byNumber[*fn.getSummary()]];
  Value state = code.load(code.fieldRef(summary, f.stateAt));
  return call(code, f.algebra.getResult(), fn.getType(), state);
}

/// The results of folds. They may share state: all begin before the first tuple, and each tuple
/// goes through all.
SmallVector<Value> Summary::fold(HandlerBuilder &code,
                                 llvm::function_ref<void(OnTuple)> forEachTuple) const {
  SmallVector<stream::FoldOp> folds(op.getBody().getOps<stream::FoldOp>());
  SmallVector<Value> folded;
  for (stream::FoldOp fold : folds)
    code.inlineBody(fold.getInit(), {});
  if (!folds.empty())
    forEachTuple([&](Value tuple) {
      for (stream::FoldOp fold : folds)
        code.inlineBody(fold.getStep(), tuple);
    });
  for (stream::FoldOp fold : folds)
    folded.push_back(code.copy(code.inlineBody(fold.getResult(), {}).front()));
  return folded;
}

void Summary::submit(HandlerBuilder &code, Value summary, const WindowCounts &counts,
                     llvm::function_ref<void(OnTuple)> forEachTuple) const {
  SmallVector<Value> folded = fold(code, forEachTuple);
  submit(code, summary, tupleFrom(code, summary, &Kept::summaryAt), counts, folded);
}

void Summary::submitFolds(HandlerBuilder &code, Value last, const WindowCounts &counts,
                          llvm::function_ref<void(OnTuple)> forEachTuple) const {
  submit(code, Value(), last, counts, fold(code, forEachTuple));
}

/// `last`: the attributes of the last tuple that plain expressions read. `folded`: by fold.
void Summary::submit(HandlerBuilder &code, Value summary, Value last, const WindowCounts &counts,
                     ArrayRef<Value> folded) const {
  SmallVector<Value> values;
  if (output) {
    values = code.inlineBody(*output, last);
    SmallVector<spl::OutputFnOp> asked;
    code.ops().getInsertionBlock()->getParent()->walk(
        [&](spl::OutputFnOp fn) { asked.push_back(fn); });
    for (spl::OutputFnOp fn : asked) {
      OpBuilder::InsertionGuard guard(code.ops());
      code.ops().setInsertionPoint(fn);
      Value value = replacement(code, fn, summary, counts, folded);
      llvm::replace(values, fn.getResult(), value);
      fn.replaceAllUsesWith(value);
      fn.erase();
    }
    last = code.tuple(op.outputTuple(0), values);
  }
  code.submit(0, last);
}
