//===- PosixTranslation.cpp - reads a POSIX pattern, writes two others ----===//
//
// Known are alternatives, groups, characters, sets of them, and repeats of anything but groups. A
// group that is repeated keeps other matches in Perl than in the C library.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/regex/PosixTranslation.h"
#include "stdlib/native/regex/Bytes.h"
#include "value/Utf8.h"
#include <algorithm>
#include <vector>

using namespace sluice;
using namespace sluice::posix;

namespace {

constexpr uint32_t kAsciiEnd = 0x80, kEnd = 0x110000;

/// Code points [from, to).
struct Range {
  uint32_t from, to;
};
/// Without gaps of length zero, in order.
using Set = std::vector<Range>;

Set united(Set ranges) {
  std::sort(ranges.begin(), ranges.end(), [](Range a, Range b) { return a.from < b.from; });
  Set set;
  for (Range range : ranges)
    if (!set.empty() && range.from <= set.back().to)
      set.back().to = std::max(set.back().to, range.to);
    else
      set.push_back(range);
  return set;
}
/// What is not in the set, but NUL, which no set matches.
Set inverted(const Set &set) {
  Set rest;
  uint32_t from = 1;
  for (Range range : set) {
    if (from < range.from)
      rest.push_back({from, range.from});
    from = range.to;
  }
  if (from < kEnd)
    rest.push_back({from, kEnd});
  return rest;
}
Set below(const Set &set, uint32_t end) {
  Set part;
  for (Range range : set)
    if (range.from < end)
      part.push_back({range.from, std::min(range.to, end)});
  return part;
}

bool isDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool isAlnum(char32_t c) { return isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }
bool isOneOf(char32_t c, std::u32string_view some) { return some.find(c) != some.npos; }

//===--- bytes --------------------------------------------------------------===//

/// A set of bytes for Perl: [\x61-\x7a], or \x61.
void putPerl(std::string &out, const Set &bytes) {
  auto hex = [&](uint32_t byte) {
    constexpr const char *digits = "0123456789abcdef";
    out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  };
  if (bytes.size() == 1 && bytes[0].to - bytes[0].from == 1)
    return hex(bytes[0].from);
  out += '[';
  for (Range range : bytes) {
    hex(range.from);
    if (range.to - range.from > 1) {
      out += '-';
      hex(range.to - 1);
    }
  }
  out += ']';
}

/// The same for POSIX, where the order of those that are special makes them stand for themselves.
void putPosix(std::string &out, const Set &bytes) {
  constexpr std::string_view special = "][^-";
  std::string plain, known;
  for (Range range : bytes)
    for (uint32_t byte = range.from; byte < range.to; ++byte)
      (special.find(char(byte)) == special.npos ? plain : known) += char(byte);
  auto has = [&](char c) { return known.find(c) != known.npos; };
  if (plain.empty() && known == "^") {
    out += "\\^";
    return;
  }
  out += '[';
  out += (has(']') ? "]" : "") + plain;
  for (char c : {'[', '^', '-'})
    if (has(c))
      out += c;
  out += ']';
}

/// Sets of the first byte, the second, and so on.
using Sequence = std::vector<Range>;

/// The bytes of the code points, all of one length, as sequences of ranges.
void split(Range range, unsigned length, std::vector<Sequence> &out) {
  for (unsigned i = 1; i < length; ++i) {
    // Where the last i bytes do not take all values, the range is cut.
    uint32_t mask = (uint32_t(1) << (6 * i)) - 1, last = range.to - 1;
    if ((range.from & ~mask) == (last & ~mask))
      continue;
    uint32_t cut = range.from & mask ? (range.from | mask) + 1 : last & ~mask;
    bool isWhole = !(range.from & mask) && (last & mask) == mask;
    if (isWhole)
      continue;
    split({range.from, cut}, length, out);
    split({cut, range.to}, length, out);
    return;
  }
  char first[4], last[4];
  putUtf8(first, range.from);
  putUtf8(last, range.to - 1);
  Sequence sequence;
  for (unsigned i = 0; i < length; ++i)
    sequence.push_back({uint8_t(first[i]), uint32_t(uint8_t(last[i])) + 1});
  out.push_back(sequence);
}

/// The characters beyond ASCII, but for surrogates, which no text has.
std::vector<Sequence> sequencesOf(const Set &set) {
  constexpr Range ofLength[] = {{0x80, 0x800}, {0x800, 0xd800}, {0xe000, 0x10000}, {0x10000, kEnd}};
  constexpr unsigned lengths[] = {2, 3, 3, 4};
  std::vector<Sequence> sequences;
  for (Range range : set)
    for (size_t i = 0; i < std::size(lengths); ++i) {
      Range part = {std::max(range.from, ofLength[i].from), std::min(range.to, ofLength[i].to)};
      if (part.from < part.to)
        split(part, lengths[i], sequences);
    }
  return sequences;
}

//===--- patterns -----------------------------------------------------------===//

constexpr const char *kNoMore = "(?![\\x80-\\xbf])"; // bytes of the last character

/// Gives up (false) where POSIX and Perl may differ.
class Translator {
public:
  Translator(std::u32string_view pattern, Alphabet alphabet) : rest(pattern), alphabet(alphabet) {}

