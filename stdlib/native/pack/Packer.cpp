//===- Packer.cpp - compressing bytes -------------------------------------===//
#include "stdlib/native/pack/Libraries.h"
#include "stdlib/native/pack/Packing.h"
#include <algorithm>
#include <new>

namespace sluice {

/// The libraries count in 32 bits.
static constexpr size_t kMost = size_t(1) << 30;

struct Packer::State {
  explicit State(Packing packing) : isBzip2(packing == Packing::Bzip2) {
    int windowBits = packing == Packing::Gzip ? 15 + 16 : 15;
    int failed = isBzip2 ? bzip2()->packBegin(&bz, 9, 0, 0)
                         : zlib()->deflateBegin(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits,
                                                8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof z);
    if (failed)
      throw std::bad_alloc();
  }
  ~State() {
    if (isBzip2)
      bzip2()->packEnd(&bz);
    else
      zlib()->deflateEnd(&z);
  }
  /// Puts at most `room` bytes of a piece there; returns how many, and leaves what is not read yet.
  size_t pack(std::string_view &piece, char *to, size_t room, Flush mode) {
    return isBzip2 ? packBzip2(piece, to, room, mode) : packZlib(piece, to, room, mode);
  }
  size_t packZlib(std::string_view &piece, char *to, size_t room, Flush mode) {
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    z.avail_in = uInt(piece.size());
    z.next_out = reinterpret_cast<Bytef *>(to);
    z.avail_out = uInt(room);
    zlib()->deflate(&z, mode == Flush::Finish ? Z_FINISH
                        : mode == Flush::Sync ? Z_SYNC_FLUSH
                                              : Z_NO_FLUSH);
    piece.remove_prefix(piece.size() - z.avail_in);
    return room - z.avail_out;
  }
  size_t packBzip2(std::string_view &piece, char *to, size_t room, Flush mode) {
    bz.next_in = const_cast<char *>(piece.data());
    bz.avail_in = unsigned(piece.size());
    bz.next_out = to;
    bz.avail_out = unsigned(room);
    bzip2()->pack(&bz, mode == Flush::Finish ? BZ_FINISH : mode == Flush::Sync ? BZ_FLUSH : BZ_RUN);
    piece.remove_prefix(piece.size() - bz.avail_in);
    return room - bz.avail_out;
  }

  const bool isBzip2;
  z_stream z = {};
  bz_stream bz = {};
  std::string_view given; // what is not read yet
};

Packer::Packer(Packing packing) : state(new State(packing)) {}
Packer::~Packer() = default;

void Packer::give(std::string_view bytes) { state->given = bytes; }

size_t Packer::take(char *to, size_t room, Flush mode) {
  size_t put = 0;
  room = std::min(room, kMost);
  for (;;) {
    std::string_view piece = state->given.substr(0, kMost), rest = piece;
    bool isLast = piece.size() == state->given.size();
    put += state->pack(rest, to + put, room - put, isLast ? mode : Flush::Nothing);
    state->given.remove_prefix(piece.size() - rest.size());
    if (put == room || isLast)
      return put;
  }
}

} // namespace sluice
