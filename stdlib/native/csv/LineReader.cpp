//===- LineReader.cpp - the lines of a file -----------------------------===//
#include "stdlib/native/csv/LineReader.h"
#include "runtime/base/os.h"
#include "stdlib/native/Zlib.h"
#include <cstring>
#include <new>

namespace sluice {

static constexpr size_t kBufferBytes = 256 * 1024;
static constexpr size_t kMaxLine = size_t(1) << 30;

struct LineReader::Inflater {
  z_stream stream = {};
  bool ended = false;   // between two members
  uint64_t members = 0; // that have ended
  std::unique_ptr<char[]> input{new char[kBufferBytes]};
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

LineReader::LineReader(const NativeOp *op) : op(op) {}
LineReader::~LineReader() { close(); }

int LineReader::open(const std::string &path, bool compressed, std::string_view eolMarker) {
  close();
  int opened = os::openFile(path.c_str(), os::Open::Read);
  if (opened < 0)
    return opened;
  fd = opened;
  regular = os::isRegular(fd);
  eol = eolMarker;
  begin = end = 0;
  filled = 0;
  atEnd = stopped = returnEnded = false;
  forgetEnds();
  message.clear();
  if (compressed)
    inflater = std::make_unique<Inflater>();
  if (!buffer) {
    buffer.reset(new char[kBufferBytes]);
    capacity = kBufferBytes;
  }
  return 0;
}

void LineReader::openText(std::string_view text, std::string_view eolMarker) {
  close();
  eol = eolMarker;
  capacity = text.size() + 1;
  buffer.reset(new char[capacity]);
  memcpy(buffer.get(), text.data(), text.size());
  begin = 0;
  end = filled = text.size();
  stopped = returnEnded = false;
  forgetEnds();
  atEnd = true;
}

void LineReader::close() {
  if (fd >= 0)
    os::closeFile(fd);
  fd = -1;
  inflater.reset();
}

//===--- bytes ----------------------------------------------------------------===//

int64_t LineReader::readRaw(char *to, size_t room) {
  if (!regular && op && sl_await_readable(op->ctx, fd)) {
    stopped = true;
    return 0;
  }
  int64_t n = os::readFile(fd, to, room);
  if (n < 0)
    message = os::errorText(int(-n));
  return n;
}

int64_t LineReader::readInflated(char *to, size_t room) {
  Inflater &z = *inflater;
  z.stream.next_out = reinterpret_cast<Bytef *>(to);
  z.stream.avail_out = uInt(std::min(room, kBufferBytes));
  size_t asked = z.stream.avail_out;
  while (z.stream.avail_out == asked) {
    if (!z.stream.avail_in) {
      int64_t n = readRaw(z.input.get(), kBufferBytes);
      if (n < 0 || stopped)
        return n;
      if (n == 0) {
        if (!z.ended && z.stream.total_in)
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

bool LineReader::makeRoom() {
  if (size_t gone = begin - held) { // the rest of a line moves to the front
    memmove(buffer.get(), buffer.get() + gone, end - gone);
    end -= gone;
    begin -= gone;
    forgetEnds();
  }
  if (end < capacity)
    return true;
  if (capacity >= kMaxLine) {
    message = "a line or a block is longer than 1 GiB";
    return false;
  }
  std::unique_ptr<char[]> larger(new char[capacity * 2]);
  memcpy(larger.get(), buffer.get(), end);
  buffer = std::move(larger);
  capacity *= 2;
  return true;
}

/// More bytes behind `end`; false at the end, on an error, or when stopped.
bool LineReader::fill() {
  if (atEnd || !makeRoom())
    return false;
  int64_t n = inflater ? readInflated(buffer.get() + end, capacity - end)
                       : readRaw(buffer.get() + end, capacity - end);
  if (n <= 0) {
    atEnd = true;
    return false;
  }
  end += size_t(n);
  filled += size_t(n);
  return true;
}

//===--- lines ----------------------------------------------------------------===//

bool LineReader::Finder::find(const char *text, size_t begin, size_t end) {
  if (at < begin) {
    at = begin;
    found = false;
  }
  if (!found) {
    const void *hit = memchr(text + at, byte, end - at);
    found = hit != nullptr;
    at = hit ? size_t(static_cast<const char *>(hit) - text) : end;
  }
  return found;
}

/// The buffer has moved.
void LineReader::forgetEnds() {
  newline.at = carriageReturn.at = begin;
  newline.found = carriageReturn.found = false;
}

/// The position of the line end at or after `from`, and its length; or npos.
size_t LineReader::findEnd(size_t from, size_t &length) {
  const char *text = buffer.get();
  length = eol.empty() ? 1 : eol.size();
  if (eol.empty()) {
    bool ends = newline.find(text, begin, end);
    if (!carriageReturn.find(text, begin, ends ? newline.at : end))
      return ends ? newline.at : std::string::npos;
    returnEnded = carriageReturn.at + 1 == end;
    length = ends && newline.at == carriageReturn.at + 1 ? 2 : 1;
    return carriageReturn.at;
  }
  const char *at = text + from;
  const void *found = eol.size() == 1 ? memchr(at, eol[0], end - from)
                                      : memmem(at, end - from, eol.data(), eol.size());
  return found ? size_t(static_cast<const char *>(found) - text) : std::string::npos;
}

LineReader::Status LineReader::next(std::string_view &line) {
  size_t searched = 0; // bytes behind `begin` that hold no line end
  for (;;) {
    if (returnEnded && begin < end) {
      bool belongs = buffer[begin] == '\n';
      begin += belongs;
      held += held && belongs;
      returnEnded = false;
    }
    size_t length, at = findEnd(begin + searched, length);
    if (at != std::string::npos) {
      line = {buffer.get() + begin, at - begin};
      begin = at + length;
      return Status::Line;
    }
    size_t have = end - begin;
    searched = have >= length ? have - length + 1 : 0;
    if (fill())
      continue;
    if (Status status = atNoMore(); status != Status::Line)
      return status;
    line = {buffer.get() + begin, end - begin};
    begin = end;
    return Status::Line;
  }
}

/// When fill() has failed: whether what is left is the last line.
LineReader::Status LineReader::atNoMore() const {
  if (stopped)
    return Status::Stopped;
  if (!message.empty())
    return Status::Error;
  return begin == end ? Status::End : Status::Line;
}

LineReader::Status LineReader::nextBlock(uint64_t size, std::string_view &block) {
  while ((!size || end - begin < size) && fill()) {
  }
  bool isWhole = size && end - begin >= size;
  if (Status status = isWhole ? Status::Line : atNoMore(); status != Status::Line)
    return status;
  block = {buffer.get() + begin, isWhole ? size_t(size) : end - begin};
  begin += block.size();
  return Status::Line;
}

bool LineReader::extend(std::string_view &line) {
  std::string_view more;
  held = begin - size_t(line.data() - buffer.get());
  bool isLine = next(more) == Status::Line;
  if (isLine)
    line = {more.data() - held, held + more.size()};
  else
    line = {buffer.get() + begin - held, line.size()};
  held = 0;
  return isLine;
}

void LineReader::shorten(std::string_view line, size_t size) {
  begin = size_t(line.data() - buffer.get()) + size;
  bool isPair = end - begin > 1 && buffer[begin] == '\r' && buffer[begin + 1] == '\n';
  begin += eol.empty() ? 1 + isPair : eol.size();
  returnEnded = false;
  forgetEnds();
}

} // namespace sluice
