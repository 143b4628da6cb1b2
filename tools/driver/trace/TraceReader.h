//===- TraceReader.h - reads what --trace has written -----------*- C++ -*-===//
//
// A line at a time, so that a long trace needs no memory and one that is being
// written can be followed. A trace that was cut off ends at its last whole line;
// what is damaged, or newer than this program, is an error that names the line.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/trace/Lines.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

namespace sluice::driver {

/// A line without its line end. Without a header it must be one; with it, another line that fits
/// its graph.
llvm::Expected<trace::Line> parseTraceLine(llvm::StringRef text, const trace::Header *header);

struct TraceRecord {
  unsigned number = 0; // of the line, from 1
  std::string text;    // without its line end
  trace::Line line;
};

class TraceReader {
public:
  /// Opens the file (`-`: the standard input) and reads the header. With `wait`, calls that until a
  /// whole header is there, instead of failing.
  static llvm::Expected<std::unique_ptr<TraceReader>>
  open(const std::string &path, llvm::function_ref<void()> wait = nullptr);
  /// The same over a text that is here already.
  static llvm::Expected<std::unique_ptr<TraceReader>> read(std::string name, std::string text);
  ~TraceReader();

  const trace::Header &header() const { return head; }
  const std::string &headerText() const { return headText; }
  /// The next line; none if there is no whole one yet: ask again if the file still grows.
  llvm::Expected<std::optional<TraceRecord>> next();
  /// Sentences about what the lines read so far lack; ask at the end. Empty: the trace is whole.
  std::vector<std::string> missing() const;
  bool ended() const { return hasFinal; }
  const std::string &path() const { return name; }

private:
  TraceReader(std::string name) : name(std::move(name)) {}
  llvm::Error readHeader(llvm::function_ref<void()> wait);
  /// A whole line into `text`; false: there is none.
  llvm::Expected<bool> nextText(std::string &text);
  llvm::Expected<bool> readMore();
  llvm::Error at(unsigned line, llvm::Error);

  std::string name, headText;
  std::optional<llvm::sys::fs::file_t> file;
  std::string buffer;             // read, not yet given out
  size_t start = 0, searched = 0; // in it
  unsigned number = 0;
  trace::Header head;
  bool hasFinal = false;
  double time = 0;
  std::vector<std::string> lost;
};

/// Calls `visit` with each line behind the header; stops at the first error.
llvm::Error forEachLine(TraceReader &, llvm::function_ref<llvm::Error(TraceRecord &)> visit);

} // namespace sluice::driver
