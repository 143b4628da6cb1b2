//===- Table.cpp - hash tables behind sets and maps -------------*- C++ -*-===//
#include "value/Table.h"
#include "value/Place.h"
#include "value/blocks/TableIndex.h"
#include "value/blocks/TrackedTable.h"

namespace sluice {

static void copyIndexTo(uint32_t *index, uint32_t size, const TypeDesc *type, const Seq *from) {
  if (tableHeader(from)->mask + 1 == size)
    memcpy(index, tableHeader(from)->index, indexBytes(size - 1));
  else
    withKey(type->elem, [&](auto k) { fillIndex<decltype(k)>(index, size, type, from); });
}
uint32_t *copyIndex(Arena *arena, const TypeDesc *type, const Seq *from, uint32_t *mask) {
  uint32_t size = indexSize(from->len);
  auto *index = static_cast<uint32_t *>(arenaAlloc(arena, indexBytes(size - 1), 8));
  copyIndexTo(index, size, type, from);
  *mask = size - 1;
  return index;
}
uint32_t *copyIndex(Heap *heap, const TypeDesc *type, const Seq *from, uint32_t *mask) {
  uint32_t size = indexSize(from->len);
  auto *index = static_cast<uint32_t *>(heapAlloc(heap, indexBytes(size - 1)));
  copyIndexTo(index, size, type, from);
  *mask = size - 1;
  return index;
}

//===--- finding ------------------------------------------------------------===//

/// relaxed: it is compared with the key before it is used. Several threads may read a table of an
/// operator whose state never changes.
static SLUICE_INLINE void setGuess(SeqHeader *header, uint32_t slot) {
  __atomic_store_n(&header->guess, slot, __ATOMIC_RELAXED);
}

/// Among the few entries of a table without an index.
template <typename K>
__attribute__((noinline)) static uint32_t scan(const TypeDesc *type, const void *data, uint32_t len,
                                               typename K::Value key) {
  const char *entry = static_cast<const char *>(data);
  for (uint32_t i = 0; i < len; ++i, entry += type->stride)
    if (K::equal(type->elem, entry, key))
      return i;
  return kNoSlot;
}

/// What a look-up is for. Only that of a table whose changes are known is not the same.
enum class For { Reading, Changing };

template <typename K, For what>
__attribute__((noinline, cold)) static uint32_t searchTracked(const TypeDesc *type, void *data,
                                                              uint32_t len, typename K::Value key) {
  Seq seq = {len, len, data};
  return (what == For::Reading ? trackedFind : trackedFindToChange)(type, &seq, K::address(key));
}

template <typename K, For what>
static SLUICE_INLINE uint32_t searchInline(const TypeDesc *type, const Seq *seq,
                                           typename K::Value key) {
  const SeqHeader *header = tableHeader(seq);
  if (header->index)
    return findHashed<K>(type, seq, {header->index, header->mask}, key, hashOf<K>(type, key));
  if (__builtin_expect(isTracked(header), 0))
    return searchTracked<K, what>(type, seq->data, seq->len, key);
  return scan<K>(type, seq->data, seq->len, key);
}
template <typename K, For what>
__attribute__((noinline)) static uint32_t searchCalled(const TypeDesc *type, void *data,
                                                       uint32_t len, typename K::Value key) {
  Seq seq = {len, 0, data};
  return searchInline<K, what>(type, &seq, key);
}

/// The guess in the header of a place if it is right. Programs look a key up several times in
/// succession: `k in m`, `m[k]++`, `m[k]`. So a slot that was found is the next guess, and row
/// loops guess ahead (sl_try_first). Only a place has one. Where changes are known, only what has
/// changed already is a guess: then it need not be told from what is looked up to be changed.
template <typename K>
static SLUICE_INLINE uint32_t guessed(const TypeDesc *type, const Seq *seq, typename K::Value key) {
  if (!seq->cap)
    return kNoSlot;
  uint32_t guess = __atomic_load_n(&tableHeader(seq)->guess, __ATOMIC_RELAXED); // any will do
  return guess < seq->len && K::equal(type->elem, elementAt(type, seq, guess), key) ? guess
                                                                                    : kNoSlot;
}

template <typename K, For what>
static SLUICE_INLINE uint32_t find(const TypeDesc *type, const Seq *seq, typename K::Value key) {
  if (!seq->len)
    return kNoSlot;
  uint32_t slot = guessed<K>(type, seq, key);
  if (slot != kNoSlot)
    return slot;
  slot = K::kInline ? searchInline<K, what>(type, seq, key)
                    : searchCalled<K, what>(type, seq->data, seq->len, key);
  SeqHeader *header = tableHeader(seq);
  if (seq->cap && slot != kNoSlot && __builtin_expect(!isTracked(header), 1))
    setGuess(header, slot);
  return slot;
}

template <For what>
static SLUICE_INLINE uint32_t findAny(const TypeDesc *type, const Seq *seq, const void *key) {
  return withKey(type->elem, [&](auto k) __attribute__((always_inline)) {
    using K = decltype(k);
    return find<K, what>(type, seq, K::load(key));
  });
}

SLUICE_ENTRY uint32_t tableFind(const TypeDesc *type, const Seq *seq, const void *key) {
  return findAny<For::Reading>(type, seq, key);
}
SLUICE_ENTRY uint32_t tableFindToChange(const TypeDesc *type, const Seq *seq, const void *key) {
  return findAny<For::Changing>(type, seq, key);
}
SLUICE_ENTRY void tableChange(const Seq *seq, uint32_t slot) {
  if (__builtin_expect(isTracked(tableHeader(seq)), 0))
    trackedChange(seq, slot);
}

//===--- looking ahead ------------------------------------------------------===//

static constexpr uint64_t kLine = 64; // bytes of a cache line

/// Fetches the lines of `bytes` bytes, to be written. A power of two up to 16 is in one line: it
/// lies at a multiple of its size.
static SLUICE_INLINE void fetch(const char *p, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += kLine)
    __builtin_prefetch(p + at, 1);
  if (bytes > 16 || (bytes & (bytes - 1)))
    __builtin_prefetch(p + bytes - 1, 1);
}

