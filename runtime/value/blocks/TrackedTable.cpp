//===- TrackedTable.cpp - tables whose changes are known --------------------===//
#include "value/blocks/TrackedTable.h"
#include "value/blocks/Blocks.h"

namespace sluice {

static Blocks &blocksOf(const Seq *seq) { return *Blocks::of(tableHeader(seq)); }

/// relaxed: as the guess of any table.
static void setGuess(const Seq *seq, uint32_t slot) {
  __atomic_store_n(&tableHeader(seq)->guess, slot, __ATOMIC_RELAXED);
}

IndexView trackedIndex(const SeqHeader *header) { return Blocks::of(header)->index(); }

uint32_t trackedFind(const TypeDesc *type, const Seq *seq, const void *key) {
  return withKey(type->elem, [&](auto k) {
    using K = decltype(k);
    auto value = K::load(key);
    return findHashed<K>(type, seq, blocksOf(seq).index(), value, hashOf<K>(type, value));
  });
}

uint32_t trackedFindToChange(const TypeDesc *type, const Seq *seq, const void *key) {
  uint32_t slot = trackedFind(type, seq, key);
  if (slot != kNoSlot)
    trackedChange(seq, slot);
  return slot;
}

void trackedChange(const Seq *seq, uint32_t slot) {
  blocksOf(seq).change(slot);
  setGuess(seq, slot);
}

uint32_t trackedAdd(Heap *heap, const TypeDesc *type, Seq *seq, const void *key) {
  Blocks &blocks = blocksOf(seq);
  const uint32_t slot = seq->len;
  if (slot == seq->cap)
    blocks.grow(seq, [&] { placeReserve(heap, type, seq, uint64_t(slot) + 1); }, key);
  blocks.change(slot);
  placePush(heap, type, seq, key);
  setGuess(seq, slot);
  withKey(type->elem, [&](auto k) {
    using K = decltype(k);
    IndexView of = blocks.index();
    if ((uint64_t(of.mask) + 1) * 3 >= uint64_t(seq->len) * 4)
      return indexPut(of.places, of.mask, hashOf<K>(type, K::load(elementAt(type, seq, slot))),
                      slot);
    heapFree(heap, of.places, indexBytes(of.mask));
    of.mask = indexSize(seq->cap) - 1;
    of.places = static_cast<uint32_t *>(heapAlloc(heap, indexBytes(of.mask)));
    fillIndex<K>(of.places, of.mask + 1, type, seq);
    blocks.setIndex(of);
  });
  return slot;
}

void trackedRemove(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t slot) {
  Blocks &blocks = blocksOf(seq);
  blocks.change(slot);
  blocks.change(seq->len - 1);
  withKey(type->elem,
          [&](auto k) { removeEntry<decltype(k)>(heap, type, seq, blocks.index(), slot); });
}

void trackedRelease(Heap *heap, const TypeDesc *type, Seq *seq) {
  SeqHeader *header = tableHeader(seq);
  Blocks &blocks = *Blocks::of(header);
  IndexView of = blocks.index();
  const uint64_t bytes = heapRound(bufferBytes(type, seq->cap));
  if (blocks.release(header, bytes)) { // who saves has the buffer now
    heapFree(heap, of.places, indexBytes(of.mask));
    *seq = {};
    return;
  }
  *header = {of.places, of.mask, kNoSlot};
}

void trackedEntries(const Seq *seq, uint32_t stride, uint32_t count, uint32_t *slots) {
  const Blocks &blocks = blocksOf(seq);
  const IndexView of = blocks.index();
  const uint32_t tag = tagMask(of.mask);
  const char *entries = static_cast<const char *>(seq->data);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = slots[i] & of.mask, element = of.places[at];
    for (; element && (element ^ slots[i]) & tag; element = of.places[at])
      at = (at + 1) & of.mask;
    const uint32_t slot = (element & of.mask) - 1;
    slots[i] = kNoSlot;
    if (!element)
      continue;
    const char *entry = entries + uint64_t(slot) * stride;
    for (uint64_t byte = 0; byte < stride; byte += 64) // a line of the cache
      __builtin_prefetch(entry + byte, 1);
    __builtin_prefetch(entry + stride - 1, 1);
    if (blocks.hasChanged(slot))
      slots[i] = slot;
  }
}

} // namespace sluice
