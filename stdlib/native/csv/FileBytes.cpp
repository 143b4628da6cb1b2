//===- FileBytes.cpp - the bytes of a file --------------------------------===//
#include "stdlib/native/csv/FileBytes.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "stdlib/native/unicode/Converter.h"
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sluice {

static constexpr size_t kInputBytes = 256 * 1024;
/// How long it waits before it looks again whether a file has more.
static constexpr double kPause = 0.1; // s

/// What is read before it is unpacked.
struct FileBytes::Packed {
  explicit Packed(Packing packing) : unpacker(packing) {}
  Unpacker unpacker;
  bool isEmpty = true; // nothing is to be read from what it was given
  std::unique_ptr<char[]> input{new char[kInputBytes]};
};

/// What is read before it is decoded, and what is decoded already.
struct FileBytes::Encoded {
  explicit Encoded(const std::string &encoding) : decoder(encoding) {}
  Decoder decoder;
  bool isLast = false; // `waiting` ends where the file does
  std::string_view waiting, ready;
  std::unique_ptr<char[]> input{new char[kInputBytes]}, output{new char[kInputBytes]};
};

FileBytes::FileBytes(const NativeOp *op) : op(op) {}
FileBytes::~FileBytes() { close(); }

int FileBytes::open(const std::string &name, How how) {
  close();
  path = name;
  int opened = os::openFile(path.c_str(), os::Open::Read);
  if (opened < 0)
    return opened;
  isOwn = true;
  regular = os::isRegular(opened);
  begin(opened, how);
  return 0;
}

void FileBytes::openSocket(int socket, How how) {
  close();
  isOwn = regular = false;
  begin(socket, how);
}

void FileBytes::begin(int opened, How how) {
  fd = opened;
  follows = op && how.follows;
  stopped = false;
  taken = 0;
  message.clear();
  if (how.from.packing != Packing::None)
    packed = std::make_unique<Packed>(how.from.packing);
  if (!how.from.encoding.empty())
    encoded = std::make_unique<Encoded>(how.from.encoding);
}

int FileBytes::goTo(uint64_t position) {
  taken = int64_t(position);
  return os::goToByte(fd, position);
}

void FileBytes::close() {
  if (fd >= 0 && isOwn)
    os::closeFile(fd);
  fd = -1;
  packed.reset();
  encoded.reset();
}

int64_t FileBytes::read(char *to, size_t room) {
  return encoded ? readDecoded(to, room) : readUnpacked(to, room);
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
    if (n == -EAGAIN) // of a socket, of which a packet was thrown away
      continue;
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

int64_t FileBytes::readUnpacked(char *to, size_t room) {
  if (!packed)
    return readRaw(to, room);
  for (;;) {
    if (packed->isEmpty) {
      int64_t n = readRaw(packed->input.get(), kInputBytes);
      if (n < 0 || stopped)
        return n;
      if (n == 0 && !packed->unpacker.isWhole() && !follows)
        message = kEndsTooEarly;
      if (n == 0)
        return message.empty() ? 0 : -1;
      packed->unpacker.give({packed->input.get(), size_t(n)});
    }
    int64_t put = packed->unpacker.take(to, room);
    if (put < 0)
      message = packed->unpacker.error();
    packed->isEmpty = put >= 0 && size_t(put) < room;
    if (put)
      return put;
  }
}

int64_t FileBytes::readDecoded(char *to, size_t room) {
  Encoded &text = *encoded;
  while (text.ready.empty()) {
    char *output = text.output.get();
    text.ready = {output, text.decoder.take(text.waiting, text.isLast, output, kInputBytes)};
    if (!text.ready.empty())
      break;
    if (text.isLast)
      return 0;
    int64_t n = readUnpacked(text.input.get(), kInputBytes);
    if (n < 0 || stopped)
      return n;
    text.isLast = n == 0;
    text.waiting = {text.input.get(), size_t(n)};
  }
  size_t size = std::min(room, text.ready.size());
  memcpy(to, text.ready.data(), size);
  text.ready.remove_prefix(size);
  return int64_t(size);
}

} // namespace sluice
