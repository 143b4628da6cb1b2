//===- FileName.cpp - the names of files that a sink writes ---------------===//
#include "stdlib/operators/FileSink/FileName.h"
#include "stdlib/native/time/FormatTime.h"
#include "stdlib/native/time/Zone.h"

namespace sluice {

static std::string formatTime(std::string_view format, const tm &fields) {
  TextOut text;
  formatFields(text, format, fields);
  return std::string(text.view());
}

constexpr std::string_view kLocal = "localtime:", kUtc = "gmtime:";

/// Adds what the text between two braces stands for. False: nothing.
static bool expand(std::string &name, std::string_view inside, uint64_t id, int64_t seconds) {
  if (inside == "id")
    name += std::to_string(id);
  else if (inside.starts_with(kLocal))
    name += formatTime(inside.substr(kLocal.size()), Zone::local().fields(seconds));
  else if (inside.starts_with(kUtc))
    name += formatTime(inside.substr(kUtc.size()), Zone::utc().fields(seconds));
  else
    return false;
  return true;
}

std::string fileName(std::string_view pattern, uint64_t id, int64_t seconds) {
  std::string name;
  while (!pattern.empty()) {
    size_t end = pattern[0] == '{' ? pattern.find('}') : std::string_view::npos;
    if (end != std::string_view::npos && expand(name, pattern.substr(1, end - 1), id, seconds)) {
      pattern.remove_prefix(end + 1);
      continue;
    }
    name += pattern[0];
    pattern.remove_prefix(1);
  }
  return name;
}

bool hasNumber(std::string_view pattern) { return pattern.find("{id}") != pattern.npos; }

bool hasTime(std::string_view pattern) {
  for (std::string_view format : {kLocal, kUtc})
    if (size_t at = pattern.find("{" + std::string(format)); at != pattern.npos)
      if (pattern.find('}', at) != pattern.npos)
        return true;
  return false;
}

} // namespace sluice
