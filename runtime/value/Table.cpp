//===- Table.cpp - hash tables behind sets and maps -------------*- C++ -*-===//
#include "value/Table.h"
#include "value/Place.h"

namespace sluice {

//===--- keys: the common ones have code of their own -----------------------===//

namespace {
struct Key4 {
  static uint64_t hash(const TypeDesc *, const void *k) { return hashBits(load<uint32_t>(k)); }
  static bool equal(const TypeDesc *, const void *a, const void *b) {
    return load<uint32_t>(a) == load<uint32_t>(b);
  }
};
struct Key8 {
  static uint64_t hash(const TypeDesc *, const void *k) { return hashBits(load<uint64_t>(k)); }
  static bool equal(const TypeDesc *, const void *a, const void *b) {
    return load<uint64_t>(a) == load<uint64_t>(b);
  }
};
struct KeyStr {
  static uint64_t hash(const TypeDesc *, const void *k) {
    return strHash(static_cast<const Str *>(k));
  }
  static bool equal(const TypeDesc *, const void *a, const void *b) {
    return strEqual(static_cast<const Str *>(a), static_cast<const Str *>(b));
  }
};
struct KeyAny {
  static uint64_t hash(const TypeDesc *type, const void *k) { return hashValue(type, k); }
  static bool equal(const TypeDesc *type, const void *a, const void *b) {
    return equalValue(type, a, b);
  }
};
} // namespace

template <typename F> SLUICE_INLINE auto withKey(const TypeDesc *key, F &&f) {
  switch (key->kind) {
  case Kind::Int32:
  case Kind::UInt32:
  case Kind::Enum:
    return f(Key4());
  case Kind::Int64:
  case Kind::UInt64:
    return f(Key8());
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml:
    return f(KeyStr());
  case Kind::Blob:
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::Float32:
  case Kind::Float64:
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Timestamp:
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
  case Kind::Optional:
  case Kind::Tuple:
    return f(KeyAny());
  }
  __builtin_unreachable();
}

//===--- the index ----------------------------------------------------------===//

static SLUICE_INLINE uint32_t short32(uint64_t hash) { return uint32_t(hash >> 32); }
static SLUICE_INLINE uint64_t indexEntry(uint32_t hash, uint32_t slot) {
  return uint64_t(hash) << 32 | (slot + 1);
}

static void indexPut(uint64_t *index, uint32_t mask, uint64_t entry) {
  uint32_t i = uint32_t(entry >> 32) & mask;
  while (index[i])
    i = (i + 1) & mask;
  index[i] = entry;
}

/// The position of `slot` in the index.
static uint32_t indexOf(const SeqHeader *header, uint32_t hash, uint32_t slot) {
  uint32_t i = hash & header->mask;
  while (header->index[i] != indexEntry(hash, slot))
    i = (i + 1) & header->mask;
  return i;
}

/// Removes position i and closes the gap.
static void indexErase(SeqHeader *header, uint32_t i) {
  uint64_t *index = header->index;
  uint32_t mask = header->mask;
  for (uint32_t j = (i + 1) & mask; index[j]; j = (j + 1) & mask) {
    uint32_t home = uint32_t(index[j] >> 32) & mask;
    if (((j - home) & mask) >= ((j - i) & mask)) {
      index[i] = index[j];
      i = j;
    }
  }
  index[i] = 0;
}

/// A power of two that keeps `len` entries below three quarters.
static uint32_t indexSize(uint32_t len) {
  uint32_t size = 32;
  while (uint64_t(size) * 3 < uint64_t(len) * 4)
    size *= 2;
  return size;
}

static void fillIndex(uint64_t *index, uint32_t size, const SeqHeader *from, uint32_t len) {
  if (from->mask + 1 == size) {
    memcpy(index, from->index, uint64_t(size) * 8);
    return;
  }
  memset(index, 0, uint64_t(size) * 8);
  for (uint32_t i = 0, left = len; left; ++i)
    if (from->index[i]) {
      indexPut(index, size - 1, from->index[i]);
      --left;
    }
}
uint64_t *copyIndex(Arena *arena, const SeqHeader *from, uint32_t len, uint32_t *mask) {
  uint32_t size = indexSize(len);
  auto *index = static_cast<uint64_t *>(arenaAlloc(arena, uint64_t(size) * 8, 8));
  fillIndex(index, size, from, len);
  *mask = size - 1;
  return index;
}
uint64_t *copyIndex(Heap *heap, const SeqHeader *from, uint32_t len, uint32_t *mask) {
  uint32_t size = indexSize(len);
  auto *index = static_cast<uint64_t *>(heapAlloc(heap, uint64_t(size) * 8));
  fillIndex(index, size, from, len);
  *mask = size - 1;
  return index;
}

//===--- finding ------------------------------------------------------------===//

template <typename K>
static SLUICE_INLINE uint32_t findHashed(const TypeDesc *type, const Seq *seq, const void *key,
                                         uint32_t hash) {
  const SeqHeader *header = tableHeader(seq);
  for (uint32_t i = hash & header->mask;; i = (i + 1) & header->mask) {
    uint64_t entry = header->index[i];
    if (!entry)
      return kNoSlot;
    uint32_t slot = uint32_t(entry) - 1;
    if (uint32_t(entry >> 32) == hash && K::equal(type->elem, elementAt(type, seq, slot), key))
      return slot;
  }
}

/// relaxed: it is compared with the key before it is used. Several threads may read a table of an
/// operator whose state never changes.
static SLUICE_INLINE void setGuess(SeqHeader *header, uint32_t slot) {
  __atomic_store_n(&header->guess, slot, __ATOMIC_RELAXED);
}

template <typename K>
__attribute__((noinline)) static uint32_t search(const TypeDesc *type, const Seq *seq,
                                                 const void *key) {
  if (SeqHeader *header = tableHeader(seq); header->index) {
    uint32_t slot = findHashed<K>(type, seq, key, short32(K::hash(type->elem, key)));
    if (seq->cap && slot != kNoSlot)
      setGuess(header, slot);
    return slot;
  }
  const char *entry = static_cast<const char *>(seq->data);
  for (uint32_t i = 0; i < seq->len; ++i, entry += type->stride)
    if (K::equal(type->elem, entry, key))
      return i;
  return kNoSlot;
}

/// The guess in the header of a place if it is right. Programs look a key up several times in
/// succession: `k in m`, `m[k]++`, `m[k]`. So a slot that was found is the next guess, and row
/// loops guess ahead (sl_try_first). Only a place has one.
template <typename K>
static SLUICE_INLINE uint32_t guessed(const TypeDesc *type, const Seq *seq, const void *key) {
  if (!seq->cap)
    return kNoSlot;
  uint32_t guess = __atomic_load_n(&tableHeader(seq)->guess, __ATOMIC_RELAXED); // any will do
  return guess < seq->len && K::equal(type->elem, elementAt(type, seq, guess), key) ? guess
                                                                                    : kNoSlot;
}

template <typename K>
static SLUICE_INLINE uint32_t find(const TypeDesc *type, const Seq *seq, const void *key) {
  if (!seq->len)
    return kNoSlot;
  uint32_t slot = guessed<K>(type, seq, key);
  return slot != kNoSlot ? slot : search<K>(type, seq, key);
}

SLUICE_ENTRY uint32_t tableFind(const TypeDesc *type, const Seq *seq, const void *key) {
  return withKey(type->elem, [&](auto k) { return find<decltype(k)>(type, seq, key); });
}

//===--- looking ahead ------------------------------------------------------===//

static constexpr uint64_t kLine = 64; // bytes of a cache line

/// Fetches the lines of `bytes` bytes, to be written.
static SLUICE_INLINE void fetch(const char *p, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += kLine)
    __builtin_prefetch(p + at, 1);
  __builtin_prefetch(p + bytes - 1, 1);
}

