//===- Layout.cpp - where the bytes of a value lie ------------------------===//
#include "codegen/Layout.h"
#include "ir/Kinds.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "sluice/columns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sluice;
using layout::Part;
using mlir::Type;

uint64_t layout::sizeOf(Type type) {
  if (storageOf(spl::kindOf(type)) != Storage::Parts)
    return infoOf(spl::kindOf(type)).size;
  uint64_t size = 0;
  for (Type field : spl::partsOf(type))
    size = llvm::alignTo(size, alignOf(field)) + sizeOf(field);
  return llvm::alignTo(size, alignOf(type));
}

uint64_t layout::alignOf(Type type) {
  uint64_t align = std::max(infoOf(spl::kindOf(type)).align, 1u);
  for (Type field : spl::partsOf(type))
    align = std::max(align, alignOf(field));
  return align;
}

bool layout::isPlain(Type type) {
  std::optional<Kind> kind = spl::findKind(type);
  if (!kind)
    return true;
  switch (storageOf(*kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return true;
  case Storage::Text:
  case Storage::Sequence:
    return false;
  case Storage::Parts:
    return llvm::all_of(spl::partsOf(type), isPlain);
  }
  llvm_unreachable("unknown storage");
}

static SmallVector<Part> fieldsOf(Type record) {
  SmallVector<Part> parts;
  uint64_t offset = 0;
  for (Type field : spl::partsOf(record)) {
    offset = llvm::alignTo(offset, layout::alignOf(field));
    parts.push_back({field, offset});
    offset += layout::sizeOf(field);
  }
  return parts;
}

SmallVector<Part> layout::partsOf(Type type) {
  Builder b(type.getContext());
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  switch (spl::kindOf(type)) {
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
  case Kind::Float32:
  case Kind::Float64:
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Enum:
    return {};
  case Kind::Complex32:
    return {{b.getF32Type(), offsetof(Complex32, re)}, {b.getF32Type(), offsetof(Complex32, im)}};
  case Kind::Complex64:
    return {{b.getF64Type(), offsetof(Complex64, re)}, {b.getF64Type(), offsetof(Complex64, im)}};
  case Kind::Timestamp:
    return {{i64, offsetof(Timestamp, seconds)},
            {i32, offsetof(Timestamp, nanos)},
            {i32, offsetof(Timestamp, machine)}};
  case Kind::Decimal128:
  case Kind::RString:
  case Kind::UString:
  case Kind::Blob:
  case Kind::Xml:
    return {{i64, 0}, {i64, 8}};
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
    return {{i32, offsetof(Seq, len)},
            {i32, offsetof(Seq, cap)},
            {LLVM::LLVMPointerType::get(type.getContext()), offsetof(Seq, data)}};
  case Kind::Optional:
  case Kind::Tuple:
    return fieldsOf(type);
  }
  llvm_unreachable("unknown kind");
}

uint64_t layout::fieldOffset(Type record, unsigned index) { return partsOf(record)[index].offset; }

layout::Entry layout::entryOf(Type collection) {
  if (auto map = dyn_cast<spl::MapType>(collection)) {
    Type key = map.getKey(), value = map.getValue();
    uint64_t at = llvm::alignTo(sizeOf(key), alignOf(value));
    return {llvm::alignTo(at + sizeOf(value), std::max(alignOf(key), alignOf(value))), at};
  }
  return {sizeOf(spl::elementOf(collection)), 0};
}

/// The parts of a value as members of a struct.
static Type structOf(Type type) {
  SmallVector<Type> body;
  for (const Part &part : layout::partsOf(type))
    body.push_back(isa<LLVM::LLVMPointerType>(part.type) ? part.type
                                                         : layout::memoryType(part.type));
  return LLVM::LLVMStructType::getLiteral(type.getContext(), body);
}

Type layout::loweredType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<spl::RefType, spl::ArenaCheckpointType>(type))
    return LLVM::LLVMPointerType::get(context);
  std::optional<Kind> kind = spl::findKind(type);
  if (!kind)
    return {};
  switch (*kind) {
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
    return IntegerType::get(context, type.getIntOrFloatBitWidth());
  case Kind::Decimal32:
  case Kind::Decimal64:
    return IntegerType::get(context, 8 * sizeOf(type));
  case Kind::Enum:
    return IntegerType::get(context, 32);
  case Kind::Float32:
  case Kind::Float64:
    return type;
  case Kind::Decimal128:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Timestamp:
  case Kind::RString:
  case Kind::UString:
  case Kind::Blob:
  case Kind::Xml:
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
  case Kind::Optional:
  case Kind::Tuple:
    return structOf(type);
  }
  llvm_unreachable("unknown kind");
}

Type layout::memoryType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : loweredType(type);
}

static void addLeaves(Type record, SmallVectorImpl<unsigned> &path, uint64_t base,
                      SmallVectorImpl<layout::Column> &out) {
  for (auto [i, part] : llvm::enumerate(layout::partsOf(record))) {
    path.push_back(i);
    if (isColumn(spl::kindOf(part.type)))
      out.push_back({SmallVector<unsigned>(ArrayRef<unsigned>(path)), part.type,
                     layout::sizeOf(part.type), base + part.offset});
    else
      addLeaves(part.type, path, base + part.offset, out);
    path.pop_back();
  }
}

SmallVector<layout::Column> layout::leaves(spl::TupleType tuple) {
  SmallVector<Column> out;
  SmallVector<unsigned> path;
  addLeaves(tuple, path, 0, out);
  return out;
}

layout::Batch layout::batchLayout(spl::TupleType tuple) {
  Batch batch = {0, kBatchHeader, leaves(tuple)};
  uint64_t rowBytes = 0;
  for (const Column &column : batch.columns)
    rowBytes += column.size;
  batch.rows = batchCapacity(rowBytes);
  for (Column &column : batch.columns) {
    column.offset = batch.bytes;
    batch.bytes = behindColumn(column.offset, batch.rows, column.size);
  }
  return batch;
}

//===--- structs of abi.h ---------------------------------------------------===//

const uint64_t layout::ctxPorts = offsetof(Ctx, ports), layout::ctxNatives = offsetof(Ctx, natives),
               layout::ctxChannel = offsetof(Ctx, channel),
               layout::ctxMaxChannels = offsetof(Ctx, maxChannels),
               layout::ctxState = offsetof(Ctx, state),
               layout::ctxFailedRow = offsetof(Ctx, failedRow), layout::ctxOp = offsetof(Ctx, op),
               layout::ctxSaveDue = offsetof(Ctx, saveDue), layout::ctxSaves = offsetof(Ctx, saves),
               layout::ctxMade = offsetof(Ctx, made), layout::ctxChannels = offsetof(Ctx, channels),
               layout::ctxSize = sizeof(Ctx);
const uint64_t layout::outPortSize = sizeof(OutPort);
const uint64_t layout::batchRows = offsetof(sluice::Batch, rows),
               layout::batchLimit = offsetof(sluice::Batch, limit),
               layout::batchPunctCount = offsetof(sluice::Batch, punctCount),
               layout::batchPuncts = offsetof(sluice::Batch, puncts);
const uint64_t layout::punctRow = offsetof(Punctuation, row),
               layout::punctKind = offsetof(Punctuation, kind),
               layout::punctTime = offsetof(Punctuation, time),
               layout::punctSize = sizeof(Punctuation);
const uint64_t layout::arenaCheckpointSize = sizeof(ArenaCheckpoint);
