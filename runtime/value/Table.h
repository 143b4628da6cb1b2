//===- Table.h - sets and maps ----------------------------------*- C++ -*-===//
//
// Entries are dense, in insertion order; removal moves the last one into the gap. From kIndexFrom
// entries on there is an index, a hash table with open addressing and linear probing. The SeqHeader
// before the data leads to both. All functions work on values and places; only those that take a
// Heap change the table, and they need a place.
//
// An element of an index of 2^k places has 32 bits, from the lowest one on:
//   k bits          slot + 1; 0: the place is free
//   4 bits          how many places it is behind the one that its hash asks for (its home), at most
//                   kFar: so far or farther
//   the others      the same bits of the hash, by which most other keys are told apart
// The home is the lowest k bits of the hash. With k above 28 what does not fit is left out.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Arena.h"
#include "memory/Heap.h"
#include "value/Value.h"

namespace sluice {

constexpr uint32_t kIndexFrom = 16, kNoSlot = ~0u;
/// Places in the index (32 KiB, the size of the first cache) from which on prefetching is
/// worthwhile.
constexpr uint32_t kLargeIndex = 4096;

/// A table whose changes are known by block (blocks/Blocks.h) has no index here, so that a look-up
/// takes the way of small tables; `mask` then has this bit and says where it is.
constexpr uint32_t kTracked = 1u << 31;
inline bool isTracked(const SeqHeader *header) { return !header->index && header->mask; }

inline SeqHeader *tableHeader(const Seq *seq) { return static_cast<SeqHeader *>(seq->data) - 1; }

/// Bytes of an index.
inline uint64_t indexBytes(uint32_t mask) { return (uint64_t(mask) + 1) * sizeof(uint32_t); }

/// The slot of a key, or kNoSlot: there is none.
uint32_t tableFind(const TypeDesc *type, const Seq *, const void *key);

/// For a place: the same, and its entry will be changed. Or that of a slot will be.
uint32_t tableFindToChange(const TypeDesc *type, const Seq *, const void *key);
void tableChange(const Seq *, uint32_t slot);

/// For a place: the slot of a key, whose entry will be changed. Adds an entry with a clone of the
/// key and a zero value if there is none.
uint32_t tableSlot(Heap *, const TypeDesc *type, Seq *, const void *key, bool *added);
/// For a place: frees the entry at `slot`.
void tableRemove(Heap *, const TypeDesc *type, Seq *, uint32_t slot);

/// In an arena: makes an empty table with room for `capacity` entries; then adds a key, copied bit
/// by bit, and returns its slot.
void tableReserve(Arena *, const TypeDesc *type, Seq *, uint32_t capacity);
uint32_t tableAdd(const TypeDesc *type, Seq *, const void *key, bool *added);
/// Makes the header of a value whose entries are there, and its index if it is to have one. Returns
/// false if that finds a key twice.
bool tableIndex(Arena *, const TypeDesc *type, Seq *);
/// The index of a place that has none yet. The same.
bool tableIndex(Heap *, const TypeDesc *type, Seq *);

/// An index for a copy of the entries of `from`, which has one, in an arena or in a heap.
uint32_t *copyIndex(Arena *, const TypeDesc *type, const Seq *from, uint32_t *mask);
uint32_t *copyIndex(Heap *, const TypeDesc *type, const Seq *from, uint32_t *mask);

//===--- keys: the common ones have code of their own -----------------------===//

/// Keys are passed by value, in registers, as long as that is possible: a look-up in generated code
/// then stores nothing. `kInline`: a look-up is short enough to be part of generated code.
template <typename T> struct KeyNumber {
  using Value = T;
  static constexpr bool kInline = true;
  static Value load(const void *k) { return sluice::load<T>(k); }
  static const void *address(const Value &k) { return &k; }
  static uint64_t hash(const TypeDesc *, Value k) { return hashBits(k); }
  static bool equal(const TypeDesc *, const void *entry, Value k) { return load(entry) == k; }
};
using Key4 = KeyNumber<uint32_t>;
using Key8 = KeyNumber<uint64_t>;
struct KeyStr {
  using Value = StrWords;
  static constexpr bool kInline = false;
  static Value load(const void *k) { return strWords(static_cast<const Str *>(k)); }
  static const void *address(const Value &k) { return &k; }
  static uint64_t hash(const TypeDesc *, Value k) { return strHash(k); }
  static bool equal(const TypeDesc *, const void *entry, Value k) {
    return strEqual(load(entry), k);
  }
};
struct KeyAny {
  using Value = const void *;
  static constexpr bool kInline = false;
  static Value load(const void *k) { return k; }
  static const void *address(Value k) { return k; }
  static uint64_t hash(const TypeDesc *type, Value k) { return hashValue(type, k); }
  static bool equal(const TypeDesc *type, const void *entry, Value k) {
    return equalValue(type, entry, k);
  }
};

template <typename F> SLUICE_INLINE auto withKey(const TypeDesc *key, F &&f) {
  const Kind kind = key->kind;
  if (kind == Kind::Int32 || kind == Kind::UInt32 || kind == Kind::Enum)
    return f(Key4());
  if (kind == Kind::Int64 || kind == Kind::UInt64)
    return f(Key8());
  if (kind == Kind::RString || kind == Kind::UString || kind == Kind::Xml)
    return f(KeyStr());
  return f(KeyAny());
}

} // namespace sluice
