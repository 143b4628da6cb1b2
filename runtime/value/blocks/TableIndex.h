//===- TableIndex.h - the index of a set or map -----------------*- C++ -*-===//
//
// What Table.cpp and TrackedTable.cpp share. The form of an element is in Table.h.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Place.h"
#include "value/Table.h"

namespace sluice {

struct IndexView {
  uint32_t *places;
  uint32_t mask; // their number - 1
};

static SLUICE_INLINE uint32_t short32(uint64_t hash) { return uint32_t(hash >> 32); }

template <typename K>
static SLUICE_INLINE uint32_t hashOf(const TypeDesc *type, typename K::Value key) {
  return short32(K::hash(type->elem, key));
}

static constexpr uint32_t kFar = 15; // of the distance in an element

static inline uint32_t slotBits(uint32_t mask) {
  return uint32_t(__builtin_ctzll(uint64_t(mask) + 1));
}
/// The largest distance that an element can say: it means that or more.
static inline uint32_t farthest(uint32_t mask) {
  return uint32_t(uint64_t(UINT32_MAX) >> slotBits(mask)) & kFar;
}
/// The bits of an element that are those of its hash.
static SLUICE_INLINE uint32_t tagMask(uint32_t mask) { return ~(mask << 4 | kFar); }

static SLUICE_INLINE uint32_t indexElement(uint32_t mask, uint32_t hash, uint32_t distance,
                                           uint32_t slot) {
  uint32_t most = farthest(mask), shown = distance < most ? distance : most;
  return (hash & tagMask(mask)) | uint32_t(uint64_t(shown) << slotBits(mask)) | (slot + 1);
}

static inline void indexPut(uint32_t *index, uint32_t mask, uint32_t hash, uint32_t slot) {
  uint32_t distance = 0;
  while (index[(hash + distance) & mask])
    ++distance;
  index[(hash + distance) & mask] = indexElement(mask, hash, distance, slot);
}

/// The position of `slot` in the index.
static inline uint32_t indexOf(IndexView of, uint32_t hash, uint32_t slot) {
  uint32_t i = hash & of.mask;
  while ((of.places[i] & of.mask) != slot + 1)
    i = (i + 1) & of.mask;
  return i;
}

/// How far an element is from its home. Where it does not say so, its key is hashed again.
template <typename K>
static uint32_t distanceAt(const TypeDesc *type, const Seq *seq, IndexView of, uint32_t i) {
  uint32_t element = of.places[i], mask = of.mask;
  uint32_t shown = uint32_t(uint64_t(element) >> slotBits(mask)) & kFar;
  if (shown < farthest(mask))
    return shown;
  const char *entry = elementAt(type, seq, (element & mask) - 1);
  return (i - hashOf<K>(type, K::load(entry))) & mask;
}

/// Frees position i and closes the gap.
template <typename K>
static void indexErase(const TypeDesc *type, const Seq *seq, IndexView of, uint32_t i) {
  uint32_t *index = of.places, mask = of.mask;
  for (uint32_t j = (i + 1) & mask; index[j]; j = (j + 1) & mask) {
    uint32_t distance = distanceAt<K>(type, seq, of, j), step = (j - i) & mask;
    if (distance < step)
      continue;
    // The element serves as its hash: it has those bits of it that are shown.
    index[i] = indexElement(mask, index[j], distance - step, (index[j] & mask) - 1);
    i = j;
  }
  index[i] = 0;
}

/// A power of two that keeps `len` entries below three quarters. Below three eighths while the
/// index is much smaller than the first cache: fewer steps are cheaper than memory there.
static inline uint32_t indexSize(uint32_t len) {
  constexpr uint32_t kSmall = 4096; // places
  uint32_t size = 32;
  while (uint64_t(size) * 3 < uint64_t(len) * 4 || (size < kSmall && size * 3 < len * 8))
    size *= 2;
  return size;
}

/// Fetches what a hash reads beside the entry: text that is not inline. Only a hint.
template <typename K> static void fetchKey(const TypeDesc *type, const Seq *seq, uint32_t slot) {
  if constexpr (__is_same(K, KeyStr))
    if (slot < seq->len)
      __builtin_prefetch(farText(K::load(elementAt(type, seq, slot))));
}

/// Puts all entries into an index.
template <typename K>
__attribute__((noinline)) static void fillIndex(uint32_t *index, uint32_t size,
                                                const TypeDesc *type, const Seq *seq) {
  constexpr uint32_t kAhead = 16;
  memset(index, 0, indexBytes(size - 1));
  for (uint32_t i = 0; i < seq->len; ++i) {
    fetchKey<K>(type, seq, i + kAhead);
    indexPut(index, size - 1, hashOf<K>(type, K::load(elementAt(type, seq, i))), i);
  }
}

/// The slot of a key with that hash, or kNoSlot.
template <typename K>
static SLUICE_INLINE uint32_t findHashed(const TypeDesc *type, const Seq *seq, IndexView of,
                                         typename K::Value key, uint32_t hash) {
  const uint32_t mask = of.mask, tag = tagMask(mask);
  for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
    uint32_t element = of.places[i], slot = (element & mask) - 1;
    if (!element)
      return kNoSlot;
    if (!((element ^ hash) & tag) && K::equal(type->elem, elementAt(type, seq, slot), key))
      return slot;
  }
}

/// Frees the entry at `slot`, and moves the last one there.
template <typename K>
static void removeEntry(Heap *heap, const TypeDesc *type, Seq *seq, IndexView of, uint32_t slot) {
  char *entry = elementAt(type, seq, slot);
  uint32_t last = seq->len - 1;
  char *lastEntry = elementAt(type, seq, last);
  if (of.places) {
    indexErase<K>(type, seq, of, indexOf(of, hashOf<K>(type, K::load(entry)), slot));
    if (slot != last) {
      uint32_t at = indexOf(of, hashOf<K>(type, K::load(lastEntry)), last);
      of.places[at] = (of.places[at] & ~of.mask) | (slot + 1);
    }
  }
  disownEntry(heap, type, entry);
  if (slot != last)
    memcpy(entry, lastEntry, type->stride);
  --seq->len;
}

} // namespace sluice
