//===- TrackedTable.h - tables whose changes are known -------------*- C++ -*-===//
//
// What Table.cpp does with sets and maps of which Blocks knows the changes. Not part of the
// bitcode: a look-up that finds no index calls these. By the thread that is inside the table's
// domain.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Heap.h"
#include "value/blocks/TableIndex.h"

namespace sluice {

IndexView trackedIndex(const SeqHeader *);
uint32_t trackedFind(const TypeDesc *, const Seq *, const void *key);
uint32_t trackedFindToChange(const TypeDesc *, const Seq *, const void *key);
/// The entry at that slot will be changed.
void trackedChange(const Seq *, uint32_t slot);
/// Adds an entry for a key that is not there.
uint32_t trackedAdd(Heap *, const TypeDesc *, Seq *, const void *key);
void trackedRemove(Heap *, const TypeDesc *, Seq *, uint32_t slot);
/// All entries will go. What is to be saved of them is kept; then the table is one as any other.
void trackedRelease(Heap *, const TypeDesc *, Seq *);
/// As sl_ahead_entries: fetches entries. Only what has changed already becomes a guess.
void trackedEntries(const Seq *, uint32_t stride, uint32_t count, uint32_t *slots);

} // namespace sluice
