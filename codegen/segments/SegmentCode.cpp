//===- SegmentCode.cpp - what all functions of segments are made with -----===//
#include "codegen/segments/SegmentCode.h"
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/RuntimeABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

static bool touchesMetrics(Operation *o) {
  auto native = dyn_cast<spl::NativeOp>(o);
  return native && spl::bitEnumContainsAny(native.effects(), spl::Effect::metrics);
}

SegmentContext::SegmentContext(ModuleOp module, stream::GraphOp graph)
    : module(module), graph(graph), info(graph), allocation(&info),
      functionsTouchMetrics(SegmentCode::anyFunctionTouchesMetrics(module)), b(module.getContext()),
      flow(b), ptr(LLVM::LLVMPointerType::get(module.getContext())), i32Type(b.getI32Type()) {}

func::FuncOp SegmentCode::function(StringRef name, TypeRange args, Location loc) {
  SmallVector<mlir::Type> inputs{ptr};
  llvm::append_range(inputs, args);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto f = func::FuncOp::create(b, loc, name, b.getFunctionType(inputs, i32Type));
  f.setPrivate();
  return f;
}

mlir::Block *SegmentCode::begin(func::FuncOp f) {
  Block *entry = f.addEntryBlock();
  b.setInsertionPointToStart(entry);
  return entry;
}

Value SegmentCode::i32(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

Value SegmentCode::i64(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value SegmentCode::toI64(Value value) {
  return arith::ExtUIOp::create(b, value.getLoc(), b.getI64Type(), value);
}

void SegmentCode::endOk(Location loc) { flow.ret(i32(loc, 0)); }

Value SegmentCode::call(Location loc, StringRef function, ValueRange args) {
  return func::CallOp::create(b, loc, function, TypeRange{i32Type}, args).getResult(0);
}

Value SegmentCode::runtime(Location loc, StringRef name, ValueRange args) {
  LLVM::LLVMFuncOp f = declareRuntime(module, name);
  return callNoUnwind(b, loc, f, args);
}

Value SegmentCode::isKind(Value kind, PunctuationKind wanted, Location loc) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, kind, i32(loc, int64_t(wanted)));
}

Value SegmentCode::isFinal(Value kind, Location loc) {
  Value final = isKind(kind, PunctuationKind::Final, loc);
  Value known = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, kind,
                                      i32(loc, int64_t(PunctuationKind::Watermark)));
  flow.returnIf(flow.isZero(known), [&] {
    runtime(loc, "sl_unknown_punct", {kind});
    return i32(loc, -1);
  });
  return final;
}

bool SegmentCode::anyFunctionTouchesMetrics(ModuleOp module) {
  bool touches = false;
  for (auto function : module.getOps<spl::FuncOp>())
    function.walk([&](spl::NativeOp native) { touches |= touchesMetrics(native); });
  return touches;
}

void SegmentCode::count(OpInfo &op, Direction direction, unsigned port, Value ctx, Value kind,
                        Location loc) {
  if (!op.counted)
    return;
  bool in = direction == Direction::In;
  Value id = i32(loc, port + (in ? op.firstIn : op.firstOut));
  if (kind)
    runtime(loc, in ? "sl_punct_in" : "sl_punct_out", {ctx, id, kind});
  else
    runtime(loc, in ? "sl_tuple_in" : "sl_tuple_out", {ctx, id});
}

void SegmentCode::nameOperator(OpInfo &op, func::FuncOp f) {
  f.walk([&](Operation *o) {
    if (!touchesMetrics(o) && !(c.functionsTouchMetrics && isa<spl::CallOp>(o)))
      return;
    b.setInsertionPoint(o);
    Location loc = o->getLoc();
    Value place = address(f.getArgument(0), layout::ctxOp, loc);
    LLVM::StoreOp::create(b, loc, i32(loc, op.index), place);
  });
}

