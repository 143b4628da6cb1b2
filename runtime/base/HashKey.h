//===- HashKey.h - the hash of several keys ---------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Continues the hash `before` by a key. Equal keys give equal hashes; different values to begin
/// with keep apart what is partitioned for different ends.
inline uint64_t hashKey(uint64_t before, const TypeDesc *type, const void *key) {
  uint64_t hash = (before ^ sl_hash(type, key)) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

} // namespace sluice
