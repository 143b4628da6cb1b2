//===- Registry.cpp - where the jobs of a user meet -----------------------===//
#include "runtime/exchange/Registry.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace sluice::exchange {

/// ns for which hold() waits.
static constexpr int64_t kHoldNanos = 5 * os::kNanos;
static constexpr std::string_view kEnding = ".sock";

Problem Registry::open() {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  path = runtime && *runtime == '/' ? std::string(runtime) + "/sluice"
                                    : "/tmp/sluice-" + std::to_string(geteuid());
  if (mkdir(path.c_str(), 0700) && errno != EEXIST)
    return "cannot make " + path + ": " + os::errorText(errno);
  struct stat found;
  if (lstat(path.c_str(), &found))
    return "cannot look at " + path + ": " + os::errorText(errno);
  if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid() || found.st_mode & 077)
    return path + " is no directory that belongs to you alone (mode 0700)";
  return "";
}

/// In the directory, with a name that no process has yet: it gets its own when it listens.
Problem Registry::listen(remote::Socket &listener) {
  std::string name = std::to_string(getpid()), hidden = path + "/." + name;
  own = path + "/" + name + std::string(kEnding);
  remote::Address at;
  at.path = hidden;
  int error = remote::listenAt(at, listener);
  if (!error && rename(hidden.c_str(), own.c_str()))
    error = -errno;
  if (!error)
    return "";
  unlink(hidden.c_str());
  listener.close();
  return "cannot listen at " + own + ": " + os::errorText(-error);
}

void Registry::leave() {
  if (!own.empty())
    unlink(own.c_str());
  own.clear();
}

/// The version is the time of the file, which is a number here: two changes within one tick of
/// the clock are two.
void Registry::change() {
  timespec times[] = {{}, {.tv_sec = ++changes}};
  utimensat(AT_FDCWD, own.c_str(), times, 0);
}

/// Names that begin with a dot are of what is not ready yet.
std::vector<Place> Registry::entries(std::string_view beginning, std::string_view ending) const {
  std::vector<Place> all;
  DIR *dir = opendir(path.c_str());
  while (dirent *entry = dir ? readdir(dir) : nullptr)
    if (std::string_view name = entry->d_name;
        name[0] != '.' && name.starts_with(beginning) && name.ends_with(ending))
      all.push_back({std::string(name), entry->d_ino});
  if (dir)
    closedir(dir);
  std::ranges::sort(all);
  return all;
}

std::vector<Found> Registry::list() const {
  std::vector<Found> all;
  for (Place &place : entries("", kEnding)) {
    struct stat file;
    if (!lstat((path + "/" + place.name).c_str(), &file))
      all.push_back({std::move(place), uint64_t(file.st_mtim.tv_sec)});
  }
  return all;
}

void Registry::forget(int job) const {
  for (const Place &place : entriesOf(job, ".job"))
    unlink((path + "/" + place.name).c_str());
}

bool Registry::connect(const Place &place, remote::Socket &to) const {
  std::string socketPath = path + "/" + place.name;
  sockaddr_un at = {};
  at.sun_family = AF_UNIX;
  if (socketPath.size() >= sizeof at.sun_path)
    return false;
  memcpy(at.sun_path, socketPath.data(), socketPath.size());
  remote::Socket made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made)
    return false;
  if (::connect(made.descriptor(), reinterpret_cast<sockaddr *>(&at), sizeof at)) {
    if (errno == ECONNREFUSED)
      unlink(socketPath.c_str());
    return false;
  }
  if (!isOwn(made))
    return false;
  to = std::move(made);
  return true;
}

Problem Registry::hold(std::string_view file, remote::Socket &to) const {
  std::string name = path + "/" + std::string(file);
  remote::Socket made(os::openFile(name.c_str(), os::Open::Keep));
  if (!made)
    return "cannot open " + name + ": " + os::errorText(-made.descriptor());
  int64_t until = os::now() + kHoldNanos;
  int lock;
  while ((lock = os::lockFile(name.c_str())) == -EWOULDBLOCK && os::now() < until)
    poll(nullptr, 0, /*ms=*/1);
  if (lock < 0)
    return "cannot lock " + name + ": " + os::errorText(-lock);
  to = remote::Socket(lock);
  return "";
}

int Registry::watch(remote::Socket &to) const {
  remote::Socket made(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!made || inotify_add_watch(made.descriptor(), path.c_str(), IN_MOVED_TO | IN_ATTRIB) < 0)
    return -1;
  to = std::move(made);
  return to.descriptor();
}

static bool peerOf(const remote::Socket &socket, ucred &who) {
  socklen_t size = sizeof who;
  return !getsockopt(socket.descriptor(), SOL_SOCKET, SO_PEERCRED, &who, &size);
}

bool isOwn(const remote::Socket &socket) {
  ucred who = {};
  return peerOf(socket, who) && who.uid == geteuid();
}

int64_t processOf(const remote::Socket &socket) {
  ucred who = {};
  return peerOf(socket, who) ? who.pid : 0;
}

bool drain(const remote::Socket &socket) {
  char bytes[4096];
  bool any = false;
  while (read(socket.descriptor(), bytes, sizeof bytes) > 0)
    any = true;
  return any;
}

} // namespace sluice::exchange
