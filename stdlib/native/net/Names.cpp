//===- Names.cpp - servers that clients find by a name --------------------===//
#include "stdlib/native/net/Names.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "runtime/base/text/Words.h"
#include "runtime/exchange/Registry.h"
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

namespace sluice::net {

constexpr size_t kMostFileName = 255; // of most file systems

/// A name as a part of the name of a file, without dots.
static std::string partOf(std::string_view name) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string part;
  for (char c : name)
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
        c == '_')
      part += c;
    else
      (((part += '%') += digits[uint8_t(c) >> 4]) += digits[uint8_t(c) & 15]);
  return part;
}

//===--- the registry -----------------------------------------------------------===//

namespace {
/// The registry while no other process looks at entries of servers or adds one.
class Servers {
public:
  /// Opens it; the file of a server, and whether a server has that.
  Problem find(const ServerName &, std::string &path, bool &hasServer);
  /// A file that is not complete yet.
  std::string hidden() const { return registry.directory() + "/.server"; }

private:
  exchange::Registry registry;
  Socket lock;
};
} // namespace

//===--- entries ----------------------------------------------------------------===//

/// Each part on a line. None has a line end: hosts are resolved, and programs have SPL names.
static std::string textOf(const NamedServer &server) {
  return server.at.host + '\n' + server.at.port + '\n' + server.host + '\n' +
         std::to_string(server.process) + '\n' + server.program + '\n';
}

static bool parse(std::string_view text, NamedServer &to) {
  std::array<std::string, 5> lines;
  for (std::string &line : lines) {
    size_t end = text.find('\n');
    if (end == text.npos)
      return false;
    line = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  auto &[address, port, host, process, program] = lines;
  std::from_chars(process.data(), process.data() + process.size(), to.process);
  to.at = {std::move(address), std::move(port)};
  to.host = std::move(host);
  to.program = std::move(program);
  return true;
}

static bool readEntry(const std::string &path, NamedServer &to) {
  int file = os::openFile(path.c_str(), os::Open::Read);
  if (file < 0)
    return false;
  char text[4096];
  int64_t size = os::readFile(file, text, sizeof text);
  os::closeFile(file);
  return size > 0 && parse({text, size_t(size)}, to);
}

/// Writes and locks it. The lock, or a negative errno.
static int writeEntry(const std::string &path, const NamedServer &server) {
  std::string text = textOf(server);
  int file = os::openFile(path.c_str(), os::Open::Truncate);
  if (file < 0)
    return file;
  int error = os::writeFile(file, text.data(), text.size());
  os::closeFile(file);
  return error ? error : os::lockFile(path.c_str());
}

/// Whether a server has the file. One that is left from a process that was killed is removed.
static Problem look(const std::string &path, bool &hasServer) {
  int lock = os::lockFile(path.c_str());
  hasServer = lock == -EWOULDBLOCK;
  if (lock >= 0) {
    os::removeFile(path.c_str());
    os::closeFile(lock);
  }
  bool isClear = lock >= 0 || hasServer || lock == -ENOENT;
  return isClear ? "" : "cannot look at " + path + ": " + problemOf(lock);
}

Problem Servers::find(const ServerName &server, std::string &path, bool &hasServer) {
  if (Problem problem = registry.open(); !problem.empty())
    return problem;
  if (Problem problem = registry.hold(".servers", lock); !problem.empty())
    return problem;
  std::string file = partOf(server.scope) + "." + partOf(server.name) + ".server";
  path = registry.directory() + "/" + file;
  return file.size() <= kMostFileName ? look(path, hasServer) : "the name is too long";
}

Problem findServer(const ServerName &server, NamedServer &to) {
  Servers servers;
  std::string path;
  bool hasServer;
  if (Problem problem = servers.find(server, path, hasServer); !problem.empty())
    return problem;
  // One that ends removes its file without waiting for anybody.
  return hasServer && readEntry(path, to) ? "" : "no server has registered this name";
}

Problem NameEntry::enter(const ServerName &name, const NamedServer &server) {
  leave();
  Servers servers;
  std::string place;
  bool hasServer;
  if (Problem problem = servers.find(name, place, hasServer); !problem.empty())
    return problem;
  if (NamedServer other; hasServer && readEntry(place, other))
    return "process " + std::to_string(other.process) + " (" + printable(other.program) +
           ") has it";
  std::string hidden = servers.hidden();
  int made = writeEntry(hidden, server);
  int error = made < 0 ? made : os::renameFile(hidden.c_str(), place.c_str());
  if (error) {
    os::removeFile(hidden.c_str());
    if (made >= 0)
      os::closeFile(made);
    return "cannot write " + place + ": " + problemOf(error);
  }
  path = std::move(place);
  lock = made;
  return "";
}

/// In this order: nobody else adds a file of this name while this one is locked. If somebody has
/// removed it, another server may have its name.
void NameEntry::leave() {
  if (path.empty())
    return;
  if (!os::isReplaced(lock, path.c_str()))
    os::removeFile(path.c_str());
  os::closeFile(lock);
  path.clear();
}

} // namespace sluice::net
