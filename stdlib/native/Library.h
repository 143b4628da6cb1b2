//===- Library.h - what the functions of the toolkit share ------*- C++ -*-===//
//
// A function of stdlib/spl/*.spl is `int32_t sl_<name>_<codes>(Ctx *, one
// TypeDesc per type variable, R *result, arguments)`; abi.h has the codes.
// Scalars come by value, all else by pointer. Part of the bitcode.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Copy.h"
#include "value/Place.h"
#include "value/Table.h"
#include "value/Value.h"

/// The beginning of a definition: SL(name, codes)(Ctx *ctx, ...). SL_HOT is for
/// small ones that fold when their descriptors are constants.
#define SL(name, codes) extern "C" int32_t sl_##name##_##codes
#define SL_HOT(name, codes) extern "C" SLUICE_ENTRY int32_t sl_##name##_##codes

namespace sluice {

using Type = const TypeDesc *;

/// Uninitialised text in scratch.
inline char *scratchText(Ctx *ctx, uint64_t len) {
  return static_cast<char *>(arenaAlloc(ctx->scratch, len, 1));
}
/// The text as a value that stays until scratch is released.
inline Str keepText(Ctx *ctx, const char *text, uint64_t len) {
  if (len <= Str::kInline)
    return strView(text, len);
  char *copy = scratchText(ctx, len);
  memcpy(copy, text, len);
  return strView(copy, len);
}
/// Room for `count` elements of `stride` bytes in scratch, as a list.
inline Seq scratchList(Ctx *ctx, uint64_t count, uint32_t stride) {
  return {uint32_t(count), 0, count ? arenaAlloc(ctx->scratch, count * stride, 16) : nullptr};
}
template <typename T> T *listData(const Seq &seq) { return static_cast<T *>(seq.data); }

} // namespace sluice