/// All keys are hashed before the first one is looked for, so that the misses of the index overlap;
/// so do those of the entries, which nothing waits for. An entry with the hash of the key is
/// guessed to be the key's.
template <typename K>
__attribute__((noinline)) static void ahead(const TypeDesc *type, const Seq *seq, const char *keys,
                                            uint32_t count, uint32_t *slots) {
  const SeqHeader header = *tableHeader(seq);
  uint32_t hashes[kAheadRows];
  for (uint32_t i = 0; i < count; ++i) {
    hashes[i] = short32(K::hash(type->elem, keys + uint64_t(i) * type->elem->size));
    __builtin_prefetch(header.index + (hashes[i] & header.mask));
  }
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = hashes[i] & header.mask;
    uint64_t entry = header.index[at];
    while (entry && uint32_t(entry >> 32) != hashes[i]) {
      at = (at + 1) & header.mask;
      entry = header.index[at];
    }
    slots[i] = uint32_t(entry) - 1; // none: no entry is 0
    if (entry)
      fetch(elementAt(type, seq, slots[i]), type->stride);
  }
}

} // namespace sluice

using namespace sluice;

extern "C" SLUICE_ENTRY void sl_ahead(const TypeDesc *type, const Seq *seq, const void *keys,
                                      uint64_t count, uint32_t *slots) {
  if (!seq->data || tableHeader(seq)->mask < kLargeIndex) { // what is small is in the cache
    memset(slots, 0xff, count * sizeof *slots);
    return;
  }
  withKey(type->elem, [&](auto k) {
    ahead<decltype(k)>(type, seq, static_cast<const char *>(keys), uint32_t(count), slots);
  });
}

