//===- LineReader.h - the lines of a text -----------------------*- C++ -*-===//
//
// Reads a file in large blocks, or is given a text in pieces, and gives out views into its buffer:
// no allocation and no copy per line.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Counted.h"
#include "stdlib/native/csv/FileBytes.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sluice {

class LineReader {
public:
  /// stopped: the program ends, as after End but the file has more. More: it goes on in the next
  /// piece.
  enum class Status { Line, End, Error, Stopped, More };

  /// `op`: who reads, or null (FileBytes).
  explicit LineReader(const NativeOp *op) : file(op) {}

  /// 0, or a negative errno. The reader may be opened again after close(). No `eol`: a line ends at
  /// "\n", "\r\n" or "\r".
  int open(const std::string &path, FileBytes::How, std::string_view eol);
  /// The same for a socket (FileBytes).
  void openSocket(int fd, FileBytes::How, std::string_view eol);
  /// For tests and the fuzzer: the text is the file.
  void openText(std::string_view text, std::string_view eol);
  void close();
  /// After open(): what is read next stands behind so many bytes of the file, which is regular and
  /// neither unpacked nor decoded. 0, or a negative errno.
  /// `inEnd`: isInEnd() there.
  int goTo(uint64_t position, bool inEnd);
  /// After openPieces(): the text begins behind so many bytes.
  void beginAt(uint64_t position, bool inEnd);
  /// A "\r" has ended the line before, and a "\n" that follows belongs to it.
  bool isInEnd() const { return returnEnded; }

  /// The text comes in pieces.
  void openPieces(std::string_view eol);
  /// The next piece, between two lines. False: error().
  bool add(std::string_view piece);
  /// There are no more pieces.
  void addEnd() { atEnd = true; }
  /// Whether the next piece may bring what next() or extend() has not found.
  bool awaitsPiece() const { return inPieces && !atEnd; }
  /// Bytes that next() has not given yet.
  size_t waiting() const { return end - begin; }
  /// Keeps a line that was given last, or its end, while pieces are added.
  void keep(std::string_view line) { held = begin - size_t(line.data() - buffer.get()); }
  /// What was kept, as it was for extend(). `size`: that of the line.
  std::string_view kept(size_t size);
  /// The next line without its end; the view lives until the next call. What
  /// follows the last end counts as a line unless it is empty.
  Status next(std::string_view &line);
  /// The next `size` bytes, or what is left of them; all that are left if it is 0.
  Status nextBlock(uint64_t size, std::string_view &block);
  /// All bytes at hand, more than `had` unless the file has no more; skip() gives some of them out.
  Status peek(size_t had, std::string_view &bytes);
  /// All bytes at hand, where a line begins; kReadable bytes behind them can be read. None while it
  /// is not known whether a line begins there.
  std::string_view atHand() const;
  /// Another number: bytes that were at hand are where they were no more.
  uint64_t moves() const { return moved; }
  /// Passes bytes at hand that next() is not to give: of peek(), or whole lines.
  void skip(size_t size) {
    begin += size;
    searched = 0;
  }
  /// After next(): the line goes on. Adds what ended it and the line behind it. False: there is
  /// none, and the line is as it was, perhaps in another place.
  bool extend(std::string_view &line);
  /// After extend(): the line has `size` bytes only; next() gives what follows it.
  void shorten(std::string_view line, size_t size);
  const std::string &error() const { return message.empty() ? file.error() : message; }
  /// The error is that a line or a block has more bytes than there may be in memory.
  bool isTooLong() const { return !message.empty(); }
  /// Bytes of the text, unpacked, that come before what next() reads.
  uint64_t position() const { return filled - (end - begin); }
  /// Bytes of the file as it is now; below 0: not known.
  int64_t fileSize() const { return file.size(); }
  /// It can be read again from its beginning.
  bool isRegular() const { return file.isRegular(); }

  /// Of a text in pieces: what was added and not given out, or is kept.
  void savePieces(Saver &) const;
  /// After openPieces(). False: error().
  bool restorePieces(const Loader &);

private:
  void reset(std::string_view eol, size_t room);
  bool fill();
  bool makeRoom(size_t bytes);
  bool grow(size_t larger);
  Status atNoMore() const;
  size_t findEnd(size_t from, size_t &length);

  FileBytes file;
  bool atEnd = false, inPieces = false;
  std::string eol, message;
  CountedBytes buffer;
  size_t capacity = 0, begin = 0, end = 0;
  uint64_t filled = 0;      // bytes that the buffer got since open()
  size_t searched = 0;      // bytes behind `begin` that hold no eol
  size_t held = 0;          // bytes before `begin` that extend() still needs, or that are kept
  bool returnEnded = false; // "\r" ended a line; a "\n" behind it belongs to it
  /// Where the first of a byte is, at or behind `begin`: searched once, as there may be none.
  struct Finder {
    char byte;
    size_t at = 0;
    bool found = false;
    bool find(const char *text, size_t begin, size_t end);
  };
  Finder newline{'\n'}, carriageReturn{'\r'};
  void forgetEnds();
  uint64_t moved = 0;
};

} // namespace sluice
