//===- Place.cpp - owning, assigning, growing -------------------*- C++ -*-===//
//
// All functions clone the new value before they free the old one, because the new one may lie in
// the old one.
//
//===----------------------------------------------------------------------===//
#include "value/Place.h"
#include "value/Table.h"
#include "value/blocks/TrackedTable.h"

namespace sluice {

//===--- rstring ------------------------------------------------------------===//

static uint64_t strCapacity(const Str *s) { return load<uint64_t>(s->far.ptr - 8); }

static char *newText(Heap *heap, uint64_t len) {
  uint64_t bytes = heapRound(len + 8);
  char *p = static_cast<char *>(heapAlloc(heap, bytes));
  store<uint64_t>(p, bytes - 8);
  return p + 8;
}
static void freeText(Heap *heap, const Str *s) {
  if (s->len > Str::kInline)
    heapFree(heap, const_cast<char *>(s->far.ptr) - 8, strCapacity(s) + 8);
}
static void ownStr(Heap *heap, Str *s) {
  if (s->len <= Str::kInline)
    return;
  char *text = newText(heap, s->len);
  memcpy(text, s->far.ptr, s->len);
  s->far.ptr = text;
}

__attribute__((noinline)) static void assignStr(Heap *heap, Str *place, const Str *src) {
  if (place == src)
    return;
  Str value = *src;
  if (value.len <= Str::kInline) {
    freeText(heap, place);
    *place = value;
    return;
  }
  if (place->len > Str::kInline && strCapacity(place) >= value.len) {
    char *text = const_cast<char *>(place->far.ptr);
    memmove(text, value.far.ptr, value.len);
    value.far.ptr = text;
    *place = value;
    return;
  }
  ownStr(heap, &value);
  freeText(heap, place);
  *place = value;
}

char *strResize(Heap *heap, Str *place, uint32_t len, uint32_t keep) {
  bool far = place->len > Str::kInline;
  if (len <= Str::kInline) {
    if (far) {
      Str old = *place;
      memcpy(place->inl, old.far.ptr, keep);
      freeText(heap, &old);
    }
    memset(place->inl + keep, 0, Str::kInline - keep);
    place->len = len;
    return place->inl;
  }
  if (!far || strCapacity(place) < len) {
    char *text =
        newText(heap, far && len < 2 * uint64_t(place->len) ? 2 * uint64_t(place->len) : len);
    memcpy(text, place->data(), keep);
    freeText(heap, place);
    memcpy(place->far.prefix, text, 4);
    place->far.ptr = text;
  }
  place->len = len;
  return const_cast<char *>(place->far.ptr);
}

//===--- any type -----------------------------------------------------------===//

/// Loads member by member: the last store may have been that of the length alone, and a wider load
/// would wait for it.
static SLUICE_INLINE Seq loadSeq(const Seq *seq) {
  return {__atomic_load_n(&seq->len, __ATOMIC_RELAXED),
          __atomic_load_n(&seq->cap, __ATOMIC_RELAXED), seq->data};
}

static void ownSeq(Heap *heap, const TypeDesc *type, Seq *seq) {
  Seq from = loadSeq(seq);
  seq->cap = 0;
  seq->data = nullptr;
  if (!from.len)
    return;
  newBuffer(heap, type, seq, from.len);
  memcpy(seq->data, from.data, uint64_t(from.len) * type->stride);
  if (isHashed(type)) {
    const SeqHeader *old = tableHeader(&from);
    SeqHeader *header = tableHeader(seq);
    if (old->index || isTracked(old))
      header->index = copyIndex(heap, type, &from, &header->mask);
  }
  bool isMap = type->kind == Kind::Map;
  if (type->elem->plain && !(isMap && !type->value->plain))
    return;
  for (uint32_t i = 0; i < seq->len; ++i) {
    char *entry = elementAt(type, seq, i);
    ownPayload(heap, type->elem, entry);
    if (isMap)
      ownPayload(heap, type->value, entry + type->valueOffset);
  }
}

static void disownElements(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t from, uint32_t to) {
  if (type->elem->plain && !(type->kind == Kind::Map && !type->value->plain))
    return;
  for (uint32_t i = from; i < to; ++i)
    disownEntry(heap, type, elementAt(type, seq, i));
}

/// Before all entries are freed.
static SLUICE_INLINE void letGo(Heap *heap, const TypeDesc *type, Seq *seq) {
  if (isHashed(type) && seq->cap && isTracked(tableHeader(seq)))
    trackedRelease(heap, type, seq);
}

/// Whether it is a text of the kind that most are, and inline: there is nothing to own.
static SLUICE_INLINE bool isInlineText(const TypeDesc *type, const void *v) {
  return type->kind == Kind::RString && static_cast<const Str *>(v)->len <= Str::kInline;
}

/// Calls f(type, address) for each part of a value that may own something.
template <typename F> static SLUICE_INLINE void forEachPart(const TypeDesc *type, void *v, F f) {
  for (uint32_t i = 0; i < type->count; ++i) {
    const TypeDesc *part = type->fields[i].type;
    void *at = static_cast<char *>(v) + type->fields[i].offset;
    if (!part->plain && !isInlineText(part, at))
      f(part, at);
  }
}

__attribute__((noinline)) void ownSlow(Heap *heap, const TypeDesc *type, void *v) {
  if (isInlineText(type, v))
    return;
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return;
  case Storage::Text:
    return ownStr(heap, static_cast<Str *>(v));
  case Storage::Sequence:
    return ownSeq(heap, type, static_cast<Seq *>(v));
  case Storage::Parts:
    return forEachPart(type, v, [&](auto *part, void *at) { ownSlow(heap, part, at); });
  }
}

