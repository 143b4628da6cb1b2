//===- Paths.cpp - what clients send, before it is believed ---------------===//
#include "toolkits/inet/server/Paths.h"
#include "toolkits/inet/native/Address.h"
#include <algorithm>
#include <cctype>
#include <sys/stat.h>

namespace sluice::inet {

FormValues formValues(std::string_view text) {
  FormValues result;
  while (!text.empty()) {
    size_t end = text.find('&');
    std::string_view pair = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    size_t equals = pair.find('=');
    std::string_view value = equals == std::string_view::npos ? "" : pair.substr(equals + 1);
    if (!pair.empty())
      result.emplace(decoded(pair.substr(0, equals), true), decoded(value, true));
  }
  return result;
}

std::string fileFor(const std::string &folder, std::string_view path) {
  std::string name = decoded(path);
  if (name.find('\0') != std::string::npos || name.find('\\') != std::string::npos)
    return "";
  for (std::string_view rest = name; !rest.empty();) {
    size_t slash = rest.find('/');
    if (rest.substr(0, slash).starts_with(".")) // `..`, and files that are hidden
      return "";
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  }
  std::string file = folder + "/" + name;
  struct stat about;
  if (!stat(file.c_str(), &about) && S_ISDIR(about.st_mode))
    file += "/index.html";
  return !stat(file.c_str(), &about) && S_ISREG(about.st_mode) ? file : "";
}

const char *contentTypeOf(std::string_view file) {
  static constexpr struct {
    std::string_view end;
    const char *type;
  } kTypes[] = {
      {".html", "text/html; charset=utf-8"}, {".js", "text/javascript"}, {".css", "text/css"},
      {".json", "application/json"},         {".svg", "image/svg+xml"},  {".png", "image/png"},
      {".txt", "text/plain; charset=utf-8"},
  };
  for (const auto &known : kTypes)
    if (file.ends_with(known.end))
      return known.type;
  return "application/octet-stream";
}

std::string hostIn(std::string_view header) {
  if (size_t scheme = header.find("://"); scheme != std::string_view::npos)
    header.remove_prefix(scheme + 3);
  size_t bracket = header.starts_with("[") ? header.find(']') : std::string_view::npos;
  size_t colon = header.find(':', bracket == std::string_view::npos ? 0 : bracket);
  std::string result(header.substr(0, colon));
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return result;
}

static bool isOwnName(const std::string &host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

bool maySend(std::string_view host, std::string_view origin, bool isOpen) {
  std::string name = hostIn(host);
  if (!isOpen && !isOwnName(name))
    return false;
  if (origin.empty())
    return true;
  std::string from = hostIn(origin);
  return from == name || (isOwnName(from) && isOwnName(name));
}

} // namespace sluice::inet
