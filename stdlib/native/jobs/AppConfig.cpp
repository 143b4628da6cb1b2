//===- AppConfig.cpp - application configurations ---------------*- C++ -*-===//
#include "stdlib/native/jobs/AppConfig.h"
#include "runtime/base/os.h"
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

private:
  bool isLineEnd() const { return *at == '\n' || *at == '\r'; }
  void skipBlanks() {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\f'))
      ++at;
  }
  void skipLineEnd() {
    bool isReturn = at != end && *at++ == '\r';
    if (isReturn && at != end && *at == '\n')
      ++at;
  }
  std::string part(std::string_view ends);
  void escape(std::string &to);
  void character(std::string &to);

  std::string_view::iterator at, end;
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

/// Four hexadecimal digits, as UTF-8. A pair of surrogates is not put together.
void PropertyParser::character(std::string &to) {
  unsigned code = 0;
  for (int i = 0; i < 4 && at != end && isxdigit(static_cast<unsigned char>(*at)); ++i, ++at)
    code = code * 16 + (*at <= '9' ? *at - '0' : (*at | 0x20) - 'a' + 10);
  if (code < 0x80) {
    to += char(code);
  } else if (code < 0x800) {
    to += char(0xC0 | code >> 6);
    to += char(0x80 | (code & 0x3F));
  } else {
    to += char(0xE0 | code >> 12);
    to += char(0x80 | (code >> 6 & 0x3F));
    to += char(0x80 | (code & 0x3F));
  }
}

Properties parseProperties(std::string_view text) { return PropertyParser(text).run(); }

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
  if (!known.isSame(now) && (text = contents(file)))
    known = {std::make_shared<Properties>(parseProperties(*text)), now.st_ino, now.st_mtim,
             now.st_size};
  bool isRead = known.isSame(now);
  close(file);
  return isRead ? AppConfig{known.properties, ""} : problem("cannot be read");
}

} // namespace sluice
