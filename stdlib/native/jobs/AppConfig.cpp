//===- AppConfig.cpp - application configurations ---------------*- C++ -*-===//
#include "stdlib/native/jobs/AppConfig.h"
#include "runtime/base/os.h"
#include "value/Utf8.h"
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {

//===--- the text ---------------------------------------------------------------===//

namespace {
class PropertyParser {
public:
  explicit PropertyParser(std::string_view text) : at(text.begin()), end(text.end()) {}
  Properties run();
  /// Of the first malformed \u, from 1; 0: there is none.
  uint32_t badLine = 0;

private:
  bool isLineEnd() const { return *at == '\n' || *at == '\r'; }
  void skipBlanks() {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\f'))
      ++at;
  }
  void skipLineEnd() {
    line += at != end;
    bool isReturn = at != end && *at++ == '\r';
    if (isReturn && at != end && *at == '\n')
      ++at;
  }
  std::string part(std::string_view ends);
  void escape(std::string &to);
  uint32_t unit();
  void character(std::string &to);

  std::string_view::iterator at, end;
  uint32_t line = 1; // that `at` is in
};
} // namespace

Properties PropertyParser::run() {
  Properties result;
  while (at != end) {
    skipBlanks();
    if (at != end && (*at == '#' || *at == '!'))
      while (at != end && !isLineEnd())
        ++at;
    if (at == end || isLineEnd()) {
      skipLineEnd();
      continue;
    }
    std::string key = part("=: \t\f");
    skipBlanks();
    if (at != end && (*at == '=' || *at == ':'))
      ++at;
    skipBlanks();
    result.insert_or_assign(std::move(key), part(""));
  }
  return result;
}

/// What stands before one of `ends` or the end of the line.
std::string PropertyParser::part(std::string_view ends) {
  std::string result;
  while (at != end && !isLineEnd() && ends.find(*at) == ends.npos)
    if (*at == '\\')
      escape(result);
    else
      result += *at++;
  return result;
}

void PropertyParser::escape(std::string &to) {
  if (++at == end)
    return;
  if (isLineEnd()) { // the line goes on behind the blanks of the next one
    skipLineEnd();
    return skipBlanks();
  }
  char c = *at++;
  switch (c) {
  case 'n':
    to += '\n';
    return;
  case 't':
    to += '\t';
    return;
  case 'r':
    to += '\r';
    return;
  case 'f':
    to += '\f';
    return;
  case 'u':
    return character(to);
  default:
    to += c;
  }
}

/// Four hexadecimal digits.
uint32_t PropertyParser::unit() {
  uint32_t code = 0;
  int digits = 0;
  for (; digits < 4 && at != end && isxdigit(static_cast<unsigned char>(*at)); ++digits, ++at)
    code = code * 16 + uint32_t(*at <= '9' ? *at - '0' : (*at | 0x20) - 'a' + 10);
  if (digits < 4 && !badLine)
    badLine = line;
  return code;
}

/// What stands behind `\u`, as UTF-8; a pair of surrogates is one character.
void PropertyParser::character(std::string &to) {
  uint32_t code = unit();
  bool isHigh = code >= 0xD800 && code < 0xDC00;
  if (isHigh && end - at >= 2 && at[0] == '\\' && at[1] == 'u') {
    auto before = at;
    at += 2;
    uint32_t low = unit();
    if (low >= 0xDC00 && low < 0xE000)
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    else
      at = before;
  }
  char bytes[4];
  to.append(bytes, size_t(putUtf8(bytes, code) - bytes));
}

std::optional<Properties> parseProperties(std::string_view text, uint32_t &badLine) {
  PropertyParser parser(text);
  Properties result = parser.run();
  badLine = parser.badLine;
  return badLine ? std::nullopt : std::optional(std::move(result));
}

//===--- the file ---------------------------------------------------------------===//

namespace {
/// The file as it was read.
struct Known {
  std::shared_ptr<const Properties> properties;
  ino_t file = 0;
  timespec changed = {};
  off_t size = 0;

  bool isSame(const struct stat &now) const {
    return properties && file == now.st_ino && size == now.st_size &&
           changed.tv_sec == now.st_mtim.tv_sec && changed.tv_nsec == now.st_mtim.tv_nsec;
  }
};

/// By name. Never destroyed: operators may still run when the process ends.
struct Cache {
  os::Lock lock;
  std::map<std::string, Known> known; // guarded by the lock
};
Cache &cache() {
  static auto *only = new Cache;
  return *only;
}
} // namespace

static std::string folder() {
  if (const char *given = getenv("SLUICE_APP_CONFIG"); given && *given)
    return given;
  const char *home = getenv("HOME");
  return std::string(home ? home : "") + "/.config/sluice/app-config";
}

/// Nothing after an error, which errno has.
static std::unique_ptr<std::string> contents(int file) {
  auto text = std::make_unique<std::string>();
  char chunk[4096];
  ssize_t got;
  while ((got = read(file, chunk, sizeof chunk)) > 0)
    text->append(chunk, size_t(got));
  return got < 0 ? nullptr : std::move(text);
}

AppConfig appConfig(const std::string &name) {
  bool isName = !name.empty() && name[0] != '.' && name.find('/') == name.npos;
  std::string path = folder() + "/" + name + ".properties";
  auto problem = [&](const std::string &what) { return AppConfig{nullptr, path + " " + what}; };
  int file = isName ? open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  if (file < 0)
    return !isName || errno == ENOENT || errno == ENOTDIR
               ? AppConfig()
               : problem("cannot be opened: " + os::errorText(errno));
  struct stat now;
  if (fstat(file, &now) || !S_ISREG(now.st_mode)) {
    close(file);
    return problem("is no file");
  }
  if (now.st_mode & 077) {
    close(file);
    return problem("may be read or written by others: `chmod 600` makes it yours alone");
  }
  os::Held held(cache().lock);
  Known &known = cache().known[name];
  std::unique_ptr<std::string> text;
  uint32_t badLine = 0;
  if (!known.isSame(now) && (text = contents(file)))
    if (auto parsed = parseProperties(*text, badLine))
      known = {std::make_shared<Properties>(std::move(*parsed)), now.st_ino, now.st_mtim,
               now.st_size};
  bool isRead = known.isSame(now);
  close(file);
  if (badLine)
    return {nullptr, path + ":" + std::to_string(badLine) +
                         ": \\u is not followed by four hexadecimal digits"};
  return isRead ? AppConfig{known.properties, ""} : problem("cannot be read");
}

} // namespace sluice