  std::optional<Translation> translate() {
    bool isAnchored = skip('^');
    bool endsAnchored = rest.ends_with(U'$') && !rest.ends_with(U"\\$") && !rest.ends_with(U"[$");
    if (endsAnchored)
      rest.remove_suffix(1);
    if (!alternatives() || !rest.empty() || (isBranched && (isAnchored || endsAnchored)))
      return std::nullopt;
    out.whole = (isAnchored ? "^" : "") + out.whole + (endsAnchored ? "$" : "");
    if ((out.endsAtEnd = endsAnchored))
      out.perl = (isAnchored ? "\\A" : "") + out.perl + "\\z";
    return std::move(out);
  }

private:
  bool skip(char32_t c) {
    bool is = rest.starts_with(c);
    rest.remove_prefix(is);
    return is;
  }
  char32_t take() {
    char32_t c = rest.front();
    rest.remove_prefix(1);
    return c;
  }
  void put(std::string_view text) {
    out.whole += text;
    out.perl += text;
  }

  bool alternatives() {
    bool atTop = depth == 0;
    if (!branch())
      return false;
    while (skip('|')) {
      isBranched |= atTop;
      put("|");
      if (!branch())
        return false;
    }
    return true;
  }

  bool branch() {
    bool isEmpty = true;
    for (; !rest.empty() && !isOneOf(rest.front(), U"|)"); isEmpty = false)
      if (!piece())
        return false;
    return !isEmpty;
  }

  bool piece() {
    char32_t c = take();
    if (c == '(')
      return group();
    Set set = {{c, c + 1}};
    if (c == '.')
      set = inverted({});
    else if (c == '[' && !bracket(set))
      return false;
    else if (c == '\\' && !escape(set))
      return false;
    else if (isOneOf(c, U"*+?{^$"))
      return false;
    std::string repeat;
    return quantifier(repeat) && putSet(set, repeat);
  }

  /// A group may be left out, but not repeated.
  bool group() {
    put("(");
    ++depth;
    bool good = alternatives() && skip(')');
    --depth;
    put(")");
    std::string repeat;
    if (!good || !quantifier(repeat) || (!repeat.empty() && repeat != "?"))
      return false;
    put(repeat);
    return true;
  }

  bool escape(Set &set) {
    if (rest.empty() || isOneOf(rest.front(), U"<>`'") || isAlnum(rest.front()) ||
        rest.front() <= ' ' || rest.front() >= 0x7f)
      return false;
    char32_t c = take();
    set = {{c, c + 1}};
    return true;
  }

  /// Behind a piece.
  bool quantifier(std::string &text) {
    constexpr std::u32string_view signs = U"*+?{";
    if (rest.empty() || !isOneOf(rest.front(), signs))
      return true;
    size_t length = 1;
    if (rest.front() == '{') {
      length = rest.find('}') + 1;
      if (!length || !isInterval(rest.substr(1, length - 2)))
        return false;
    }
    text.assign(rest.begin(), rest.begin() + ptrdiff_t(length));
    rest.remove_prefix(length);
    return rest.empty() || !isOneOf(rest.front(), signs);
  }
  /// n or n,m or n, with numbers of up to three digits.
  static bool isInterval(std::u32string_view text) {
    size_t digits = 0, commas = 0;
    for (char32_t c : text) {
      if (c == ',' && digits && !commas++)
        digits = 0;
      else if (!isDigit(c) || ++digits > 3)
        return false;
    }
    return !text.empty() && text.front() != ',';
  }

