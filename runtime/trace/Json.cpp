//===- Json.cpp - one line of JSON ----------------------------------------===//
#include "runtime/trace/Json.h"
#include <charconv>
#include <cmath>

namespace sluice::trace {

void Json::comma() {
  if (out.back() != '{' && out.back() != '[')
    out += ',';
}

void Json::key(std::string_view name) {
  comma();
  quote(name);
  out += ':';
}

void Json::text(std::string_view name, std::string_view value) {
  key(name);
  quote(value);
}

void Json::number(std::string_view name, double value) {
  key(name);
  digits(value);
}

void Json::element(std::string_view value) {
  comma();
  quote(value);
}

void Json::element(double value) {
  comma();
  digits(value);
}

/// The shortest digits that read back as the same number. JSON has no infinity, so that is a
/// string.
void Json::digits(double value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
    return;
  }
  char text[32];
  auto [end, error] =
      std::to_chars(text, text + sizeof text, value + 0.0); // readers of JSON differ in -0
  out.append(text, end);
}

/// The length of the valid UTF-8 character at the front, in bytes; 0 if there is none.
static size_t validUtf8(std::string_view s) {
  auto byte = [&](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  auto follows = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  unsigned c = byte(0);
  if (c < 0x80)
    return 1;
  if (c >= 0xc2 && c < 0xe0)
    return follows(1) ? 2 : 0;
  if ((c & 0xf0) == 0xe0) // neither overlong nor half of a surrogate pair
    return follows(1) && follows(2) && !(c == 0xe0 && byte(1) < 0xa0) &&
                   !(c == 0xed && byte(1) >= 0xa0)
               ? 3
               : 0;
  if (c >= 0xf0 && c <= 0xf4)
    return follows(1) && follows(2) && follows(3) && !(c == 0xf0 && byte(1) < 0x90) &&
                   !(c == 0xf4 && byte(1) >= 0x90)
               ? 4
               : 0;
  return 0;
}

void Json::quote(std::string_view value) {
  out += '"';
  while (!value.empty()) {
    size_t length = validUtf8(value);
    auto c = static_cast<unsigned char>(value[0]);
    if (length == 0) // file names may be any bytes
      out += "\xef\xbf\xbd";
    else if (c == '"' || c == '\\')
      (out += '\\') += char(c);
    else if (c < ' ') {
      constexpr char hex[] = "0123456789abcdef";
      ((out += "\\u00") += hex[c >> 4]) += hex[c & 15];
    } else
      out += value.substr(0, length);
    value.remove_prefix(length ? length : 1);
  }
  out += '"';
}

} // namespace sluice::trace
