//===- Unpacker.cpp - decompressing bytes ---------------------------------===//
#include "stdlib/native/pack/Libraries.h"
#include "stdlib/native/pack/Packing.h"
#include <algorithm>
#include <new>

namespace sluice {

/// The libraries count in 32 bits.
static constexpr size_t kMost = size_t(1) << 30;

struct Unpacker::State {
  explicit State(Packing packing) : isBzip2(packing == Packing::Bzip2) {
    // gzip or zlib, by its header
    int failed = isBzip2 ? bzip2()->unpackBegin(&bz, 0, 0)
                         : zlib()->inflateBegin(&z, 15 + 32, ZLIB_VERSION, sizeof z);
    if (failed)
      throw std::bad_alloc();
  }
  ~State() {
    if (isBzip2)
      bzip2()->unpackEnd(&bz);
    else
      zlib()->inflateEnd(&z);
  }
  void restart() {
    if (isBzip2) {
      bzip2()->unpackEnd(&bz);
      bz = {};
      if (bzip2()->unpackBegin(&bz, 0, 0))
        throw std::bad_alloc();
    } else {
      zlib()->inflateReset(&z);
    }
    ended = false;
  }
  /// Puts at most `room` bytes there; false: the bytes are no compressed text.
  bool unpack(char *to, size_t room, size_t &put) {
    return isBzip2 ? unpackBzip2(to, room, put) : unpackZlib(to, room, put);
  }
  bool unpackZlib(char *to, size_t room, size_t &put) {
    size_t size = std::min(given.size(), kMost);
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(given.data()));
    z.avail_in = uInt(size);
    z.next_out = reinterpret_cast<Bytef *>(to);
    z.avail_out = uInt(room);
    int result = zlib()->inflate(&z, Z_NO_FLUSH);
    given.remove_prefix(size - z.avail_in);
    put = room - z.avail_out;
    ended = result == Z_STREAM_END;
    return result == Z_OK || ended || result == Z_BUF_ERROR;
  }
  bool unpackBzip2(char *to, size_t room, size_t &put) {
    size_t size = std::min(given.size(), kMost);
    bz.next_in = const_cast<char *>(given.data());
    bz.avail_in = unsigned(size);
    bz.next_out = to;
    bz.avail_out = unsigned(room);
    int result = bzip2()->unpack(&bz);
    given.remove_prefix(size - bz.avail_in);
    put = room - bz.avail_out;
    ended = result == BZ_STREAM_END;
    return result == BZ_OK || ended;
  }
  void skipPadding() { given.remove_prefix(std::min(given.find_first_not_of('\0'), given.size())); }

  const bool isBzip2;
  z_stream z = {};
  bz_stream bz = {};
  std::string_view given;            // what is not read yet
  bool begun = false, ended = false; // there was something; it is between two texts
  bool isFirst = true, empty = true; // nothing has ended; nothing has come out
};

Unpacker::Unpacker(Packing packing) : state(new State(packing)) {}
Unpacker::~Unpacker() = default;

void Unpacker::give(std::string_view bytes) {
  state->given = bytes;
  state->begun |= !bytes.empty();
}

int64_t Unpacker::take(char *to, size_t room) {
  State &s = *state;
  room = std::min(room, kMost);
  for (size_t all = 0;;) {
    if (s.ended)
      s.skipPadding();
    if (s.ended && s.given.empty())
      return int64_t(all);
    if (s.ended)
      s.restart();
    size_t had = s.given.size(), put = 0;
    bool isGood = s.unpack(to + all, room - all, put);
    all += put;
    s.empty &= put == 0;
    if (!isGood)
      return -1;
    s.isFirst &= !s.ended;
    bool moved = put || s.given.size() != had || s.ended;
    if (all == room || !moved)
      return int64_t(all);
  }
}

bool Unpacker::isWhole() const { return state->ended || !state->begun; }

const char *Unpacker::error() const {
  return state->isFirst && state->empty ? "it is not compressed, or damaged from its beginning on"
                                        : "the compressed data are damaged";
}

} // namespace sluice
