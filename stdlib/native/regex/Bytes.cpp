//===- Bytes.cpp - classes of bytes, and numbers in patterns --------------===//
#include "stdlib/native/regex/Bytes.h"
#include <climits>

using namespace sluice;
using namespace sluice::perl;

namespace {

/// Sets that have no byte in common; each class is some of them.
enum : uint32_t {
  Upper = 1,
  Lower = 2,
  HexLetter = 4, // of these letters
  Digit = 8,
  Underscore = 16,
  Punctuation = 32, // all other
  Blank = 64,
  Tab = 128,
  LineEnd = 256,
  VerticalTab = 512,
  Control = 1024,  // all other
  Extended = 2048, // no byte is one
  Alpha = Upper | Lower,
  Alnum = Alpha | Digit,
  Word = Alnum | Underscore,
  Graph = Word | Punctuation,
  Space = Blank | Tab | LineEnd | VerticalTab,
};

constexpr uint32_t setsOfByte(int c) {
  if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
    return (c & 0x20 ? Lower : Upper) | ((c | 0x20) <= 'f' ? HexLetter : 0);
  if (c >= '0' && c <= '9')
    return Digit;
  if (c == '\n' || c == '\f' || c == '\r')
    return LineEnd;
  switch (c) {
  case '_':
    return Underscore;
  case ' ':
    return Blank;
  case '\t':
    return Tab;
  case '\v':
    return VerticalTab;
  default:
    return c > 0x7f ? 0 : c < ' ' || c == 0x7f ? Control : Punctuation;
  }
}

constexpr struct {
  std::string_view name;
  uint32_t set;
} kClasses[] = {
    {"alnum", Alnum},
    {"alpha", Alpha},
    {"blank", Blank | Tab | VerticalTab},
    {"cntrl", Control | Tab | LineEnd | VerticalTab},
    {"d", Digit},
    {"digit", Digit},
    {"graph", Graph},
    {"h", Blank | Tab},
    {"l", Lower},
    {"lower", Lower},
    {"print", Graph | Blank},
    {"punct", Punctuation | Underscore},
    {"s", Space},
    {"space", Space},
    {"u", Upper},
    {"unicode", Extended},
    {"upper", Upper},
    {"v", LineEnd | VerticalTab},
    {"w", Word},
    {"word", Word},
    {"xdigit", Digit | HexLetter},
};

uint32_t setNamed(std::string_view name) {
  for (const auto &known : kClasses)
    if (known.name == name)
      return known.set;
  return 0;
}

} // namespace

constinit const std::array<uint32_t, 256> Bytes::setsOf = [] {
  std::array<uint32_t, 256> sets{};
  for (int c = 0; c < 256; ++c)
    sets[size_t(c)] = setsOfByte(c);
  return sets;
}();

std::string Bytes::transform_primary(const char *from, const char *to) {
  std::string key(from, to);
  for (char &c : key)
    c = tolower(c);
  return key;
}

uint32_t Bytes::lookup_classname(const char *from, const char *to) {
  uint32_t set = setNamed({from, to});
  return set ? set : setNamed(transform_primary(from, to));
}

std::string Bytes::lookup_collatename(const char *from, const char *to) {
  std::string known = named({from, to});
  return known.empty() && to - from == 1 ? std::string(1, *from) : known;
}

int Bytes::value(char c, int radix) {
  int digit = c >= '0' && c <= '9'    ? c - '0'
              : isctype(c, HexLetter) ? (c | 0x20) - 'a' + 10
                                      : radix;
  return digit < radix ? digit : -1;
}

/// As C++ streams read numbers, which Boost uses: blanks and a sign may be in front of it.
intmax_t Bytes::toi(const char *&from, const char *to, int radix) {
  const char *p = from;
  while (p < to && isctype(*p, Space))
    ++p;
  bool isNegative = p < to && *p == '-';
  if (p < to && (*p == '-' || *p == '+'))
    ++p;
  if (radix == 16 && to - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x' && value(p[2], 16) >= 0)
    p += 2;
  intmax_t number = -1;
  for (int digit; p < to && (digit = value(*p, radix)) >= 0; ++p) {
    number = number < 0 ? 0 : number;
    if (number > (INTMAX_MAX - digit) / radix)
      return -1;
    number = number * radix + digit;
  }
  if (number < 0)
    return -1;
  from = p;
  return isNegative ? -number : number;
}
