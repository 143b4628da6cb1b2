//===- LineReader.cpp - the lines of a text -----------------------------===//
#include "stdlib/native/csv/LineReader.h"
#include "stdlib/native/fields/FieldEnds.h"
#include <algorithm>
#include <cstring>
#include <string>

namespace sluice {

static constexpr size_t kBufferBytes = 256 * 1024, kPieceBytes = 4 * 1024; // at first
static constexpr size_t kMaxLine = size_t(1) << 30;

/// A text without anything in it yet.
void LineReader::reset(std::string_view eolMarker, size_t room) {
  eol = eolMarker;
  if (capacity < room) {
    buffer.reset(static_cast<char *>(takeMemory(room + kReadable)));
    capacity = room;
  }
  begin = end = searched = held = 0;
  filled = 0;
  atEnd = inPieces = returnEnded = false;
  forgetEnds();
  message.clear();
}

int LineReader::open(const std::string &path, FileBytes::How how, std::string_view eolMarker) {
  if (int failed = file.open(path, how))
    return failed;
  reset(eolMarker, kBufferBytes);
  return 0;
}

void LineReader::openSocket(int fd, FileBytes::How how, std::string_view eolMarker) {
  file.openSocket(fd, how);
  reset(eolMarker, kBufferBytes);
}

void LineReader::openText(std::string_view text, std::string_view eolMarker) {
  openPieces(eolMarker);
  add(text);
  addEnd();
}

void LineReader::openPieces(std::string_view eolMarker) {
  close();
  reset(eolMarker, kPieceBytes);
  inPieces = true;
}

void LineReader::beginAt(uint64_t position, bool inEnd) {
  filled = position;
  returnEnded = inEnd;
}

int LineReader::goTo(uint64_t position, bool inEnd) {
  beginAt(position, inEnd);
  return file.goTo(position);
}

void LineReader::close() { file.close(); }

//===--- bytes ----------------------------------------------------------------===//

/// Behind `end`, for so many bytes.
bool LineReader::makeRoom(size_t bytes) {
  if (size_t gone = begin - held) { // the rest of a line moves to the front
    memmove(buffer.get(), buffer.get() + gone, end - gone);
    end -= gone;
    begin -= gone;
    forgetEnds();
  }
  if (capacity - end >= bytes)
    return true;
  if (end + bytes > kMaxLine) {
    message = "a line or a block is longer than 1 GiB";
    return false;
  }
  size_t larger = capacity;
  while (larger - end < bytes)
    larger *= 2;
  return grow(larger);
}

bool LineReader::grow(size_t larger) {
  void *grown = tryGrowMemory(buffer.get(), larger + kReadable);
  if (!grown) {
    message = "a line or a block has no end in " + std::to_string(end - begin) +
              " bytes, and more of it exceeds the memory that the program may take "
              "(--memory-limit)";
    return false;
  }
  (void)buffer.release();
  buffer.reset(static_cast<char *>(grown));
  capacity = larger;
  ++moved;
  return true;
}

bool LineReader::add(std::string_view piece) {
  if (!makeRoom(piece.size()))
    return false;
  if (!piece.empty())
    memcpy(buffer.get() + end, piece.data(), piece.size());
  end += piece.size();
  filled += piece.size();
  return true;
}

/// More bytes behind `end`; false at the end, on an error, or when stopped.
bool LineReader::fill() {
  if (atEnd || inPieces || !makeRoom(1))
    return false;
  int64_t n = file.read(buffer.get() + end, capacity - end);
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
  ++moved;
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
  for (;;) {
    if (returnEnded && begin < end) {
      bool belongs = buffer.get()[begin] == '\n';
      begin += belongs;
      held += held && belongs;
      returnEnded = false;
    }
    size_t length, at = findEnd(begin + searched, length);
    if (at != std::string::npos) {
      line = {buffer.get() + begin, at - begin};
      begin = at + length;
      searched = 0;
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
    searched = 0;
    return Status::Line;
  }
}

/// When fill() has failed: whether what is left is the last line.
LineReader::Status LineReader::atNoMore() const {
  if (file.isStopped())
    return Status::Stopped;
  if (!error().empty())
    return Status::Error;
  if (awaitsPiece())
    return Status::More;
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

std::string_view LineReader::atHand() const {
  return returnEnded ? std::string_view() : std::string_view(buffer.get() + begin, end - begin);
}

LineReader::Status LineReader::peek(size_t had, std::string_view &bytes) {
  while (end - begin <= had && fill()) {
  }
  bytes = {buffer.get() + begin, end - begin};
  return bytes.size() > had ? Status::Line : atNoMore();
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

std::string_view LineReader::kept(size_t size) {
  std::string_view line(buffer.get() + begin - held, size);
  held = 0;
  return line;
}

void LineReader::savePieces(Saver &saver) const {
  saver.text("waiting", {buffer.get() + begin - held, end - begin + held});
  saver.number("held", int64_t(held));
  saver.number("position", int64_t(position()));
  saver.number("returnEnded", returnEnded);
}

bool LineReader::restorePieces(const Loader &loader) {
  if (!add(loader.text("waiting").value_or("")))
    return false;
  begin = held = std::min(size_t(loader.number("held").value_or(0)), end);
  filled = uint64_t(loader.number("position").value_or(0)) + (end - begin);
  returnEnded = loader.number("returnEnded").value_or(0) != 0;
  forgetEnds();
  return true;
}

void LineReader::shorten(std::string_view line, size_t size) {
  begin = size_t(line.data() - buffer.get()) + size;
  const char *at = buffer.get() + begin;
  bool isPair = end - begin > 1 && at[0] == '\r' && at[1] == '\n';
  begin += eol.empty() ? 1 + isPair : eol.size();
  searched = 0;
  returnEnded = false;
  forgetEnds();
}

} // namespace sluice
