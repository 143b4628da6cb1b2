//===- LineReader.h - the lines of a file -----------------------*- C++ -*-===//
//
// Reads in large blocks and gives out views into its buffer: no allocation and
// no copy per line. gzip and zlib are unpacked on the way.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/native.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sluice {

class LineReader {
public:
  /// stopped: the program ends, as after End but the file has more.
  enum class Status { Line, End, Error, Stopped };

  /// `op`: who reads, and waits while there is nothing to read; null: a blocking read waits. Its
  /// context differs from thread to thread, so that it is asked for at each wait.
  explicit LineReader(const NativeOp *op);
  ~LineReader();
  LineReader(const LineReader &) = delete;

  /// 0, or a negative errno. The reader may be opened again after close(). No `eol`: a line ends at
  /// "\n", "\r\n" or "\r".
  int open(const std::string &path, bool compressed, std::string_view eol);
  /// For tests and the fuzzer: the text is the file.
  void openText(std::string_view text, std::string_view eol);
  void close();
  /// The next line without its end; the view lives until the next call. What
  /// follows the last end counts as a line unless it is empty.
  Status next(std::string_view &line);
  /// The next `size` bytes, or what is left of them; all that are left if it is 0.
  Status nextBlock(uint64_t size, std::string_view &block);
  /// After next(): the line goes on. Adds what ended it and the line behind it. False: there is
  /// none, and the line is as it was, perhaps in another place.
  bool extend(std::string_view &line);
  /// After extend(): the line has `size` bytes only; next() gives what follows it.
  void shorten(std::string_view line, size_t size);
  const std::string &error() const { return message; }
  /// Bytes of the text, unpacked, that come before what next() reads.
  uint64_t position() const { return filled - (end - begin); }
  /// It can be read again from its beginning.
  bool isRegular() const { return regular; }

private:
  struct Inflater;
  bool fill();
  bool makeRoom();
  int64_t readRaw(char *to, size_t room);
  int64_t readInflated(char *to, size_t room);
  Status atNoMore() const;
  size_t findEnd(size_t from, size_t &length);

  const NativeOp *op;
  int fd = -1;
  bool regular = true, stopped = false, atEnd = false;
  std::string eol, message;
  std::unique_ptr<char[]> buffer;
  size_t capacity = 0, begin = 0, end = 0;
  uint64_t filled = 0;      // bytes that the buffer got since open()
  size_t held = 0;          // bytes before `begin` that extend() still needs
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
  std::unique_ptr<Inflater> inflater;
};

} // namespace sluice
