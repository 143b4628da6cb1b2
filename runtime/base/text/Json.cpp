//===- Json.cpp - writes JSON ---------------------------------------------===//
#include "runtime/base/text/Json.h"
#include "runtime/base/text/Utf8.h"
#include <charconv>
#include <cmath>

namespace sluice {

void Json::newline() { out += '\n' + std::string(2 * levels.size(), ' '); }

void Json::separate() {
  if (levels.empty())
    return;
  Level &level = levels.back();
  bool indented = style == Style::Indented;
  if (!level.empty)
    out += indented && level.flat ? ", " : ",";
  if (indented && !level.flat)
    newline();
  level.empty = false;
}

void Json::key(std::string_view name) {
  separate();
  quote(name);
  out += style == Style::Indented ? ": " : ":";
}

void Json::openElement(char bracket, bool flat) {
  separate();
  out += bracket;
  levels.push_back({bracket == '{' ? '}' : ']', flat, true});
}

void Json::open(std::string_view name, char bracket, bool flat) {
  key(name);
  out += bracket;
  levels.push_back({bracket == '{' ? '}' : ']', flat, true});
}

void Json::close() {
  Level level = levels.back();
  levels.pop_back();
  if (style == Style::Indented && !level.empty && !level.flat)
    newline();
  out += level.end;
}

void Json::text(std::string_view name, std::string_view value) {
  key(name);
  quote(value);
}

void Json::number(std::string_view name, double value) {
  key(name);
  shortest(value);
}

void Json::rounded(std::string_view name, double value, int digits) {
  key(name);
  char text[64];
  out.append(
      text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr);
}

void Json::flag(std::string_view name, bool value) {
  key(name);
  out += value ? "true" : "false";
}

void Json::null(std::string_view name) {
  key(name);
  out += "null";
}

void Json::element(std::string_view value) {
  separate();
  quote(value);
}

void Json::element(double value) {
  separate();
  shortest(value);
}

void Json::shortest(double value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
    return;
  }
  char text[32];
  auto [end, error] =
      std::to_chars(text, text + sizeof text, value + 0.0); // readers of JSON differ in -0
  out.append(text, end);
}

void Json::quote(std::string_view value) {
  out += '"';
  const char *p = value.data(), *end = p + value.size();
  for (uint32_t code; p < end;) {
    unsigned length = decodeUtf8(p, end, code);
    if (length == 0) // names of files and of metrics may be any bytes
      out += "\xef\xbf\xbd";
    else if (code == '"' || code == '\\')
      (out += '\\') += *p;
    else if (code < ' ') {
      constexpr char hex[] = "0123456789abcdef";
      ((out += "\\u00") += hex[code >> 4]) += hex[code & 15];
    } else
      out.append(p, length);
    p += length ? length : 1;
  }
  out += '"';
}

} // namespace sluice
