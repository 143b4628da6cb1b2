//===- Table.h - sets and maps ----------------------------------*- C++ -*-===//
//
// Entries lie dense, in insertion order; removing one moves the last into the
// hole. From kIndexFrom entries on, an index of (hash32 << 32 | slot + 1) in
// open addressing stands beside them. Both are found from the SeqHeader before
// the data. Works on values and places alike; only the functions that take a
// Heap change the table, and those need a place.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Arena.h"
#include "memory/Heap.h"
#include "value/Value.h"

namespace sluice {

constexpr uint32_t kIndexFrom = 16, kNoSlot = ~0u;
/// From this many places in the index on (32 KiB, the first cache) it pays to
/// fetch ahead.
constexpr uint32_t kLargeIndex = 4096;

inline SeqHeader *tableHeader(const Seq *seq) { return static_cast<SeqHeader *>(seq->data) - 1; }

/// The slot of a key, or kNoSlot.
uint32_t tableFind(const TypeDesc *type, const Seq *, const void *key);

/// A place: the slot of a key, adding an entry (the key owned, the value zero)
/// if there is none.
uint32_t tableSlot(Heap *, const TypeDesc *type, Seq *, const void *key, bool *added);
/// A place: frees the entry at `slot`.
void tableRemove(Heap *, const TypeDesc *type, Seq *, uint32_t slot);

/// In an arena: an empty table with room for `capacity` entries, then adding
/// (shallowly) a key; returns its slot.
void tableReserve(Arena *, const TypeDesc *type, Seq *, uint32_t capacity);
uint32_t tableAdd(const TypeDesc *type, Seq *, const void *key, bool *added);

/// The index of `from` (of the same entries) again, in an arena or in a heap.
uint64_t *copyIndex(Arena *, const SeqHeader *from, uint32_t len, uint32_t *mask);
uint64_t *copyIndex(Heap *, const SeqHeader *from, uint32_t len, uint32_t *mask);

} // namespace sluice