extern "C" void sl_ahead_ring(const TypeDesc *map, const Seq *seq, const uint32_t *slots,
                              uint64_t count, uint32_t list, uint32_t head, uint32_t elements,
                              uint32_t stride) {
  for (uint64_t i = 0; i < count; ++i) {
    if (slots[i] == kNoSlot)
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

extern "C" SLUICE_ENTRY void sl_try_first(const Seq *seq, uint32_t slot) {
  if (seq->cap)
    setGuess(tableHeader(seq), slot);
}

namespace sluice {

//===--- places -------------------------------------------------------------===//

static void growIndex(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t capacity) {
  SeqHeader *header = tableHeader(seq);
  SeqHeader old = *header;
  uint32_t size = indexSize(capacity);
  header->index = static_cast<uint64_t *>(heapAlloc(heap, uint64_t(size) * 8));
  header->mask = size - 1;
  if (old.index) {
    fillIndex(header->index, size, &old, seq->len);
    heapFree(heap, old.index, (uint64_t(old.mask) + 1) * 8);
    return;
  }
  memset(header->index, 0, uint64_t(size) * 8);
  for (uint32_t i = 0; i < seq->len; ++i)
    indexPut(header->index, header->mask,
             indexEntry(short32(hashValue(type->elem, elementAt(type, seq, i))), i));
}

template <typename K>
__attribute__((noinline)) static uint32_t searchOrAdd(Heap *heap, const TypeDesc *type, Seq *seq,
                                                      const void *key, bool *added) {
  bool indexed = seq->data && tableHeader(seq)->index;
  uint32_t hash = indexed || seq->len + 1 >= kIndexFrom ? short32(K::hash(type->elem, key)) : 0;
  uint32_t slot = indexed ? findHashed<K>(type, seq, key, hash) : find<K>(type, seq, key);
  *added = slot == kNoSlot;
  if (slot != kNoSlot) {
    setGuess(tableHeader(seq), slot);
    return slot;
  }
  slot = seq->len;
  // `key` may lie in this table: it is cloned before the buffer moves.
  placePush(heap, type, seq, key);
  SeqHeader *header = tableHeader(seq);
  setGuess(header, slot);
  if (header->index && (uint64_t(header->mask) + 1) * 3 >= uint64_t(seq->len) * 4)
    indexPut(header->index, header->mask, indexEntry(hash, slot));
  else if (header->index || seq->len >= kIndexFrom) {
    if (header->index)
      --seq->len; // the old index does not know the new entry
    growIndex(heap, type, seq, seq->cap);
    if (slot == seq->len) {
      ++seq->len;
      indexPut(tableHeader(seq)->index, tableHeader(seq)->mask, indexEntry(hash, slot));
    }
  }
  return slot;
}

template <typename K>
static SLUICE_INLINE uint32_t findOrAdd(Heap *heap, const TypeDesc *type, Seq *seq, const void *key,
                                        bool *added) {
  *added = false;
  uint32_t slot = guessed<K>(type, seq, key);
  return slot != kNoSlot ? slot : searchOrAdd<K>(heap, type, seq, key, added);
}

SLUICE_ENTRY uint32_t tableSlot(Heap *heap, const TypeDesc *type, Seq *seq, const void *key,
                                bool *added) {
  return withKey(type->elem,
                 [&](auto k) { return findOrAdd<decltype(k)>(heap, type, seq, key, added); });
}

void tableRemove(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t slot) {
  char *entry = elementAt(type, seq, slot);
  uint32_t last = seq->len - 1;
  char *lastEntry = elementAt(type, seq, last);
  SeqHeader *header = tableHeader(seq);
  if (header->index) {
    indexErase(header, indexOf(header, short32(hashValue(type->elem, entry)), slot));
    if (slot != last) {
      uint32_t hash = short32(hashValue(type->elem, lastEntry));
      header->index[indexOf(header, hash, last)] = indexEntry(hash, slot);
    }
  }
  disownEntry(heap, type, entry);
  if (slot != last)
    memcpy(entry, lastEntry, type->stride);
  --seq->len;
}

//===--- in an arena --------------------------------------------------------===//

/// An empty index.
static void makeIndex(Arena *arena, SeqHeader *header, uint32_t capacity) {
  uint32_t size = indexSize(capacity);
  header->index = static_cast<uint64_t *>(arenaAlloc(arena, uint64_t(size) * 8, 8));
  memset(header->index, 0, uint64_t(size) * 8);
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
    indexPut(header->index, header->mask, indexEntry(hash, slot));
  return slot;
}

/// Puts all entries into an empty index, unless a key is there twice.
template <typename K> static bool putEntries(const TypeDesc *type, const Seq *seq) {
  SeqHeader *header = tableHeader(seq);
  for (uint32_t slot = 0; slot < seq->len; ++slot) {
    const char *key = elementAt(type, seq, slot);
    uint32_t hash = short32(K::hash(type->elem, key));
    if (findHashed<K>(type, seq, key, hash) != kNoSlot)
      return false;
    indexPut(header->index, header->mask, indexEntry(hash, slot));
  }
  return true;
}

bool tableIndex(Arena *arena, const TypeDesc *type, Seq *seq) {
  SeqHeader *header = tableHeader(seq);
  *header = {};
  if (seq->len < kIndexFrom)
    return true;
  makeIndex(arena, header, seq->len);
  return withKey(type->elem, [&](auto k) { return putEntries<decltype(k)>(type, seq); });
}

} // namespace sluice
