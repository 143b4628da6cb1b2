//===- ByteStream.h - a buffer as ANTLR reads it ----------------*- C++ -*-===//
//
// One byte is one character, so that token positions are byte offsets and
// nothing is copied. Bytes of UTF-8 sequences are legal only in strings and
// comments, where any character is.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "antlr4-runtime.h"
#include "llvm/ADT/StringRef.h"

namespace sluice::grammar {

class ByteStream final : public antlr4::CharStream {
public:
  explicit ByteStream(llvm::StringRef text) : text(text) {}

  void consume() override {
    if (position < text.size())
      ++position;
  }
  size_t LA(ssize_t i) override {
    // LA(1) is the current byte, LA(-1) the one before; LA(0) does not exist.
    size_t at = position + i - (i > 0 ? 1 : 0);
    return at < text.size() ? static_cast<unsigned char>(text[at]) : antlr4::IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return position; }
  void seek(size_t index) override { position = std::min(index, text.size()); }
  size_t size() override { return text.size(); }
  std::string getSourceName() const override { return ""; }
  std::string getText(const antlr4::misc::Interval &interval) override {
    return text.slice(interval.a, interval.b + 1).str();
  }
  std::string toString() const override { return text.str(); }

private:
  llvm::StringRef text;
  size_t position = 0;
};

} // namespace sluice::grammar
