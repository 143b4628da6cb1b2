//===- Checksum.cpp - the checksum of a frame -----------------------------===//
#include "runtime/remote/frame/Frame.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice::remote {

uint64_t checksumOf(std::span<const Piece> pieces) {
  if (pieces.size() == 1)
    return XXH3_64bits(pieces[0].data, pieces[0].bytes);
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const Piece &piece : pieces)
    XXH3_64bits_update(&state, piece.data, piece.bytes);
  return XXH3_64bits_digest(&state);
}

} // namespace sluice::remote
