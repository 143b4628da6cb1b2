//===- ZoneArgument.h - zones that functions are given ----------*- C++ -*-===//
#pragma once
#include "stdlib/native/Library.h"
#include "stdlib/native/time/Zone.h"

namespace sluice {

/// Fails: the function, as it is called in SPL, was given a zone that there is not.
int32_t failZone(Ctx *, const char *function, std::string_view name);

/// The zone of that name; null after sl_error.
inline const Zone *zoneOf(Ctx *ctx, const char *function, const Str &name) {
  const Zone *zone = Zone::find({name.data(), name.len});
  if (!zone)
    failZone(ctx, function, {name.data(), name.len});
  return zone;
}

} // namespace sluice
