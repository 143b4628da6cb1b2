//===- Table.h - sets and maps ----------------------------------*- C++ -*-===//
//
// Entries are dense, in insertion order; removal moves the last one into the gap. From kIndexFrom
// entries on there is an index, a hash table with open addressing of (hash32 << 32 | slot + 1). The
// SeqHeader before the data leads to both. All functions work on values and places; only those that
// take a Heap change the table, and they need a place.
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

inline SeqHeader *tableHeader(const Seq *seq) { return static_cast<SeqHeader *>(seq->data) - 1; }

/// The slot of a key, or kNoSlot: there is none.
uint32_t tableFind(const TypeDesc *type, const Seq *, const void *key);

/// For a place: the slot of a key. Adds an entry with a clone of the key and a zero value if there
/// is none.
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

/// Copies the index of `from`, which has the same entries, to an arena or to a heap.
uint64_t *copyIndex(Arena *, const SeqHeader *from, uint32_t len, uint32_t *mask);
uint64_t *copyIndex(Heap *, const SeqHeader *from, uint32_t len, uint32_t *mask);

} // namespace sluice