Value SegmentCode::address(Value base, int64_t offset, Location loc) {
  return LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
}

Value SegmentCode::field(Value base, int64_t offset, mlir::Type type, Location loc) {
  return LLVM::LoadOp::create(b, loc, type, address(base, offset, loc));
}

Value SegmentCode::batchOf(Value ctx, unsigned outPort, Location loc) {
  // Ctx::ports does not change while the program runs.
  Value ports =
      LLVM::LoadOp::create(b, loc, ptr, address(ctx, layout::ctxPorts, loc), /*alignment=*/0,
                           /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
  Value batch = field(ports, int64_t(outPort) * layout::outPortSize, ptr, loc);
  setTag(batch.getDefiningOp(), memoryTag(b.getContext(), Memory::Ports));
  return batch;
}

Value SegmentCode::header(Value batch, unsigned outPort, int64_t offset, Location loc) {
  Value value = field(batch, offset, i32Type, loc);
  setTag(value.getDefiningOp(), memoryTag(b.getContext(), Memory::Header, outPort));
  return value;
}

Value SegmentCode::element(Value base, int64_t stride, Value index, Location loc) {
  Value bytes = arith::MulIOp::create(b, loc, index, i64(loc, stride));
  return LLVM::GEPOp::create(b, loc, ptr, b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(bytes)});
}

Value SegmentCode::cell(Value batch, const layout::Column &column, Value row, Location loc) {
  return element(address(batch, column.offset, loc), column.size, row, loc);
}

Value SegmentCode::tupleOf(mlir::Type type, ArrayRef<Value> &leaves, Location loc) {
  SmallVector<mlir::Type> parts = spl::partsOf(type);
  if (parts.empty() && !isa<spl::TupleType>(type)) {
    Value leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  }
  SmallVector<Value> values;
  for (mlir::Type t : parts)
    values.push_back(tupleOf(t, leaves, loc));
  return spl::MakeTupleOp::create(b, loc, type, values);
}

Value SegmentCode::leafOf(Value tuple, ArrayRef<unsigned> path, Location loc) {
  for (unsigned index : path)
    tuple = b.createOrFold<spl::FieldOp>(loc, tuple, index);
  return tuple;
}

Value SegmentCode::punctField(Value puncts, Value punct, int64_t offset, mlir::Type type,
                              Location loc) {
  return field(element(puncts, layout::punctSize, punct, loc), offset, type, loc);
}

const InPlace *SegmentCode::inPlaceThrough(OpInfo &op, unsigned outPort) const {
  auto [plan, port] = throughs.lookup(op.index);
  return port == outPort ? plan : nullptr;
}

SmallVector<mlir::Type> SegmentCode::placeTypes(OpInfo &op) {
  return takesPlace(op) ? SmallVector<mlir::Type>{ptr, b.getI64Type()} : SmallVector<mlir::Type>{};
}

std::optional<unsigned> SegmentCode::keyColumn(OpInfo &op) {
  if (op.op.sharing() != stream::Sharing::ByKey || !op.op.isHead(0) || moves.contains(op.firstIn))
    return std::nullopt;
  unsigned attribute = *op.op.inputTuple(0).indexOf(op.op.getState()->getKey());
  for (auto [index, column] : llvm::enumerate(layout::batchLayout(op.op.inputTuple(0)).columns))
    if (column.path.size() == 1 && column.path[0] == attribute)
      return index;
  return std::nullopt; // a tuple, which has several columns
}

void SegmentCode::cloneInto(Region &region, func::FuncOp f) {
  IRMapping mapping;
  region.cloneInto(&f.getBody(), mapping);
  Block &entry = f.getBody().front();
  entry.insertArgument(0u, LLVM::LLVMPointerType::get(f.getContext()), f.getLoc());
  for (mlir::Type type : f.getArgumentTypes().drop_front(entry.getNumArguments()))
    entry.addArgument(type, f.getLoc());
}