/// Of a large table.
static SLUICE_INLINE IndexView viewOf(const SeqHeader *header) {
  return header->index ? IndexView{header->index, header->mask} : trackedIndex(header);
}

/// Nothing waits for what is fetched, so that the misses of all keys overlap.
template <typename K>
__attribute__((noinline)) static void fetchPlaces(const TypeDesc *type, const SeqHeader *header,
                                                  const char *keys, uint32_t count,
                                                  uint32_t *hashes) {
  const IndexView of = viewOf(header);
  const uint32_t *index = of.places, mask = of.mask;
  for (uint32_t i = 0; i < count; ++i) {
    hashes[i] = hashOf<K>(type, K::load(keys + uint64_t(i) * type->elem->size));
    __builtin_prefetch(index + (hashes[i] & mask));
  }
}

/// An entry with the hash of the key is guessed to be the key's.
__attribute__((noinline)) static void fetchEntries(const Seq *seq, uint32_t stride, uint32_t count,
                                                   uint32_t *slots) {
  if (!tableHeader(seq)->index)
    return trackedEntries(seq, stride, count, slots);
  const uint32_t *index = tableHeader(seq)->index, mask = tableHeader(seq)->mask;
  const uint32_t tag = tagMask(mask);
  const char *entries = static_cast<const char *>(seq->data);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t hash = slots[i];
    uint32_t at = hash & mask, element = index[at];
    while (element && (element ^ hash) & tag) {
      at = (at + 1) & mask;
      element = index[at];
    }
    slots[i] = (element & mask) - 1; // none: the place is free
    if (element)
      fetch(entries + uint64_t(slots[i]) * stride, stride);
  }
}

/// What is small is in the cache.
static SLUICE_INLINE bool isLarge(const Seq *seq) {
  return seq->len && tableHeader(seq)->mask >= kLargeIndex;
}

} // namespace sluice

using namespace sluice;

extern "C" SLUICE_ENTRY void sl_ahead(const TypeDesc *type, const Seq *seq, const void *keys,
                                      uint64_t count, uint32_t *hashes) {
  if (!isLarge(seq)) {
    memset(hashes, 0xff, kAheadRows * sizeof *hashes);
    return;
  }
  withKey(type->elem, [&](auto k) __attribute__((always_inline)) {
    fetchPlaces<decltype(k)>(type, tableHeader(seq), static_cast<const char *>(keys),
                             uint32_t(count), hashes);
  });
}

/// Of a small table hashes stay, which are wrong guesses.
extern "C" SLUICE_ENTRY void sl_ahead_entries(const TypeDesc *type, const Seq *seq, uint64_t count,
                                              uint32_t *hashes) {
  if (isLarge(seq))
    fetchEntries(seq, type->stride, uint32_t(count), hashes);
}

