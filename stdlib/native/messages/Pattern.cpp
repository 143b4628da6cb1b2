//===- Pattern.cpp - messages with places for arguments -------------------===//
#include "stdlib/native/messages/Pattern.h"
#include "stdlib/native/messages/NumberText.h"
#include <charconv>

using namespace sluice;
using namespace sluice::messages;

namespace {
class Writer {
public:
  Writer(std::string &to, std::string_view pattern, std::span<const Argument> arguments,
         const std::string &locale)
      : to(to), pattern(pattern), arguments(arguments), locale(locale) {}
  std::string run();

private:
  bool isAt(std::string_view characters) const {
    return at < pattern.size() && characters.find(pattern[at]) != characters.npos;
  }
  void apostrophe();
  std::string place();
  std::string_view style();
  std::string put(uint32_t number, std::string_view type, std::string_view style);

  std::string &to;
  const std::string_view pattern;
  const std::span<const Argument> arguments;
  const std::string &locale;
  size_t at = 0;
};
} // namespace

static std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string Writer::run() {
  std::string problem;
  while (at < pattern.size() && problem.empty()) {
    char c = pattern[at++];
    if (c == '\'')
      apostrophe();
    else if (c == '{')
      problem = place();
    else
      to += c;
  }
  return problem;
}

/// `at` is behind an apostrophe.
void Writer::apostrophe() {
  bool isQuote = isAt("{}");
  if (!isQuote) {
    at += isAt("'");
    to += '\'';
  }
  while (isQuote && at < pattern.size()) {
    char c = pattern[at++];
    isQuote = c != '\'' || isAt("'");
    at += c == '\'' && isQuote;
    if (isQuote)
      to += c;
  }
}

/// `at` is behind the brace that begins a place.
std::string Writer::place() {
  size_t end = pattern.find_first_of(",{}", at);
  std::string_view name = trimmed(pattern.substr(at, end - at)), type, how;
  at = std::min(end, pattern.size());
  if (isAt(",")) {
    end = pattern.find_first_of(",{}", ++at);
    type = trimmed(pattern.substr(at, end - at));
    at = std::min(end, pattern.size());
  }
  if (!type.empty() && isAt(",")) {
    ++at;
    how = trimmed(style());
  }
  uint32_t number = 0;
  auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (!isAt("}"))
    return "a `{` is not closed";
  ++at;
  if (error != std::errc() || rest != name.data() + name.size())
    return "`{" + std::string(name) + "}` is not the number of an argument";
  return put(number, type, how);
}

/// Up to the brace that ends the place.
std::string_view Writer::style() {
  size_t start = at;
  bool isQuoted = false;
  for (uint32_t depth = 0; at < pattern.size(); ++at) {
    char c = pattern[at];
    isQuoted ^= c == '\'';
    if (isQuoted)
      continue;
    if (c == '}' && depth-- == 0)
      break;
    depth += c == '{';
  }
  return pattern.substr(start, at - start);
}

std::string Writer::put(uint32_t number, std::string_view type, std::string_view style) {
  bool isNumber = type == "number";
  if (!type.empty() && !isNumber)
    return "the format `" + std::string(type) + "` of an argument is not supported yet";
  if (style.starts_with("::"))
    return "the format `" + std::string(style) + "` of a number is not supported yet";
  if (number >= arguments.size()) {
    to += '{' + std::to_string(number) + '}';
    return "";
  }
  const Argument &argument = arguments[number];
  const auto *text = std::get_if<std::string_view>(&argument);
  if (text && isNumber)
    return "argument " + std::to_string(number) + " is no number";
  if (!text)
    return putNumber(to, argument, style, locale);
  to += *text;
  return "";
}

std::string messages::putMessage(std::string &to, std::string_view pattern,
                                 std::span<const Argument> arguments, const std::string &locale) {
  return Writer(to, pattern, arguments, locale).run();
}