__attribute__((noinline)) void disownSlow(Heap *heap, const TypeDesc *type, void *v) {
  if (isInlineText(type, v))
    return;
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return;
  case Storage::Text:
    return freeText(heap, static_cast<Str *>(v));
  case Storage::Sequence: {
    auto *seq = static_cast<Seq *>(v);
    letGo(heap, type, seq);
    if (!seq->cap)
      return;
    disownElements(heap, type, seq, 0, seq->len);
    return freeBuffer(heap, type, seq);
  }
  case Storage::Parts:
    return forEachPart(type, v, [&](auto *part, void *at) { disownSlow(heap, part, at); });
  }
}

//===--- buffers ------------------------------------------------------------===//

static void setBuffer(const TypeDesc *type, Seq *seq, char *p, uint64_t bytes) {
  uint64_t head = bufferBytes(type, 0), fits = (bytes - head) / type->stride;
  seq->data = p + head;
  seq->cap = fits > UINT32_MAX ? UINT32_MAX : uint32_t(fits);
}

void newBuffer(Heap *heap, const TypeDesc *type, Seq *seq, uint64_t cap) {
  uint64_t bytes = heapRound(bufferBytes(type, cap));
  char *p = static_cast<char *>(heapAlloc(heap, bytes));
  if (isHashed(type))
    store(p, SeqHeader{});
  setBuffer(type, seq, p, bytes);
}

void freeBuffer(Heap *heap, const TypeDesc *type, Seq *seq) {
  char *p = static_cast<char *>(seq->data);
  if (isHashed(type)) {
    SeqHeader *header = tableHeader(seq);
    if (header->index)
      heapFree(heap, header->index, indexBytes(header->mask));
    p -= sizeof(SeqHeader);
  }
  heapFree(heap, p, bufferBytes(type, seq->cap));
}

/// A larger buffer with the same elements, moved bit by bit.
static void growBuffer(Heap *heap, const TypeDesc *type, Seq *seq, uint64_t cap) {
  if (!seq->cap)
    return newBuffer(heap, type, seq, cap);
  uint64_t old = heapRound(bufferBytes(type, seq->cap)), bytes = heapRound(bufferBytes(type, cap));
  char *start = static_cast<char *>(seq->data) - bufferBytes(type, 0);
  void *p = heapGrow(heap, start, old, bytes);
  setBuffer(type, seq, static_cast<char *>(p), bytes);
}

