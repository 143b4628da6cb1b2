//===- Ring.cpp - sizes of windows, lists that are used as rings *- C++ -*-===//
#include "value/Place.h"
#include "value/Text.h"

using namespace sluice;

extern "C" int32_t sl_bad_size(Ctx *ctx, const TypeDesc *type, const char *word, const void *size) {
  TextOut text;
  printValue(text, type, size, false);
  std::string_view number(text.data, text.size);
  const char *reason = number == "0" || number == "-0"       ? "not above 0"
                       : number == "nan" || number == "-nan" ? "no number"
                       : number.starts_with("-")             ? "below 0"
                                                             : "not between 1e-9 and 36 years";
  return sl_error(ctx, "`%s` is %.*s, which is %s", word, int(text.size), text.data, reason);
}

extern "C" int32_t sl_grow_ring(Ctx *ctx, const TypeDesc *list, Seq *slots, uint64_t *head) {
  Seq old = *slots;
  uint64_t size = old.len, first = size ? *head & (size - 1) : 0, stride = list->stride;
  uint64_t grown = size ? 2 * size : 4;
  if (grown > UINT32_MAX)
    return sl_error(ctx, "a window holds more than %llu tuples", 1ull << 31);
  newBuffer(ctx->heap, list, slots, grown);
  char *to = static_cast<char *>(slots->data), *from = static_cast<char *>(old.data);
  // Elements are moved bit by bit: what they own stays where it is.
  if (size) {
    memcpy(to, from + first * stride, (size - first) * stride);
    memcpy(to + (size - first) * stride, from, first * stride);
    freeBuffer(ctx->heap, list, &old);
  }
  memset(to + size * stride, 0, (grown - size) * stride);
  slots->len = uint32_t(grown);
  *head = 0;
  return 0;
}
