//===- Layout.cpp - where the bytes of a value lie ------------------------===//
#include "codegen/Layout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "sluice/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sluice;
using layout::Part;
using mlir::Type;

static constexpr uint32_t kColumnAlign = 64, kRowGroup = 64;
static_assert(kBatchHeader % kColumnAlign == 0);

uint64_t layout::sizeOf(Type type) {
  auto tuple = dyn_cast<spl::TupleType>(type);
  if (!tuple)
    return scalarSize(kindOf(type));
  uint64_t size = 0;
  for (Type field : tuple.getTypes())
    size = llvm::alignTo(size, alignOf(field)) + sizeOf(field);
  return llvm::alignTo(size, alignOf(type));
}

uint64_t layout::alignOf(Type type) {
  auto tuple = dyn_cast<spl::TupleType>(type);
  if (!tuple)
    return std::min<uint64_t>(scalarSize(kindOf(type)), 8);
  uint64_t align = 1;
  for (Type field : tuple.getTypes())
    align = std::max(align, alignOf(field));
  return align;
}

bool layout::isPlain(Type type) {
  if (auto tuple = dyn_cast<spl::TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isPlain);
  return !isa<spl::RStringType, spl::ListType, spl::SetType, spl::MapType>(type);
}

static Kind integerKind(IntegerType type) {
  if (type.getWidth() == 1)
    return Kind::Boolean;
  Kind base = type.isUnsigned() ? Kind::UInt8 : Kind::Int8;
  return Kind(uint32_t(base) + llvm::Log2_32(type.getWidth() / 8));
}

Kind layout::kindOf(Type type) {
  return llvm::TypeSwitch<Type, Kind>(type)
      .Case([](IntegerType t) { return integerKind(t); })
      .Case([](Float32Type) { return Kind::Float32; })
      .Case([](Float64Type) { return Kind::Float64; })
      .Case([](spl::EnumType) { return Kind::Enum; })
      .Case([](spl::TimestampType) { return Kind::Timestamp; })
      .Case([](spl::RStringType) { return Kind::RString; })
      .Case([](spl::ListType) { return Kind::List; })
      .Case([](spl::SetType) { return Kind::Set; })
      .Case([](spl::MapType) { return Kind::Map; })
      .Case([](spl::TupleType) { return Kind::Tuple; });
}

SmallVector<Part> layout::partsOf(Type type) {
  Builder b(type.getContext());
  SmallVector<Part> parts;
  if (isa<spl::RStringType>(type))
    return {{b.getI64Type(), 0}, {b.getI64Type(), 8}};
  if (isa<spl::TimestampType>(type))
    return {{b.getI64Type(), 0}, {b.getI32Type(), 8}, {b.getI32Type(), 12}};
  if (isa<spl::ListType, spl::SetType, spl::MapType>(type))
    return {{b.getI32Type(), 0},
            {b.getI32Type(), 4},
            {LLVM::LLVMPointerType::get(type.getContext()), 8}};
  if (auto tuple = dyn_cast<spl::TupleType>(type)) {
    uint64_t offset = 0;
    for (Type field : tuple.getTypes()) {
      offset = llvm::alignTo(offset, alignOf(field));
      parts.push_back({field, offset});
      offset += sizeOf(field);
    }
  }
  return parts;
}

uint64_t layout::fieldOffset(spl::TupleType tuple, unsigned index) {
  return partsOf(tuple)[index].offset;
}

layout::Entry layout::entryOf(Type collection) {
  if (auto map = dyn_cast<spl::MapType>(collection)) {
    Type key = map.getKey(), value = map.getValue();
    uint64_t at = llvm::alignTo(sizeOf(key), alignOf(value));
    return {llvm::alignTo(at + sizeOf(value), std::max(alignOf(key), alignOf(value))), at};
  }
  auto list = dyn_cast<spl::ListType>(collection);
  return {sizeOf(list ? list.getElement() : cast<spl::SetType>(collection).getElement()), 0};
}

Type layout::loweredType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<spl::RefType, spl::ArenaCheckpointType>(type))
    return LLVM::LLVMPointerType::get(context);
  if (isa<spl::EnumType>(type))
    return IntegerType::get(context, 32);
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(context, integer.getWidth());
  if (isa<Float32Type, Float64Type>(type))
    return type;
  if (!isa<spl::RStringType, spl::TimestampType, spl::ListType, spl::SetType, spl::MapType,
           spl::TupleType>(type))
    return {};
  SmallVector<Type> body;
  for (const Part &part : partsOf(type))
    body.push_back(isa<LLVM::LLVMPointerType>(part.type) ? part.type : memoryType(part.type));
  return LLVM::LLVMStructType::getLiteral(context, body);
}

Type layout::memoryType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : loweredType(type);
}

static void addLeaves(spl::TupleType tuple, SmallVectorImpl<unsigned> &path, uint64_t base,
                      SmallVectorImpl<layout::Column> &out) {
  for (auto [i, part] : llvm::enumerate(layout::partsOf(tuple))) {
    path.push_back(i);
    if (auto nested = dyn_cast<spl::TupleType>(part.type))
      addLeaves(nested, path, base + part.offset, out);
    else
      out.push_back({SmallVector<unsigned>(ArrayRef<unsigned>(path)), part.type,
                     layout::sizeOf(part.type), base + part.offset});
    path.pop_back();
  }
}

SmallVector<layout::Column> layout::leaves(spl::TupleType tuple) {
  SmallVector<Column> out;
  SmallVector<unsigned> path;
  addLeaves(tuple, path, 0, out);
  return out;
}

static uint32_t batchCapacity(uint64_t rowBytes) {
  if (rowBytes > kColumnBytes)
    return 1;
  if (rowBytes == 0)
    return kBatchRows;
  uint32_t rows = kColumnBytes / rowBytes / kRowGroup * kRowGroup;
  return std::clamp(rows, kRowGroup, kBatchRows);
}

layout::Batch layout::batchLayout(spl::TupleType tuple) {
  Batch batch = {0, kBatchHeader, leaves(tuple)};
  uint64_t rowBytes = 0;
  for (const Column &column : batch.columns)
    rowBytes += column.size;
  batch.rows = batchCapacity(rowBytes);
  for (Column &column : batch.columns) {
    column.offset = batch.bytes;
    batch.bytes = llvm::alignTo(batch.bytes + batch.rows * column.size, kColumnAlign);
  }
  return batch;
}

//===--- structs of abi.h ---------------------------------------------------===//

const uint64_t layout::ctxPorts = offsetof(Ctx, ports), layout::ctxNatives = offsetof(Ctx, natives),
               layout::ctxChannel = offsetof(Ctx, channel),
               layout::ctxMaxChannels = offsetof(Ctx, maxChannels),
               layout::ctxState = offsetof(Ctx, state),
               layout::ctxFailedRow = offsetof(Ctx, failedRow), layout::ctxSize = sizeof(Ctx);
const uint64_t layout::outPortSize = sizeof(OutPort);
const uint64_t layout::batchRows = offsetof(sluice::Batch, rows),
               layout::batchLimit = offsetof(sluice::Batch, limit),
               layout::batchPunctCount = offsetof(sluice::Batch, punctCount),
               layout::batchPuncts = offsetof(sluice::Batch, puncts);
const uint64_t layout::punctRow = offsetof(Punctuation, row),
               layout::punctKind = offsetof(Punctuation, kind),
               layout::punctSize = sizeof(Punctuation);
const uint64_t layout::arenaCheckpointSize = sizeof(ArenaCheckpoint);
