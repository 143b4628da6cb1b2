//===- Expand.cpp - spl.utility::Format as handlers -----------------------===//
#include "mlir/IR/IRMapping.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Record.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
/// Writes what Output() is, by functions of the library (FormatRow.cpp).
class Formatter {
public:
  explicit Formatter(OperatorOp op);
  Value row(HandlerBuilder &code);
  Value mark(HandlerBuilder &code, PunctuationKind kind);

private:
  Value text(HandlerBuilder &code, StringRef value);
  Value param(HandlerBuilder &code, StringRef name, StringRef otherwise);
  Value separator(HandlerBuilder &code);
  Value flag(HandlerBuilder &code, StringRef name, bool otherwise);
  Value written(HandlerBuilder &code);
  Value delay(HandlerBuilder &code);
  Value call(HandlerBuilder &code, StringRef symbol, ValueRange arguments,
             ArrayRef<mlir::Type> typeArgs, ArrayRef<int32_t> generic);

  OperatorOp op;
  AddedState last; // when the tuple or punctuation before came, if that is needed
};
} // namespace

static Value now(HandlerBuilder &code) {
  return code.call("sl_monotonicNanos_", {}, {}, {}, window::si64(code.ops().getContext()));
}

Formatter::Formatter(OperatorOp op) : op(op) {
  if (!flagOf(op, "hasDelayField", false))
    return;
  last = AddedState(op, "last", "the time of the last arrival", window::si64(op.getContext()));
  HandlerBuilder code(op.getLoc(), last.init(), {});
  YieldOp::create(code.ops(), code.loc(), now(code));
}

//===--- arguments ------------------------------------------------------------===//

Value Formatter::text(HandlerBuilder &code, StringRef value) {
  mlir::Type type = spl::RStringType::get(op.getContext());
  return spl::ConstOp::create(code.ops(), code.loc(), type, code.ops().getStringAttr(value));
}

Value Formatter::param(HandlerBuilder &code, StringRef name, StringRef otherwise) {
  Region *values = op.param(name);
  return values ? code.inlineBody(*values, {})[0] : text(code, otherwise);
}

/// A byte, as a text or as a number.
Value Formatter::separator(HandlerBuilder &code) {
  Value value = param(code, "separator", ",");
  auto number = value.getDefiningOp<spl::ConstOp>();
  auto byte = number ? dyn_cast_if_present<IntegerAttr>(number.getValueAttr()) : IntegerAttr();
  return byte ? text(code, std::string(1, char(byte.getValue().getZExtValue()))) : value;
}

Value Formatter::flag(HandlerBuilder &code, StringRef name, bool otherwise) {
  return code.constant(code.ops().getI1Type(), flagOf(op, name, otherwise));
}

/// The tuple without the attributes that are suppressed.
Value Formatter::written(HandlerBuilder &code) {
  Region *suppress = op.param("suppress");
  Value tuple = code.argument(0);
  if (!suppress)
    return tuple;
  llvm::StringSet<> left;
  for (Value name : yieldOf(*suppress).getValues())
    left.insert(cast<StringAttr>(name.getDefiningOp<spl::ConstOp>().getValueAttr()).getValue());
  SmallVector<StringAttr> names;
  SmallVector<mlir::Type> types;
  SmallVector<Value> values;
  auto type = cast<spl::TupleType>(tuple.getType());
  for (auto [index, name] : llvm::enumerate(type.getNames()))
    if (!left.contains(name.getValue())) {
      names.push_back(name);
      types.push_back(type.getTypes()[index]);
      values.push_back(code.field(tuple, index));
    }
  return code.tuple(spl::TupleType::get(op.getContext(), names, types), values);
}

/// The ns since the tuple or punctuation before; below 0: they are not written.
Value Formatter::delay(HandlerBuilder &code) {
  if (!last)
    return code.constant(window::si64(op.getContext()), -1);
  Value time = now(code), place = last.place(code);
  Value passed = code.sub(time, code.load(place));
  code.store(time, place);
  return passed;
}

//===--- calls ----------------------------------------------------------------===//

