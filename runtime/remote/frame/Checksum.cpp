//===- Checksum.cpp - the checksum of a frame -----------------------------===//
#include "runtime/remote/frame/Frame.h"
#include <cstring>
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

std::optional<FrameHeader> wholeFrame(std::span<const char> bytes) {
  FrameHeader h;
  if (bytes.size() < kBatchHeader)
    return {};
  memcpy(&h, bytes.data(), sizeof h);
  if (h.magic != kFrameMagic || h.version != kFrameVersion || h.hasChecksum != 1 ||
      h.bytes < kBatchHeader || h.bytes > bytes.size())
    return {};
  static constexpr uint64_t kAt = offsetof(FrameHeader, checksum), kBytes = sizeof h.checksum;
  static constexpr char kZeros[kBytes] = {};
  const Piece pieces[] = {
      {bytes.data(), kAt}, {kZeros, kBytes}, {bytes.data() + kAt + kBytes, h.bytes - kAt - kBytes}};
  return checksumOf(pieces) == h.checksum ? std::optional(h) : std::nullopt;
}

} // namespace sluice::remote
