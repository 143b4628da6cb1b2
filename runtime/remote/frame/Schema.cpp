//===- Schema.cpp - columns of a stream, and their hash -------------------===//
#include "runtime/remote/frame/Schema.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/value/Value.h"
#include "sluice/columns.h"

namespace sluice::remote {

/// Payload and punctuation of usual batches: more than kArenaBytes ends most of them.
static constexpr uint32_t kRoomBehind = 2 * kArenaBytes;

static void addType(Digest &digest, const TypeDesc *type) {
  for (uint64_t x :
       {uint64_t(type->kind), uint64_t(type->size), uint64_t(type->align), uint64_t(type->count),
        uint64_t(type->stride), uint64_t(type->valueOffset), uint64_t(type->bound)})
    digest.add(x);
  if (type->elem)
    addType(digest, type->elem);
  if (type->value)
    addType(digest, type->value);
  for (uint32_t i = 0; type->fields && i < type->count; ++i) {
    digest.add(type->fields[i].offset);
    addType(digest, type->fields[i].type);
  }
}

/// Whether some of its bytes must be looked at before it is used.
static bool isChecked(const TypeDesc *type) {
  if (type->kind == Kind::Boolean || type->kind == Kind::Enum || !type->plain)
    return true;
  for (uint32_t i = 0; type->fields && i < type->count; ++i)
    if (isChecked(type->fields[i].type))
      return true;
  return false;
}

static std::vector<ColumnDesc> columnsOf(const TypeDesc *tuple, uint32_t capacity) {
  std::vector<ColumnDesc> columns;
  uint64_t offset = kBatchHeader;
  eachColumn(tuple, [&](uint32_t, const TypeDesc *type) {
    columns.push_back({uint32_t(offset), type->size, type});
    offset = behindColumn(offset, capacity, type->size);
  });
  return columns;
}

Schema::Schema(const TypeDesc *tuple, uint32_t capacity)
    : Schema(columnsOf(tuple, capacity), capacity) {}

Schema::Schema(std::span<const ColumnDesc> descs, uint32_t capacity)
    : capacity(capacity), bytes(kBatchHeader) {
  Digest digest;
  digest.add(capacity);
  for (const ColumnDesc &desc : descs) {
    columns.push_back({desc, !desc.type->plain, isChecked(desc.type), far});
    if (sizes.empty() || sizes.back().size != desc.size)
      sizes.push_back({desc.size, 0});
    ++sizes.back().count;
    far += !desc.type->plain;
    bytes = uint32_t(behindColumn(desc.offset, capacity, desc.size));
    digest.add(desc.offset);
    addType(digest, desc.type);
  }
  hash = digest.value();
  room = alignTo(uint32_t(bytes + tableBytes()) + kRoomBehind, kColumnAlign);
}

uint64_t Schema::compactBytes(uint32_t rows) const {
  uint64_t bytes = kBatchHeader;
  for (const Sizes &each : sizes)
    bytes += each.count * alignFrame(uint64_t(rows) * each.size);
  return bytes;
}

void Schema::expand(char *frame, uint32_t rows) const {
  uint64_t end = compactBytes(rows);
  // The last one first: no column moves towards the start.
  for (size_t i = columns.size(); i--;) {
    uint64_t size = uint64_t(rows) * columns[i].size;
    end -= alignFrame(size);
    memmove(frame + columns[i].offset, frame + end, size);
  }
}

Schema schemaOf(const OutPortDesc &port) {
  return Schema({port.columns, port.columnCount}, port.batchCapacity);
}

} // namespace sluice::remote
