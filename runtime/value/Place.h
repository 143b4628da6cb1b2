//===- Place.h - values that own their buffers ------------------*- C++ -*-===//
//
// The buffers of a place come from a Heap. What is stored in a place is cloned, and what is removed
// from it is freed. The size of a buffer follows from the capacity, so that the heap needs no
// header.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Heap.h"
#include "value/Value.h"

namespace sluice {

void ownSlow(Heap *, const TypeDesc *, void *);
void disownSlow(Heap *, const TypeDesc *, void *);

/// For bytes that were copied bit by bit from a value: clones what they point to.
SLUICE_INLINE void ownPayload(Heap *heap, const TypeDesc *type, void *v) {
  if (!type->plain)
    ownSlow(heap, type, v);
}
/// Frees what a place owns and leaves its bytes as they are.
SLUICE_INLINE void disown(Heap *heap, const TypeDesc *type, void *v) {
  if (!type->plain)
    disownSlow(heap, type, v);
}
SLUICE_INLINE void disownEntry(Heap *heap, const TypeDesc *type, char *entry) {
  disown(heap, type->elem, entry);
  if (type->kind == Kind::Map)
    disown(heap, type->value, entry + type->valueOffset);
}

/// Bytes of the buffer of a list, set or map with this capacity.
SLUICE_INLINE uint64_t bufferBytes(const TypeDesc *type, uint64_t cap) {
  return cap * type->stride + (isHashed(type) ? sizeof(SeqHeader) : 0);
}
/// Allocates a buffer for at least `cap` elements; sets data and cap, nothing else.
void newBuffer(Heap *, const TypeDesc *, Seq *, uint64_t cap);
void freeBuffer(Heap *, const TypeDesc *, Seq *);
/// Makes room for `len` elements, growing geometrically.
void placeReserve(Heap *, const TypeDesc *, Seq *, uint64_t len);
/// Appends a clone of an element (map: of a key, with a zero value). The element may lie in the
/// buffer itself. Does not update an index.
void placePush(Heap *, const TypeDesc *, Seq *, const void *elem);
/// Inserts `count` clones, laid out by stride, before index `at` of a list.
void placeInsert(Heap *, const TypeDesc *, Seq *, uint32_t at, const void *elems, uint32_t count);
/// Frees and closes up the elements [from, to) of a list.
void placeErase(Heap *, const TypeDesc *, Seq *, uint32_t from, uint32_t to);
/// Frees all elements and keeps the buffer.
void placeClear(Heap *, const TypeDesc *, Seq *);

/// Makes an rstring place `len` bytes long and keeps its first `keep` bytes. Returns its bytes.
char *strResize(Heap *, Str *place, uint32_t len, uint32_t keep);

} // namespace sluice
