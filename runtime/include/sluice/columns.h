//===- columns.h - where the columns of a batch lie -------------*- C++ -*-===//
//
// The one rule, for generated code, for frames of links and for operators in C++. The columns of a
// stream are the leaves of its tuple type, in order: attributes whose values are not made of parts,
// those of nested tuples and optionals included. They lie one behind the other, each at a multiple
// of kColumnAlign, the first behind the header.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Columns begin at multiples of it.
constexpr uint32_t kColumnAlign = 64; // bytes
/// Batches of more than a row hold a multiple of as many.
constexpr uint32_t kRowGroup = 64;

/// Whether a value of the kind is one column. Else its parts are, each by this rule.
constexpr bool isColumn(Kind kind) { return storageOf(kind) != Storage::Parts; }

/// Calls f(offset, type) for each column of a tuple; the offset is that in the tuple, plus `base`.
template <typename F> void eachColumn(const TypeDesc *tuple, F &&f, uint32_t base = 0) {
  for (uint32_t i = 0; i < tuple->count; ++i) {
    const Field &field = tuple->fields[i];
    if (isColumn(field.type->kind))
      f(base + field.offset, field.type);
    else
      eachColumn(field.type, f, base + field.offset);
  }
}

/// Where the next column begins, or the batch ends, behind a column that begins at `offset` and has
/// room for `capacity` values of `size` bytes. Offsets are from the Batch's address; that of the
/// first column is kBatchHeader.
constexpr uint64_t behindColumn(uint64_t offset, uint64_t capacity, uint64_t size) {
  return (offset + capacity * size + kColumnAlign - 1) / kColumnAlign * kColumnAlign;
}

/// The capacity of a batch whose columns have `rowBytes` a row: as many rows as kColumnBytes hold,
/// a multiple of kRowGroup from that to kBatchRows. A row of more than kColumnBytes comes alone.
constexpr uint32_t batchCapacity(uint64_t rowBytes) {
  if (rowBytes > kColumnBytes)
    return 1;
  uint32_t rows = rowBytes ? kColumnBytes / rowBytes / kRowGroup * kRowGroup : kBatchRows;
  return rows < kRowGroup ? kRowGroup : rows > kBatchRows ? kBatchRows : rows;
}

static_assert(kBatchHeader % kColumnAlign == 0 && kBatchRows % kRowGroup == 0);
static_assert(behindColumn(kBatchHeader, 0, 8) == kBatchHeader, "no rows take no room");
static_assert(behindColumn(kBatchHeader, 1, 8) == kBatchHeader + kColumnAlign);
static_assert(batchCapacity(0) == kBatchRows && batchCapacity(kColumnBytes) == kRowGroup &&
              batchCapacity(kColumnBytes + 1) == 1);
#define SPL_KIND(name, keyword, token, code, type, size, align, ...)                               \
  static_assert(align <= kColumnAlign && (align == 0 || kColumnAlign % align == 0),                \
                "a column of " keyword " is aligned");
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"

} // namespace sluice