void placeReserve(Heap *heap, const TypeDesc *type, Seq *seq, uint64_t len) {
  if (len <= seq->cap)
    return;
  uint64_t cap = 2 * uint64_t(seq->cap);
  growBuffer(heap, type, seq, cap < len ? (len < 4 ? 4 : len) : cap);
}

/// How many elements the first buffer of a collection takes.
static uint64_t firstCapacity(const TypeDesc *type) {
  static constexpr uint64_t kLeast = 4, kBytes = 128;
  return type->kind != Kind::List || type->stride > kBytes / kLeast ? kLeast
                                                                    : kBytes / type->stride;
}

void placePush(Heap *heap, const TypeDesc *type, Seq *seq, const void *elem) {
  Seq old = loadSeq(seq);
  if (old.len == old.cap) {
    growBuffer(heap, type, seq, old.cap ? 2 * uint64_t(old.cap) : firstCapacity(type));
    uint64_t at = uintptr_t(elem) - uintptr_t(old.data);
    if (at < uint64_t(old.len) * type->stride) // an element of this list
      elem = static_cast<char *>(seq->data) + at;
  }
  char *slot = elementAt(type, seq, old.len);
  memcpy(slot, elem, type->elem->size);
  ownPayload(heap, type->elem, slot);
  if (type->kind == Kind::Map)
    memset(slot + type->valueOffset, 0, type->value->size);
  seq->len = old.len + 1;
}

void placeInsert(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t at, const void *elems,
                 uint32_t count) {
  if (!count)
    return;
  // The clones are made elsewhere first: elems may lie in the part that moves.
  Seq clones = {count, 0, const_cast<void *>(elems)};
  ownSeq(heap, type, &clones);
  placeReserve(heap, type, seq, uint64_t(seq->len) + count);
  char *hole = elementAt(type, seq, at);
  memmove(hole + uint64_t(count) * type->stride, hole, uint64_t(seq->len - at) * type->stride);
  memcpy(hole, clones.data, uint64_t(count) * type->stride);
  seq->len += count;
  freeBuffer(heap, type, &clones);
}

void placeErase(Heap *heap, const TypeDesc *type, Seq *seq, uint32_t from, uint32_t to) {
  disownElements(heap, type, seq, from, to);
  if (to < seq->len)
    memmove(elementAt(type, seq, from), elementAt(type, seq, to),
            uint64_t(seq->len - to) * type->stride);
  seq->len -= to - from;
}

void placeClear(Heap *heap, const TypeDesc *type, Seq *seq) {
  letGo(heap, type, seq);
  disownElements(heap, type, seq, 0, seq->len);
  if (seq->cap && isHashed(type) && tableHeader(seq)->index)
    memset(tableHeader(seq)->index, 0, indexBytes(tableHeader(seq)->mask));
  seq->len = 0;
}

//===--- assignment ---------------------------------------------------------===//

static void assignSeq(Heap *heap, const TypeDesc *type, Seq *place, const Seq *src) {
  Seq value = loadSeq(src);
  if (type->kind == Kind::List && type->elem->plain && value.len && value.len <= place->cap) {
    memmove(place->data, value.data, uint64_t(value.len) * type->stride);
    place->len = value.len;
    return;
  }
  if (!value.len)
    return placeClear(heap, type, place);
  ownSeq(heap, type, &value);
  disownSlow(heap, type, place);
  *place = value;
}

/// A temporary of any size: on the stack if it is small.
namespace {
struct Temp {
  Heap *heap;
  uint32_t size;
  alignas(16) char small[256];
  char *data;
  Temp(Heap *heap, uint32_t size)
      : heap(heap), size(size),
        data(size <= sizeof small ? small : static_cast<char *>(heapAlloc(heap, size))) {}
  ~Temp() {
    if (data != small)
      heapFree(heap, data, size);
  }
};
} // namespace

/// Whether none of the parts clearly owns anything. False says nothing.
static bool ownsNothing(const TypeDesc *type, const void *v) {
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    if (!field.type->plain &&
        !isInlineText(field.type, static_cast<const char *>(v) + field.offset))
      return false;
  }
  return true;
}

