//===- Sizes.cpp - how large a window is ----------------------------------===//
#include "passes/expand/window/Sizes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;
using stream::WindowPolicy;

/// A state variable whose initialiser is value `index` of the window's sizes.
static AddedState makeState(stream::WindowOp window, unsigned index, mlir::Type type) {
  std::string name = "size" + std::to_string(window.getPort()) + "." + std::to_string(index);
  AddedState state(window->getParentOfType<stream::OperatorOp>(), name,
                   "the size of the window of input " + Twine(window.getPort()), type);
  IRMapping mapping;
  window.getSizes().cloneInto(&state.init(), mapping);
  stream::YieldOp yield = yieldOf(state.init());
  yield.getValuesMutable().assign(Value(yield.getValues()[index]));
  return state;
}

static StringRef wordOf(stream::PartitionLimit limit) {
  switch (limit) {
  case stream::PartitionLimit::Partitions:
    return "partitionCount";
  case stream::PartitionLimit::Tuples:
    return "tupleCount";
  case stream::PartitionLimit::Age:
    return "partitionAge";
  }
  llvm_unreachable("unknown limit");
}

/// A size's word in the window clause, and whether it must be above 0.
using Named = std::pair<StringRef, bool>;

/// Of all sizes. A clock that ticks has a period.
static SmallVector<Named> namesOf(stream::WindowAttr window) {
  if (window.isInterval())
    return {{"intervalDuration", true},
            {"creationPeriod", true},
            {"intervalOffset", false},
            {"discardAge", false}};
  SmallVector<Named> names;
  auto add = [&](stream::BoundAttr bound, bool fires) {
    if (bound && bound.getPolicy() != WindowPolicy::Punct)
      names.emplace_back(stream::stringifyWindowPolicy(bound.getPolicy()),
                         fires && bound.getPolicy() == WindowPolicy::Time);
  };
  add(window.getEvict(), window.isTumbling());
  add(window.getTrigger(), true);
  if (window.getLimit())
    names.emplace_back(wordOf(*window.getLimit()), false);
  return names;
}

/// What the compiler has not checked fails at the start, wherever the sizes are evaluated.
static void checkAtStart(stream::WindowOp window) {
  stream::YieldOp yield = yieldOf(window.getSizes());
  OpBuilder builder(yield);
  FloatAttr most; // of an interval: see Sizes::length
  if (window.getWindow().isInterval())
    most = builder.getF64FloatAttr(double(Sizes::kLongest) / 1e9);
  for (auto [size, name] : llvm::zip_equal(yield.getValues(), namesOf(window.getWindow())))
    if (!size.getDefiningOp<spl::ConstOp>() && !size.getType().isUnsignedInteger())
      spl::CheckSizeOp::create(builder, size.getLoc(), name.first, size, name.second, most);
}

Sizes::Sizes(stream::WindowOp window) : bound(window.getWindow()) {
  bool hasEvict = bound.getEvict() && bound.getEvict().getPolicy() != WindowPolicy::Punct;
  triggerAt = hasEvict;
  limitAt = bound.sizes() - 1;
  checkAtStart(window);
  stream::YieldOp yield = yieldOf(window.getSizes());
  for (unsigned index = 0; index < bound.sizes(); ++index) {
    Value value = yield.getValues()[index];
    Size size{{}, value.getType(), {}};
    if (auto constant = value.getDefiningOp<spl::ConstOp>())
      size.value = constant.getValueAttr();
    else
      size.state = makeState(window, index, value.getType());
    sizes.push_back(size);
  }
}

std::optional<int64_t> Sizes::constant(unsigned index) const {
  auto number = dyn_cast_or_null<IntegerAttr>(sizes[index].value);
  return number ? std::optional(number.getValue().getSExtValue()) : std::nullopt;
}

Value Sizes::raw(HandlerBuilder &code, unsigned index) const {
  const Size &size = sizes[index];
  if (size.state)
    return code.load(size.state.place(code));
  return spl::ConstOp::create(code.ops(), code.loc(), size.type, size.value);
}

Value window::nanoseconds(HandlerBuilder &code, Value seconds) {
  Value billion = spl::ConstOp::create(code.ops(), code.loc(), seconds.getType(),
                                       code.ops().getF64FloatAttr(1e9));
  Value half = spl::ConstOp::create(code.ops(), code.loc(), seconds.getType(),
                                    code.ops().getF64FloatAttr(0.5));
  Value nanos = code.add(code.binary(spl::BinaryKind::mul, seconds, billion), half);
  return code.cast(nanos, si64(seconds.getContext()));
}

Value Sizes::get(HandlerBuilder &code, unsigned index, stream::BoundAttr policy) const {
  Value value = raw(code, index);
  switch (policy.getPolicy()) {
  case WindowPolicy::Count:
    return code.cast(value, ui64(value.getContext()));
  case WindowPolicy::Time:
    return nanoseconds(code, value);
  case WindowPolicy::Delta:
    return value;
  case WindowPolicy::Punct:
    break;
  }
  llvm_unreachable("a window by punctuation has no size");
}

Value Sizes::length(HandlerBuilder &code, Length which) const {
  Value value = nanoseconds(code, raw(code, which));
  Value most = code.constant(value.getType(), kLongest);
  Value place = code.variable("length", value.getType());
  code.store(value, place);
  code.when(code.compare(spl::CompareKind::gt, value, most), [&] { code.store(most, place); });
  return code.load(place);
}

Value Sizes::limit(HandlerBuilder &code) const {
  Value value = raw(code, limitAt);
  return bound.getLimit() == stream::PartitionLimit::Age
             ? nanoseconds(code, value)
             : code.cast(value, ui64(value.getContext()));
}
