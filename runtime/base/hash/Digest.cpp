//===- Digest.cpp - a number that stands for much data --------------------===//
#include "runtime/base/hash/Digest.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice {

uint64_t digestOf(const void *bytes, size_t size) { return XXH3_64bits(bytes, size); }

} // namespace sluice