/// Clones all attributes before it frees any: they may be exchanged (t = {a = t.b, b = t.a}).
static void assignTuple(Heap *heap, const TypeDesc *type, void *place, const void *src) {
  if (ownsNothing(type, place) && ownsNothing(type, src)) {
    memmove(place, src, type->size);
    return;
  }
  Temp temp(heap, type->size);
  memcpy(temp.data, src, type->size);
  ownSlow(heap, type, temp.data);
  disownSlow(heap, type, place);
  memcpy(place, temp.data, type->size);
}

__attribute__((noinline)) static void assignSlow(Heap *heap, const TypeDesc *type, void *place,
                                                 const void *src) {
  if (place == src)
    return;
  if (storageOf(type->kind) == Storage::Parts)
    assignTuple(heap, type, place, src);
  else
    assignSeq(heap, type, static_cast<Seq *>(place), static_cast<const Seq *>(src));
}

__attribute__((noinline)) static void appendSlow(Heap *heap, Str *place, const Str *s) {
  // s may be a view of the buffer that grows: that is kept until s was read.
  Str old = *place;
  uint32_t len = old.len + s->len;
  if (old.len > Str::kInline && strCapacity(&old) >= len) {
    memmove(const_cast<char *>(old.far.ptr) + old.len, s->data(), s->len);
    place->len = len;
    return;
  }
  char *text = newText(heap, len < 2 * uint64_t(old.len) ? 2 * uint64_t(old.len) : len);
  memcpy(text, old.data(), old.len);
  memcpy(text + old.len, s->data(), s->len);
  place->len = len;
  memcpy(place->far.prefix, text, 4);
  place->far.ptr = text;
  freeText(heap, &old);
}

/// Whether a place clearly has no buffer, such as a variable that this row did not use. False says
/// nothing.
static SLUICE_INLINE bool hasNoBuffer(const TypeDesc *type, const void *v) {
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return true;
  case Storage::Text:
    return static_cast<const Str *>(v)->len <= Str::kInline;
  case Storage::Sequence:
    return !static_cast<const Seq *>(v)->cap;
  case Storage::Parts:
    return type->plain;
  }
  __builtin_unreachable();
}
/// The same, one level deeper. One or two parts: a loop would stay one in generated code, as its
/// descriptor is not known before it is inlined.
static SLUICE_INLINE bool partsHaveNoBuffer(const TypeDesc *type, const void *v) {
  if (storageOf(type->kind) != Storage::Parts)
    return hasNoBuffer(type, v);
  auto part = [&](uint32_t i) {
    return hasNoBuffer(type->fields[i].type, static_cast<const char *>(v) + type->fields[i].offset);
  };
  return type->count == 1 ? part(0) : type->count == 2 && part(0) && part(1);
}

extern "C" {
SLUICE_ENTRY void sl_assign(Ctx *ctx, const TypeDesc *type, void *place, const void *src) {
  if (type->plain) {
    memmove(place, src, type->size);
  } else if (storageOf(type->kind) == Storage::Text) {
    auto *to = static_cast<Str *>(place);
    auto *from = static_cast<const Str *>(src);
    if (to->len <= Str::kInline && from->len <= Str::kInline)
      *to = *from;
    else
      assignStr(ctx->heap, to, from);
  } else {
    assignSlow(ctx->heap, type, place, src);
  }
}

SLUICE_ENTRY void sl_destroy(Ctx *ctx, const TypeDesc *type, void *place) {
  if (!partsHaveNoBuffer(type, place))
    disown(ctx->heap, type, place);
  memset(place, 0, type->size);
}

SLUICE_ENTRY void sl_str_append(Ctx *ctx, Str *place, const Str *s) {
  Str value = *s;
  if (place->len + uint64_t(value.len) <= Str::kInline) {
    memcpy(place->inl + place->len, value.inl, value.len);
    place->len += value.len;
    return;
  }
  appendSlow(ctx->heap, place, &value);
}
}

} // namespace sluice
