//===- Syntax.cpp - where a text is no JSON ---------------------*- C++ -*-===//
#include "toolkits/json/native/Syntax.h"
#include "base/text/Utf8.h"
#include <charconv>
#include <cstring>

namespace sluice::json {

std::string_view textOf(ParseStatus status) {
  static constexpr std::string_view texts[] = {
      "no error",
      "the text is empty",
      "something follows the value",
      "a value is expected",
      "the key of a member is expected",
      "a colon is expected",
      "a comma or } is expected",
      "a comma or ] is expected",
      "four hexadecimal digits are expected",
      "half of a surrogate pair",
      "an unknown escape",
      "a string without its end",
      "a byte that is no UTF-8, or a control character",
      "the number is too large",
      "digits are expected behind the point",
      "digits are expected in the exponent",
      "objects and arrays are nested deeper than 64",
      "not as JSON is written",
  };
  static_assert(std::size(texts) == size_t(ParseStatus::SyntaxError) + 1);
  auto at = size_t(status);
  return texts[at < std::size(texts) ? at : size_t(ParseStatus::SyntaxError)];
}

namespace {
/// Each function leaves `p` behind what it has read and returns true; or sets `fault`.
class Scanner {
public:
  Scanner(std::string_view text, unsigned depth)
      : begin(text.data()), p(begin), end(begin + text.size()), depth(depth) {}
  Fault run();

private:
  bool fail(ParseStatus status) { return failAt(status, p); }
  bool failAt(ParseStatus status, const char *at) {
    fault = {status, size_t(at - begin)};
    return false;
  }
  void blanks() {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
      ++p;
  }
  bool take(char c) {
    blanks();
    bool is = p < end && *p == c;
    p += is;
    return is;
  }
  bool isDigit() const { return p < end && *p >= '0' && *p <= '9'; }
  bool digits(ParseStatus otherwise) {
    if (!isDigit())
      return fail(otherwise);
    while (isDigit())
      ++p;
    return true;
  }
  bool value();
  bool object();
  bool array();
  bool word(std::string_view);
  bool number();
  bool string();
  bool escape();
  bool hex(uint32_t &unit);

  const char *begin, *p, *end;
  unsigned depth;
  Fault fault;
};
} // namespace

Fault Scanner::run() {
  blanks();
  if (p == end)
    return {ParseStatus::DocumentEmpty, 0};
  if (value()) {
    blanks();
    if (p < end)
      fail(ParseStatus::MultipleRoots);
  }
  return fault;
}

bool Scanner::value() {
  blanks();
  if (p == end)
    return fail(ParseStatus::ValueInvalid);
  switch (*p) {
  case '{':
  case '[': {
    if (depth == kDepth)
      return fail(ParseStatus::Termination);
    ++depth;
    bool good = *p == '{' ? object() : array();
    --depth;
    return good;
  }
  case '"':
    return string();
  case 't':
    return word("true");
  case 'f':
    return word("false");
  case 'n':
    return word("null");
  default:
    return number();
  }
}

bool Scanner::object() {
  ++p;
  if (take('}'))
    return true;
  do {
    blanks();
    if (p == end || *p != '"')
      return fail(ParseStatus::KeyMissing);
    if (!string())
      return false;
    if (!take(':'))
      return fail(ParseStatus::ColonMissing);
    if (!value())
      return false;
  } while (take(','));
  return take('}') || fail(ParseStatus::ObjectCommaOrBracketMissing);
}

bool Scanner::array() {
  ++p;
  if (take(']'))
    return true;
  do
    if (!value())
      return false;
  while (take(','));
  return take(']') || fail(ParseStatus::ArrayCommaOrBracketMissing);
}

bool Scanner::word(std::string_view word) {
  if (size_t(end - p) < word.size() || memcmp(p, word.data(), word.size()) != 0)
    return fail(ParseStatus::ValueInvalid);
  p += word.size();
  return true;
}

bool Scanner::number() {
  const char *start = p;
  p += *p == '-';
  if (!isDigit())
    return failAt(ParseStatus::ValueInvalid, start);
  if (*p == '0')
    ++p;
  else
    digits(ParseStatus::ValueInvalid);
  if (isDigit()) // behind a zero
    return failAt(ParseStatus::ValueInvalid, start);
  if (p < end && *p == '.') {
    ++p;
    if (!digits(ParseStatus::NumberMissFraction))
      return false;
  }
  if (p < end && (*p | 32) == 'e') {
    ++p;
    p += p < end && (*p == '+' || *p == '-');
    if (!digits(ParseStatus::NumberMissExponent))
      return false;
  }
  return true;
}

bool Scanner::string() {
  const char *start = p++;
  while (p < end && *p != '"') {
    if (*p == '\\') {
      if (!escape())
        return false;
      continue;
    }
    uint32_t code;
    unsigned length = uint8_t(*p) < 0x20 ? 0 : decodeUtf8(p, end, code);
    if (!length)
      return fail(ParseStatus::StringInvalidEncoding);
    p += length;
  }
  if (p == end)
    return failAt(ParseStatus::StringQuotationMissing, start);
  ++p;
  return true;
}

bool Scanner::hex(uint32_t &unit) {
  if (end - p < 4)
    return fail(ParseStatus::UnicodeEscapeInvalid);
  auto [last, error] = std::from_chars(p, p + 4, unit, 16);
  if (error != std::errc() || last != p + 4)
    return fail(ParseStatus::UnicodeEscapeInvalid);
  p += 4;
  return true;
}

bool Scanner::escape() {
  const char *start = p++;
  if (p == end || !memchr("\"\\/bfnrtu", *p, 9))
    return failAt(ParseStatus::StringEscapeInvalid, start);
  if (*p++ != 'u')
    return true;
  uint32_t unit, low;
  if (!hex(unit))
    return false;
  if (unit < 0xd800 || unit >= 0xe000)
    return true;
  bool isPair = unit < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u';
  if (!isPair)
    return failAt(ParseStatus::UnicodeSurrogateInvalid, start);
  p += 2;
  if (!hex(low))
    return false;
  return (low >= 0xdc00 && low < 0xe000) || failAt(ParseStatus::UnicodeSurrogateInvalid, start);
}

Fault findFault(std::string_view text, unsigned depth) { return Scanner(text, depth).run(); }

} // namespace sluice::json
