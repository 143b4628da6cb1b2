//===- Text.h - the text of values ------------------------------*- C++ -*-===//
//
// Casts, println and CSV use the same text form: integers plain, floats as FloatText says,
// decimals with all digits that they have, complex numbers as (RE,IM), `null` where an optional has
// no value, strings inside other values quoted with escapes, no blanks. Parsing accepts what
// printing makes, and blanks between tokens.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "memory/Arena.h"
#include "value/Value.h"
#include <optional>
#include <string_view>

namespace sluice {

/// How many digits floats have.
enum class FloatText : uint8_t {
  Default,  // as setFloatText() says
  Spl,      // 15 digits, of a float32 6: %.15g and %.6g
  Shortest, // so many as it takes to read the number back; as Spl writes it if these are enough
};

/// What users call them: spl, shortest.
inline std::optional<FloatText> floatTextOf(std::string_view name) {
  return name == "spl"        ? std::optional(FloatText::Spl)
         : name == "shortest" ? std::optional(FloatText::Shortest)
                              : std::nullopt;
}

/// For all text that does not say otherwise, in this process; before threads run.
void setFloatText(FloatText);

/// A growable buffer of text; reuse one to keep its memory. Short texts need no allocation; longer
/// ones are in the arena, if there is one, else in memory from malloc.
struct TextOut {
  explicit TextOut(Arena *arena = nullptr) : arena(arena) {}
  TextOut(const TextOut &) = delete;
  TextOut &operator=(const TextOut &) = delete;
  ~TextOut();

  char *data = first;
  size_t size = 0, capacity = sizeof first;
  FloatText floats = FloatText::Default; // of values that are printed into it

  void clear() { size = 0; }
  /// Makes room for `n` more bytes; the caller writes them and adds to size.
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
  /// True if the text is in this object and ends with it.
  bool isLocal() const { return data == first; }

private:
  void grow(size_t least);

  Arena *arena;
  char first[120];
};

/// Stores the bytes of a Str at once: a processor cannot forward several small stores to one load
/// of 16 bytes, which is how generated code takes what a function has made.
SLUICE_INLINE void storeWhole(Str *to, uint64_t low, uint64_t high) {
  typedef uint64_t Words __attribute__((vector_size(16)));
  const Words words = {low, high};
  memcpy(to, &words, sizeof words);
}

/// A text of at most kInline bytes, of which the first is the lowest; the others are zero.
SLUICE_INLINE void storeInline(Str *to, uint32_t len, unsigned __int128 text) {
  storeWhole(to, len | uint64_t(text) << 32, uint64_t(text >> 32));
}

inline std::string_view viewOf(const Str &s) { return {s.data(), s.len}; }

void printInteger(TextOut &, int64_t);
void printInteger(TextOut &, uint64_t);
void printFloat(TextOut &, double);
void printFloat(TextOut &, float);
/// Room for any number that putNumber() writes.
constexpr size_t kNumberRoom = 32;
/// Makes a text of an integer from 0 to 99,999,999. False: it is not in this range, or of another
/// kind.
bool shortInteger(Kind, const void *value, Str *text);
/// Writes an integer and returns where it ends. Null: it is of another kind.
char *putInteger(char *to, Kind, const void *value);
/// Writes an integer, a boolean, or a float with at most four digits behind the point, as
/// printValue() does, and returns where it ends. Null: it is none of these.
char *putNumber(char *to, Kind, const void *value);
/// Prints the digits of the coefficient; with an exponent where %g has one.
void printDecimal(TextOut &, Kind, const void *value);
/// Prints "..." with C escapes. Valid UTF-8 and bytes that are not UTF-8 stay as they are; other
/// characters that cannot be printed become \uXXXX. `ascii`: all beyond ASCII is escaped.
void printQuoted(TextOut &, std::string_view, bool ascii = false);
/// quoteTopString: a string that is not inside another value is quoted as well.
void printValue(TextOut &, const TypeDesc *, const void *value, bool quoteTopString);

// The parsers set p behind what they have parsed and return 0. On an error they return 1, and p is
// where that is. They skip leading blanks, not trailing ones.
inline void skipBlanks(const char *&p, const char *end, char but = 0) {
  while (p < end && *p != but && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
    ++p;
}
/// Parses a decimal integer that fits the kind (Int8 ... UInt64); `-5` as a uint64 wraps around.
/// Stores as many bytes as the kind has.
int parseInteger(const char *&p, const char *end, Kind, void *out);
/// Parses a Float32 or Float64; nan and inf only if `special`.
int parseFloat(const char *&p, const char *end, Kind, void *out, bool special);
/// Parses a decimal, with more digits than it has rounded; nan and inf only if `special`.
int parseDecimal(const char *&p, const char *end, Kind, void *out, bool special);
/// Parses a string in '...' or "...". Its text, without escapes, is in the arena or in the source.
int parseQuoted(const char *&p, const char *end, Str *out, Arena &);
/// Makes bytes that were read a value of the type, an rstring, a ustring or xml: cuts or repairs
/// them. Fails for xml that is not well-formed.
int textValue(const TypeDesc *, Str *text, Arena &);
/// Parses any value as printValue() writes it, strings quoted. `special`: for CSV, where floats may
/// be nan and inf. Of equal keys of a map the first one counts.
int parseValue(const char *&p, const char *end, const TypeDesc *, void *out, Arena &,
               bool special = false);
/// Parses a whole text, as a cast does: with blanks around it, except around the name of an
/// enumerator. A string and an xml document are the text itself.
int parseAll(const char *p, const char *end, const TypeDesc *, void *out, Arena &);

} // namespace sluice
