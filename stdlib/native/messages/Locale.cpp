//===- Locale.cpp - the languages of messages -----------------------------===//
#include "stdlib/native/messages/Locale.h"
#include <cstdlib>

using namespace sluice;

std::string messages::ownLocale() {
  for (const char *variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char *value = getenv(variable); value && *value)
      return value;
  return "C";
}

std::vector<std::string> messages::fallbacksOf(std::string_view locale) {
  std::string name(locale.substr(0, locale.find_first_of(".@")));
  for (char &c : name)
    c = c == '-' ? '_' : c;
  if (name.empty() || name == "C" || name == "POSIX")
    name = "en_US_POSIX";
  std::vector<std::string> result{name};
  for (size_t end; (end = name.rfind('_')) != name.npos;)
    if (name.resize(end); !name.empty())
      result.push_back(name);
  return result;
}
