//===- FileBytes.cpp - the bytes of a file --------------------------------===//
#include "stdlib/native/csv/FileBytes.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "stdlib/native/Zlib.h"
#include <algorithm>
#include <new>

namespace sluice {

static constexpr size_t kInputBytes = 256 * 1024;
/// How long it waits before it looks again whether a file has more.
static constexpr double kPause = 0.1; // s

struct FileBytes::Inflater {
  z_stream stream = {};
  bool ended = false;   // between two members
  uint64_t members = 0; // that have ended
  std::unique_ptr<char[]> input{new char[kInputBytes]};
  // gzip or zlib, by its header
  Inflater() {
    if (zlib()->inflateBegin(&stream, 15 + 32, ZLIB_VERSION, sizeof stream))
      throw std::bad_alloc();
  }
  /// Between two members there may be zeros, as there are behind the last one where files have
  /// whole blocks. True: nothing else was there.
  bool skipPadding() {
    for (; stream.avail_in && !*stream.next_in; --stream.avail_in)
      ++stream.next_in;
    return !stream.avail_in;
  }
  ~Inflater() { zlib()->inflateEnd(&stream); }
};

FileBytes::FileBytes(const NativeOp *op) : op(op) {}
FileBytes::~FileBytes() { close(); }

int FileBytes::open(const std::string &name, How how) {
  close();
  path = name;
  int opened = os::openFile(path.c_str(), os::Open::Read);
  if (opened < 0)
    return opened;
  fd = opened;
  regular = os::isRegular(fd);
  follows = op && how.follows;
  stopped = false;
  taken = 0;
  message.clear();
  if (how.compressed)
    inflater = std::make_unique<Inflater>();
  return 0;
}

void FileBytes::close() {
  if (fd >= 0)
    os::closeFile(fd);
  fd = -1;
  inflater.reset();
}

int64_t FileBytes::read(char *to, size_t room) {
  return inflater ? readInflated(to, room) : readRaw(to, room);
}

int64_t FileBytes::size() const { return regular ? os::sizeOfFile(fd) : -1; }

/// Whether what is to be read now is in another file, or begins anew. While there is no file of
/// that name the writer may go on with the old one.
bool FileBytes::hasEnded() const {
  int64_t now = size();
  return (now >= 0 && now < taken) || os::isReplaced(fd, path.c_str());
}

int64_t FileBytes::readRaw(char *to, size_t room) {
  for (bool ended = false;;) {
    if (!regular && op && sl_await_readable(op->ctx, fd)) {
      stopped = true;
      return 0;
    }
    int64_t n = os::readFile(fd, to, room);
    if (n < 0)
      message = os::errorText(int(-n));
    else
      taken += n;
    if (n || !follows || ended)
      return n;
    ended = hasEnded(); // then what was written before that is read
    if (!ended && sl_wait(op->ctx, kPause)) {
      stopped = true;
      return 0;
    }
  }
}

int64_t FileBytes::readInflated(char *to, size_t room) {
  Inflater &z = *inflater;
  z.stream.next_out = reinterpret_cast<Bytef *>(to);
  z.stream.avail_out = uInt(std::min(room, kInputBytes));
  size_t asked = z.stream.avail_out;
  while (z.stream.avail_out == asked) {
    if (!z.stream.avail_in) {
      int64_t n = readRaw(z.input.get(), kInputBytes);
      if (n < 0 || stopped)
        return n;
      if (n == 0) {
        if (!z.ended && z.stream.total_in && !follows)
          message = "the compressed data end too early";
        return message.empty() ? 0 : -1;
      }
      z.stream.next_in = reinterpret_cast<Bytef *>(z.input.get());
      z.stream.avail_in = uInt(n);
    }
    if (z.ended && z.skipPadding())
      continue;
    if (z.ended) {
      zlib()->inflateReset(&z.stream);
      z.ended = false;
    }
    int result = zlib()->inflate(&z.stream, Z_NO_FLUSH);
    z.ended = result == Z_STREAM_END;
    z.members += z.ended;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      bool isFirst = !z.stream.total_out && z.members == 0;
      message = isFirst ? "it is not compressed, or damaged from its beginning on"
                        : "the compressed data are damaged";
      return -1;
    }
  }
  return int64_t(asked - z.stream.avail_out);
}

} // namespace sluice
