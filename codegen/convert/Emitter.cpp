//===- Emitter.cpp - memory, values and failure -----------------===//
#include "codegen/Aliasing.h"
#include "codegen/convert/ConvertSpl.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;
using layout::Part;
using mlir::Type;

Value Emitter::integer(unsigned width, int64_t value) {
  auto type = IntegerType::get(b.getContext(), width);
  return LLVM::ConstantOp::create(b, loc, type,
                                  IntegerAttr::get(type, APInt(64, value).trunc(width)));
}

//===--- memory -------------------------------------------------------------===//

Value Emitter::slotBytes(uint64_t bytes, uint64_t align) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function->front());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes);
  return LLVM::AllocaOp::create(b, loc, ptrType(), type, integer(32, 1), align);
}

Value Emitter::slot(Type type, uint64_t count) {
  return slotBytes(layout::sizeOf(type) * count, layout::alignOf(type));
}

Value Emitter::spill(Type type, Value value) {
  Value address = slot(type);
  store(type, value, address);
  return address;
}

Value Emitter::offset(Value address, uint64_t bytes) {
  if (bytes == 0)
    return address;
  return LLVM::GEPOp::create(b, loc, ptrType(), b.getI8Type(), address,
                             LLVM::GEPArg(int32_t(bytes)), LLVM::GEPNoWrapFlags::inbounds);
}

Value Emitter::element(Value base, Value index, uint64_t stride) {
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), stride);
  return LLVM::GEPOp::create(b, loc, ptrType(), type, base, LLVM::GEPArg(index),
                             LLVM::GEPNoWrapFlags::inbounds);
}

/// Said explicitly: a module need not have its data layout yet.
static unsigned wordAlign(Type lowered) {
  return lowered.isIntOrFloat() ? lowered.getIntOrFloatBitWidth() / 8 : 8;
}

/// Boolean as a byte, tuples and strings as structs of their parts.
Value Emitter::loadRaw(Type type, Value address) {
  Type memory = isa<LLVM::LLVMPointerType>(type) ? type : layout::memoryType(type);
  if (!isa<LLVM::LLVMStructType>(memory)) {
    auto load = LLVM::LoadOp::create(b, loc, memory, address, wordAlign(memory));
    if (tag)
      setTag(load, tag);
    return load;
  }
  Value value = LLVM::PoisonOp::create(b, loc, memory);
  for (auto [i, part] : llvm::enumerate(layout::partsOf(type)))
    value = insert(value, loadRaw(part.type, offset(address, part.offset)), i);
  return value;
}

void Emitter::storeRaw(Type type, Value value, Value address) {
  if (!isa<LLVM::LLVMStructType>(value.getType())) {
    auto store = LLVM::StoreOp::create(b, loc, value, address, wordAlign(value.getType()));
    if (tag)
      setTag(store, tag);
    return;
  }
  for (auto [i, part] : llvm::enumerate(layout::partsOf(type)))
    storeRaw(part.type, extract(value, i), offset(address, part.offset));
}

static Value toBool(Emitter &e, Value byte) {
  return LLVM::TruncOp::create(e.b, e.loc, e.b.getI1Type(), byte);
}
static Value toByte(Emitter &e, Value flag) {
  return LLVM::ZExtOp::create(e.b, e.loc, e.b.getI8Type(), flag);
}

Value Emitter::load(Type type, Value address) {
  Value value = loadRaw(type, address);
  return type.isInteger(1) ? toBool(*this, value) : value;
}

void Emitter::store(Type type, Value value, Value address) {
  storeRaw(type, type.isInteger(1) ? toByte(*this, value) : value, address);
}

//===--- values -------------------------------------------------------------===//

Value Emitter::extract(Value aggregate, int64_t index) {
  return b.createOrFold<LLVM::ExtractValueOp>(loc, aggregate, index);
}
Value Emitter::insert(Value aggregate, Value part, int64_t index) {
  return LLVM::InsertValueOp::create(b, loc, aggregate, part, index);
}

Value Emitter::field(Type record, Value value, unsigned index) {
  Value part = extract(value, index);
  return spl::partsOf(record)[index].isInteger(1) ? toBool(*this, part) : part;
}
Value Emitter::withField(Type record, Value value, Value part, unsigned index) {
  bool isFlag = spl::partsOf(record)[index].isInteger(1);
  return insert(value, isFlag ? toByte(*this, part) : part, index);
}

Value Emitter::toI64(Type type, Value value) {
  Type i64 = b.getI64Type();
  if (value.getType() == i64)
    return value;
  auto integer = dyn_cast<IntegerType>(type);
  if (integer && integer.isSigned())
    return LLVM::SExtOp::create(b, loc, i64, value);
  return LLVM::ZExtOp::create(b, loc, i64, value);
}

Value Emitter::isNonZero(Value value) {
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, value, zero(value.getType()));
}

Value Emitter::runtime(StringRef name, ValueRange args) {
  return callNoUnwind(b, loc, declareRuntime(module, name), args);
}

//===--- failure ------------------------------------------------------------===//

/// How much likelier an operation succeeds than fails.
static constexpr std::pair<uint32_t, uint32_t> kFailureWeights = {1, 2000};

Value OpEmitter::site() {
  auto index = spl::SplDialect::SiteAttrHelper(op->getContext()).getAttr(op);
  assert(index && "prepare() numbers all that can fail");
  return i32(index.getInt() + 1);
}

void OpEmitter::leave(Value failed, llvm::function_ref<Value()> status) {
  Block *here = rewriter.getInsertionBlock();
  Block *rest = rewriter.splitBlock(here, rewriter.getInsertionPoint());
  Block *cold = rewriter.createBlock(rest);
  LLVM::BrOp::create(b, loc, status(), &rest->getParent()->back());
  rewriter.setInsertionPointToEnd(here);
  LLVM::CondBrOp::create(b, loc, failed, cold, ValueRange(), rest, ValueRange(), kFailureWeights);
  rewriter.setInsertionPointToStart(rest);
}

void OpEmitter::failIf(Value failed, llvm::function_ref<void()> report) {
  leave(failed, [&] {
    report();
    return site();
  });
}

void OpEmitter::check(Value status) {
  leave(isNonZero(status), [&] { return site(); });
}

void OpEmitter::checkCall(Value status) {
  leave(isNonZero(status), [&] { return status; });
}

Value OpEmitter::error(const Twine &message) {
  op->emitOpError() << message;
  broken = true;
  return {};
}
