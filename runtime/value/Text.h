//===- Text.h - the text of values ------------------------------*- C++ -*-===//
//
// One text form for casts, println, and CSV: integers plain, float64 as %.15g,
// float32 as %.6g, strings inside other values quoted with escapes, no blanks.
// Parsing takes what printing makes, with blanks between tokens.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Arena.h"
#include "value/Value.h"
#include <string_view>

namespace sluice {

/// A growable buffer of text; reuse one to keep its memory. Short texts take no
/// allocation; longer ones grow in the arena, if there is one.
struct TextOut {
  explicit TextOut(Arena *arena = nullptr) : arena(arena) {}
  TextOut(const TextOut &) = delete;
  TextOut &operator=(const TextOut &) = delete;
  ~TextOut();

  char *data = first;
  size_t size = 0, capacity = sizeof first;

  void clear() { size = 0; }
  /// Room for `n` more bytes; the caller writes them and adds to size.
  char *reserve(size_t n) {
    if (size + n > capacity)
      grow(size + n);
    return data + size;
  }
  void put(char c) {
    *reserve(1) = c;
    ++size;
  }
  void put(std::string_view s) {
    if (s.empty())
      return;
    memcpy(reserve(s.size()), s.data(), s.size());
    size += s.size();
  }
  std::string_view view() const { return {data, size}; }
  /// Whether the text is in this object, and goes with it.
  bool isLocal() const { return data == first; }

private:
  void grow(size_t least);

  Arena *arena;
  char first[120];
};

inline std::string_view viewOf(const Str &s) { return {s.data(), s.len}; }

void printInteger(TextOut &, int64_t);
void printInteger(TextOut &, uint64_t);
void printFloat(TextOut &, double);
void printFloat(TextOut &, float);
/// "..." with C escapes; valid UTF-8 stays, other unprintables become \uXXXX,
/// bytes that are not UTF-8 stay. `ascii`: everything beyond ASCII is escaped.
void printQuoted(TextOut &, std::string_view, bool ascii = false);
/// quoteTopString: whether a string that is not inside another value is quoted.
void printValue(TextOut &, const TypeDesc *, const void *value, bool quoteTopString);

/// The parsers move p behind what they took and return 0, or return 1 (p is
/// then where the trouble is). Leading blanks are skipped, trailing ones not.
inline void skipBlanks(const char *&p, const char *end) {
  while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
    ++p;
}
/// A decimal integer of the kind (Int8 ... UInt64) that fits; `-5` as a uint64
/// wraps. Stores the kind's size.
int parseInteger(const char *&p, const char *end, Kind, void *out);
/// Float32 or Float64. nan and inf only if `special`.
int parseFloat(const char *&p, const char *end, Kind, void *out, bool special);
/// A string in '...' or "..."; its text, unescaped, lies in the arena (or in
/// the source).
int parseQuoted(const char *&p, const char *end, Str *out, Arena &);
/// Any value as printValue writes it, strings quoted. `special`: CSV input,
/// where floats may be nan and inf. Of equal map keys the first stays.
int parseValue(const char *&p, const char *end, const TypeDesc *, void *out, Arena &,
               bool special = false);
/// A whole text, as a cast does: blanks around it (but around no enum name);
/// an rstring is taken raw.
int parseAll(const char *p, const char *end, const TypeDesc *, void *out, Arena &);

} // namespace sluice
