//===- HotTime.cpp - the monotonic clock -----------------------*- C++ -*-===//
#include "stdlib/native/Library.h"

using namespace sluice;

extern "C" SLUICE_ENTRY int32_t sl_monotonicNanos_(Ctx *ctx, int64_t *result) {
  *result = ctx->clock ? ctx->clock : sl_clock(ctx);
  return 0;
}