Value Formatter::call(HandlerBuilder &code, StringRef symbol, ValueRange arguments,
                      ArrayRef<mlir::Type> typeArgs, ArrayRef<int32_t> generic) {
  OpBuilder &builder = code.ops();
  return spl::NativeOp::create(builder, code.loc(), spl::BlobType::get(op.getContext()), symbol,
                               arguments, builder.getTypeArrayAttr(typeArgs), generic, StringAttr(),
                               spl::CallFactsAttr())
      .getResult();
}

Value Formatter::row(HandlerBuilder &code) {
  Value tuple = written(code);
  bool rfc4180 = literalOf(op, "quoting") == "rfc4180";
  return call(code, "sl_formatRow_grrbbbrrl",
              {tuple, param(code, "format", "csv"), separator(code),
               flag(code, "quoteStrings", true), code.constant(code.ops().getI1Type(), rfc4180),
               flag(code, "writePunctuations", false), param(code, "eolMarker", "\n"),
               param(code, "floatText", ""), delay(code)},
              tuple.getType(), {0});
}

Value Formatter::mark(HandlerBuilder &code, PunctuationKind kind) {
  Value isFinal = code.constant(code.ops().getI1Type(), kind == PunctuationKind::Final);
  return call(code, "sl_formatMark_rbrl",
              {param(code, "format", "csv"), isFinal, param(code, "floatText", ""), delay(code)},
              {}, {});
}

//===--- handlers -------------------------------------------------------------===//

/// What the output clause gives for the tuple.
static Value formatted(OperatorOp op, HandlerBuilder &code, Formatter &formatter) {
  Region *output = op.output(0);
  if (!output)
    return code.argument(0);
  Value blob = formatter.row(code);
  SmallVector<Value> values = code.inlineBody(*output, code.argument(0));
  Operation *handler = code.ops().getInsertionBlock()->getParentOp();
  handler->walk([&](spl::OutputFnOp fn) {
    for (Value &value : values)
      if (value == fn.getResult())
        value = blob;
    fn.replaceAllUsesWith(blob);
    fn.erase();
  });
  return code.tuple(op.outputTuple(0), values);
}

/// Whether a value depends on the tuple, or on which way control has gone.
static bool needsTuple(Value value) {
  Operation *made = value.getDefiningOp();
  return !made || made->getNumRegions() || llvm::any_of(made->getOperands(), needsTuple);
}

static bool needsBlob(Value value) {
  Operation *made = value.getDefiningOp();
  return made && (isa<spl::OutputFnOp>(made) || llvm::any_of(made->getOperands(), needsBlob));
}

/// Computes a value anew, with `blob` for Output().
static Value computed(HandlerBuilder &code, Value value, Value blob, IRMapping &known) {
  if (value.getDefiningOp<spl::OutputFnOp>())
    return blob;
  if (Value before = known.lookupOrNull(value))
    return before;
  for (Value operand : value.getDefiningOp()->getOperands())
    known.map(operand, computed(code, operand, blob, known));
  code.ops().clone(*value.getDefiningOp(), known);
  return known.lookup(value);
}

/// Submits the blob of a punctuation, and what is computed of it alone; other attributes have their
/// default values.
static void submitMark(OperatorOp op, HandlerBuilder &code, Value blob) {
  spl::TupleType type = op.outputTuple(0);
  SmallVector<Value> values;
  IRMapping known;
  for (auto [value, attribute] :
       llvm::zip_equal(yieldOf(*op.output(0)).getValues(), type.getTypes()))
    values.push_back(needsBlob(value) && !needsTuple(value) ? computed(code, value, blob, known)
                                                            : code.zero(attribute));
  code.submit(0, code.tuple(type, values));
}

LogicalResult sluice::expandFormat(OperatorOp op) {
  Formatter formatter(op);
  HandlerBuilder code = beginOnTuple(op, 0);
  code.submit(0, formatted(op, code, formatter));
  code.end();
  if (!flagOf(op, "writePunctuations", false) || !op.output(0)) {
    addOnPunct(op, 0);
    return success();
  }
  auto mark = [&](PunctuationKind kind) {
    return [&, kind](HandlerBuilder &at) { submitMark(op, at, formatter.mark(at, kind)); };
  };
  auto window = mark(PunctuationKind::Window), final = mark(PunctuationKind::Final);
  addOnPunct(op, op, 0, /*forward=*/false, window, final);
  return success();
}