extern "C" void sl_ahead_ring(const TypeDesc *map, const Seq *seq, const uint32_t *slots,
                              uint64_t count, uint32_t list, uint32_t head, uint32_t elements,
                              uint32_t stride) {
  for (uint64_t i = 0; i < count; ++i) {
    if (slots[i] >= seq->len)
      continue;
    const char *value = elementAt(map, seq, slots[i]) + map->valueOffset;
    const Seq ring = load<Seq>(value + list);
    if (!ring.len)
      continue;
    uint64_t oldest = load<uint64_t>(value + head), mask = ring.len - 1;
    auto *from = static_cast<const char *>(ring.data);
    fetch(from + ((oldest + load<uint64_t>(value + elements)) & mask) * stride, stride);
    fetch(from + ((oldest + 1) & mask) * stride, stride); // once the oldest has left
  }
}

template <typename K>
__attribute__((noinline)) static void fetchIndex(const TypeDesc *type, const char *entry,
                                                 const SeqHeader *header) {
  const IndexView of = viewOf(header);
  __builtin_prefetch(of.places + (hashOf<K>(type, K::load(entry)) & of.mask), 1);
}

extern "C" SLUICE_ENTRY void sl_map_fetch_nth(const TypeDesc *map, const Seq *seq, uint64_t at) {
  if (at < seq->len && isLarge(seq))
    withKey(map->elem, [&](auto k) __attribute__((always_inline)) {
      fetchIndex<decltype(k)>(map, elementAt(map, seq, at), tableHeader(seq));
    });
}

extern "C" SLUICE_ENTRY void sl_try_first(const Seq *seq, uint32_t slot) {
  if (slot < seq->len)
    setGuess(tableHeader(seq), slot);
}