  bool bracket(Set &set) {
    bool isNegated = skip('^');
    Set ranges;
    for (bool isFirst = true;; isFirst = false) {
      if (rest.empty())
        return false;
      char32_t c = take(), last = c;
      if (c == ']' && !isFirst)
        break;
      if (c == '[' && !rest.empty() && isOneOf(rest.front(), U".=:")) {
        if (!characterClass(ranges))
          return false;
        continue;
      }
      if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']') {
        rest.remove_prefix(1);
        last = take();
        if (last == '[' || last < c || last >= kAsciiEnd) // others go by the locale
          return false;
      }
      ranges.push_back({c, last + 1});
    }
    set = isNegated ? inverted(united(ranges)) : united(ranges);
    return true;
  }

  /// Behind the `[` of `[:alpha:]`. Those of Unicode have too many characters.
  bool characterClass(Set &ranges) {
    size_t end = rest.find(U":]");
    if (alphabet != Alphabet::Ascii || rest.front() != ':' || end == rest.npos || end == 0)
      return false;
    std::string name;
    for (char32_t c : rest.substr(1, end - 1))
      name += char(c);
    rest.remove_prefix(end + 2);
    constexpr std::string_view known[] = {"alnum", "alpha", "cntrl", "digit", "graph", "lower",
                                          "print", "punct", "space", "upper", "xdigit"};
    if (std::find(std::begin(known), std::end(known), name) == std::end(known))
      return false;
    uint32_t members = perl::Bytes::lookup_classname(name.data(), name.data() + name.size());
    for (uint32_t c = 1; c < kAsciiEnd; ++c)
      if (perl::Bytes::isctype(char(c), members))
        ranges.push_back({c, c + 1});
    return true;
  }

  /// A character of the set, as often as `repeat` says.
  bool putSet(const Set &set, const std::string &repeat) {
    Set ascii = below(set, kAsciiEnd);
    std::vector<Sequence> longer;
    if (alphabet == Alphabet::Utf8)
      longer = sequencesOf(set);
    if (ascii.empty() && longer.empty())
      return false;
    putWhole(ascii, longer);
    out.whole += repeat;
    bool isRest = !set.empty() && set.back().from <= kAsciiEnd && set.back().to == kEnd;
    if (longer.empty()) {
      putPerl(out.perl, ascii);
      out.perl += repeat;
    } else if (isRest) {
      putPerlRest(ascii, repeat);
    } else {
      putPerlEither(ascii, longer);
      out.perl += repeat;
    }
    return true;
  }

  void putWhole(const Set &ascii, const std::vector<Sequence> &longer) {
    std::string &text = out.whole;
    if (longer.empty())
      return putPosix(text, ascii);
    text += '(';
    if (!ascii.empty())
      putPosix(text, ascii);
    for (const Sequence &sequence : longer) {
      text += text.back() == '(' ? "" : "|";
      for (Range bytes : sequence)
        putPosix(text, {bytes});
    }
    text += ')';
  }

  void putPerlEither(const Set &ascii, const std::vector<Sequence> &longer) {
    out.perl += "(?:";
    if (!ascii.empty())
      putPerl(out.perl, ascii);
    for (const Sequence &sequence : longer) {
      out.perl += out.perl.back() == ':' ? "" : "|";
      for (Range bytes : sequence)
        putPerl(out.perl, {bytes});
    }
    out.perl += ')';
  }

  /// A set that has all characters beyond ASCII: their bytes need not be looked at, but the last
  /// character has to be whole.
  void putPerlRest(Set ascii, const std::string &repeat) {
    if (repeat == "*" || repeat == "+") {
      ascii.push_back({kAsciiEnd, 0x100});
      putPerl(out.perl, united(ascii));
      out.perl += repeat + kNoMore;
      return;
    }
    out.perl += "(?:";
    if (!ascii.empty()) {
      putPerl(out.perl, ascii);
      out.perl += '|';
    }
    out.perl += std::string("[\\xc2-\\xf4][\\x80-\\xbf]+") + kNoMore + ")" + repeat;
  }

  std::u32string_view rest;
  Alphabet alphabet;
  Translation out;
  int depth = 0;           // of groups
  bool isBranched = false; // at depth 0
};

} // namespace

std::optional<Translation> posix::translate(std::string_view pattern, Alphabet alphabet) {
  std::u32string codes;
  const char *p = pattern.data(), *end = p + pattern.size();
  for (uint32_t code; p < end;) {
    unsigned n = decodeUtf8(p, end, code);
    if (!n || !code || (alphabet == Alphabet::Ascii && code >= kAsciiEnd))
      return std::nullopt;
    codes += char32_t(code);
    p += n;
  }
  return Translator(codes, alphabet).translate();
}
