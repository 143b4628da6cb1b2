//===- ObjectName.cpp - what objects are called ---------------------------===//
#include "toolkits/objectstorage/operators/ObjectStorageSink/ObjectName.h"
#include <ctime>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace sluice::objectstorage {

/// A part of a format: a letter again and again, or a text as it stands.
struct FormatPart {
  char letter = 0; // 0: a text
  size_t count = 0;
  std::string text;
};

/// Takes the next part away. Texts may be between quotes; two quotes are one.
static FormatPart nextPart(std::string_view &format) {
  char first = format[0];
  bool isLetter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  FormatPart part;
  if (isLetter) {
    part.letter = first;
    part.count = std::min(format.find_first_not_of(first), format.size());
    format.remove_prefix(part.count);
    return part;
  }
  if (first != '\'') {
    part.text = first;
    format.remove_prefix(1);
    return part;
  }
  size_t end = format.find('\'', 1);
  part.text = end == 1 ? "'" : format.substr(1, std::min(end, format.size()) - 1);
  format.remove_prefix(end == format.npos ? format.size() : end + 1);
  return part;
}

/// What strftime calls what a letter of Java's means. Null: it has none.
static const char *conversionOf(const FormatPart &part) {
  switch (part.letter) {
  case 'y':
    return part.count == 2 ? "%y" : "%Y";
  case 'M':
    return part.count >= 4 ? "%B" : part.count == 3 ? "%b" : "%m";
  case 'd':
    return "%d";
  case 'D':
    return "%j";
  case 'H':
    return "%H";
  case 'h':
    return "%I";
  case 'm':
    return "%M";
  case 's':
    return "%S";
  case 'a':
    return "%p";
  case 'E':
    return part.count >= 4 ? "%A" : "%a";
  case 'z':
    return "%Z";
  case 'Z':
    return "%z";
  case 'S':
    return "000"; // names are made once a second at most
  default:
    return nullptr;
  }
}

std::string wrongTimeFormat(const std::string &format) {
  for (std::string_view rest = format; !rest.empty();)
    if (FormatPart part = nextPart(rest); part.letter && !conversionOf(part))
      return std::string("timeFormat: the letter ") + part.letter + " is not in this release";
  return "";
}

static std::string timeText(const NameParts &parts) {
  auto seconds = time_t(parts.seconds);
  struct tm local;
  localtime_r(&seconds, &local);
  std::string result;
  for (std::string_view rest = parts.timeFormat; !rest.empty();) {
    FormatPart part = nextPart(rest);
    char text[64];
    const char *conversion = part.letter ? conversionOf(part) : nullptr;
    if (conversion)
      result.append(text, strftime(text, sizeof text, conversion, &local));
    else
      result += part.text;
  }
  return result;
}

static std::string hostName() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

std::string objectName(const std::string &pattern, const NameParts &parts) {
  const std::pair<std::string_view, std::string> texts[] = {
      {"%OBJECTNUM", std::to_string(parts.number)},
      {"%TIME", timeText(parts)},
      {"%HOST", hostName()},
      {"%PROCID", std::to_string(getpid())},
      {"%PEID", std::to_string(parts.pe)},
      {"%PELAUNCHNUM", "0"},
      {"%PARTITIONS", ""},
  };
  std::string result;
  for (std::string_view rest = pattern; !rest.empty();) {
    bool isKnown = false;
    for (const auto &[name, text] : texts)
      if (!isKnown && rest.starts_with(name)) {
        result += text;
        rest.remove_prefix(name.size());
        isKnown = true;
      }
    if (!isKnown) {
      result += rest[0];
      rest.remove_prefix(1);
    }
  }
  return result.substr(std::min(result.find_first_not_of('/'), result.size()));
}

} // namespace sluice::objectstorage
