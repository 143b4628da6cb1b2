//===- Rebase.cpp - offsets of a frame become pointers --------------------===//
#include "runtime/remote/frame/Rebase.h"
#include "runtime/value/Table.h"

namespace sluice::remote {

/// The bytes of an inline text behind its end are 0 in all values (value.h).
static void clearBehind(char *str, uint32_t length) {
  memset(str + offsetof(Str, inl) + length, 0, Str::kInline - length);
}

inline const char *Rebase::text(char *str) {
  Str s = load<Str>(str);
  if (s.len <= Str::kInline) {
    clearBehind(str, s.len);
    return nullptr;
  }
  auto offset = reinterpret_cast<uint64_t>(s.far.ptr);
  if (offset != lastText || s.len != lastLength) {
    if (offset != at || s.len > end - at)
      return "a text that is not where its payload is";
    at += s.len;
    lastText = offset;
    lastLength = s.len;
  }
  store(str, strView(frame + offset, s.len));
  return nullptr;
}

const char *Rebase::sequence(const TypeDesc *type, char *value) {
  Seq seq = load<Seq>(value);
  auto offset = reinterpret_cast<uint64_t>(seq.data);
  seq.cap = 0;
  if (!seq.len) {
    store(value, Seq{});
    return offset ? "an empty collection that has payload" : nullptr;
  }
  uint64_t data = alignFrame(at) + (isHashed(type) ? sizeof(SeqHeader) : 0);
  if (offset != data || data > end || seq.len > (end - data) / entryBytes(type))
    return "a collection that is not where its payload is";
  at = data + seq.len * entryBytes(type);
  seq.data = frame + data;
  store(value, seq);
  const char *problem = values(type->elem, frame + data, seq.len, type->stride);
  if (!problem && type->kind == Kind::Map)
    problem = values(type->value, frame + data + type->valueOffset, seq.len, type->stride);
  if (problem || !isHashed(type))
    return problem;
  return tableIndex(arena, type, &seq) ? nullptr : "a set or map that has a key twice";
}

/// Numbers that have fewer values than their bytes can say.
static const char *checkScalars(const TypeDesc *type, const char *first, uint64_t count,
                                uint64_t stride) {
  bool ok = true;
  if (type->kind == Kind::Boolean)
    for (uint64_t i = 0; i < count; ++i)
      ok &= load<uint8_t>(first + i * stride) <= 1;
  if (type->kind == Kind::Enum)
    for (uint64_t i = 0; i < count; ++i)
      ok &= load<uint32_t>(first + i * stride) < type->count;
  return ok ? nullptr : "a number that is no value of its type";
}

const char *Rebase::values(const TypeDesc *type, char *first, uint64_t count, uint64_t stride) {
  const char *problem = nullptr;
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
    return checkScalars(type, first, count, stride);
  case Storage::Plain:
    return nullptr;
  case Storage::Text:
    for (uint64_t i = 0; i < count && !problem; ++i)
      problem = text(first + i * stride);
    return problem;
  case Storage::Sequence:
    for (uint64_t i = 0; i < count && !problem; ++i)
      problem = sequence(type, first + i * stride);
    return problem;
  case Storage::Parts:
    for (uint32_t i = 0; i < type->count && !problem; ++i)
      problem = values(type->fields[i].type, first + type->fields[i].offset, count, stride);
    return problem;
  }
  __builtin_unreachable();
}

} // namespace sluice::remote