namespace sluice {

//===--- places -------------------------------------------------------------===//

/// An index for as many entries as the buffer has room for.
template <typename K> static void growIndex(Heap *heap, const TypeDesc *type, Seq *seq) {
  SeqHeader *header = tableHeader(seq);
  if (header->index)
    heapFree(heap, header->index, indexBytes(header->mask));
  header->mask = indexSize(seq->cap) - 1;
  header->index = static_cast<uint32_t *>(heapAlloc(heap, indexBytes(header->mask)));
  fillIndex<K>(header->index, header->mask + 1, type, seq);
}

/// Adds an entry for a key that is not there.
template <typename K>
__attribute__((noinline)) static uint32_t add(Heap *heap, const TypeDesc *type, Seq *seq,
                                              typename K::Value key) {
  if (seq->cap && isTracked(tableHeader(seq)))
    return trackedAdd(heap, type, seq, K::address(key));
  uint32_t slot = seq->len;
  // `key` may lie in this table: it is cloned before the buffer moves.
  placePush(heap, type, seq, K::address(key));
  SeqHeader *header = tableHeader(seq);
  setGuess(header, slot);
  if (header->index && (uint64_t(header->mask) + 1) * 3 >= uint64_t(seq->len) * 4)
    indexPut(header->index, header->mask, hashOf<K>(type, K::load(elementAt(type, seq, slot))),
             slot);
  else if (header->index || seq->len >= kIndexFrom)
    growIndex<K>(heap, type, seq);
  return slot;
}

template <typename K>
static SLUICE_INLINE uint32_t findOrAdd(Heap *heap, const TypeDesc *type, Seq *seq,
                                        typename K::Value key, bool *added) {
  uint32_t slot = find<K, For::Changing>(type, seq, key);
  *added = slot == kNoSlot;
  return slot != kNoSlot ? slot : add<K>(heap, type, seq, key);
}

SLUICE_ENTRY uint32_t tableSlot(Heap *heap, const TypeDesc *type, Seq *seq, const void *key,
                                bool *added) {
  return withKey(type->elem, [&](auto k) __attribute__((always_inline)) {
    using K = decltype(k);
    return findOrAdd<K>(heap, type, seq, K::load(key), added);
  });
}

template <typename K>
__attribute__((noinline)) static void removeAt(Heap *heap, const TypeDesc *type, Seq *seq,
                                               uint32_t slot) {
  const SeqHeader *header = tableHeader(seq);
  if (isTracked(header))
    return trackedRemove(heap, type, seq, slot);
  removeEntry<K>(heap, type, seq, {header->index, header->mask}, slot);
}

SLUICE_ENTRY void tableRemove(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t slot) {
  withKey(type->elem, [&](auto k) __attribute__((always_inline)) {
    removeAt<decltype(k)>(heap, type, seq, slot);
  });
}

//===--- in an arena --------------------------------------------------------===//

/// An empty index.
static void makeIndex(Arena *arena, SeqHeader *header, uint32_t capacity) {
  uint32_t size = indexSize(capacity);
  header->index = static_cast<uint32_t *>(arenaAlloc(arena, indexBytes(size - 1), 8));
  memset(header->index, 0, indexBytes(size - 1));
  header->mask = size - 1;
}

void tableReserve(Arena *arena, const TypeDesc *type, Seq *seq, uint32_t capacity) {
  *seq = {};
  if (!capacity)
    return;
  uint64_t bytes = sizeof(SeqHeader) + uint64_t(capacity) * type->stride;
  auto *header = static_cast<SeqHeader *>(arenaAlloc(arena, bytes, 16));
  *header = {};
  seq->data = header + 1;
  if (capacity >= kIndexFrom)
    makeIndex(arena, header, capacity);
}

uint32_t tableAdd(const TypeDesc *type, Seq *seq, const void *key, bool *added) {
  SeqHeader *header = tableHeader(seq);
  uint32_t hash = header->index ? short32(hashValue(type->elem, key)) : 0;
  uint32_t slot = tableFind(type, seq, key);
  *added = slot == kNoSlot;
  if (slot != kNoSlot)
    return slot;
  slot = seq->len++;
  char *entry = elementAt(type, seq, slot);
  memcpy(entry, key, type->elem->size);
  if (type->kind == Kind::Map)
    memset(entry + type->valueOffset, 0, type->value->size);
  if (header->index)
    indexPut(header->index, header->mask, hash, slot);
  return slot;
}

/// Puts all entries into an empty index, unless a key is there twice. Places of a group of keys are
/// fetched together, so that their misses overlap.
template <typename K> static bool putEntries(const TypeDesc *type, const Seq *seq) {
  constexpr uint32_t kGroup = 64;
  const SeqHeader *header = tableHeader(seq);
  const IndexView of = {header->index, header->mask};
  uint32_t hashes[kGroup];
  for (uint32_t first = 0; first < seq->len; first += kGroup) {
    const uint32_t count = seq->len - first < kGroup ? seq->len - first : kGroup;
    for (uint32_t i = 0; i < count; ++i) {
      fetchKey<K>(type, seq, first + i + kGroup);
      hashes[i] = hashOf<K>(type, K::load(elementAt(type, seq, first + i)));
      __builtin_prefetch(of.places + (hashes[i] & of.mask), 1);
    }
    for (uint32_t i = 0; i < count; ++i) {
      auto key = K::load(elementAt(type, seq, first + i));
      if (findHashed<K>(type, seq, of, key, hashes[i]) != kNoSlot)
        return false;
      indexPut(of.places, of.mask, hashes[i], first + i);
    }
  }
  return true;
}

/// Of a table without an index.
static bool hasNoneTwice(const TypeDesc *type, const Seq *seq) {
  return withKey(type->elem, [&](auto k) {
    using K = decltype(k);
    for (uint32_t slot = 1; slot < seq->len; ++slot)
      if (scan<K>(type, seq->data, slot, K::load(elementAt(type, seq, slot))) != kNoSlot)
        return false;
    return true;
  });
}

bool tableIndex(Arena *arena, const TypeDesc *type, Seq *seq) {
  SeqHeader *header = tableHeader(seq);
  *header = {};
  if (seq->len < kIndexFrom)
    return true;
  makeIndex(arena, header, seq->len);
  return withKey(type->elem, [&](auto k) { return putEntries<decltype(k)>(type, seq); });
}

bool tableIndex(Heap *heap, const TypeDesc *type, Seq *seq) {
  if (seq->len < kIndexFrom)
    return hasNoneTwice(type, seq);
  SeqHeader *header = tableHeader(seq);
  header->mask = indexSize(seq->cap) - 1;
  header->index = static_cast<uint32_t *>(heapAlloc(heap, indexBytes(header->mask)));
  memset(header->index, 0, indexBytes(header->mask));
  return withKey(type->elem, [&](auto k) { return putEntries<decltype(k)>(type, seq); });
}

} // namespace sluice
