//===- MoveLog.cpp - files that were moved behind a checkpoint ------------===//
#include "stdlib/operators/DirectoryScan/MoveLog.h"
#include "runtime/base/files.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/os.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace sluice {

static const std::string kEnding = ".moved."; // a number follows

/// The log files of so many checkpoints before the last one stay, for --resume-from.
static constexpr int64_t kKept = 16;

namespace {
/// What is before the name of a file; behind it is the digest of the name.
struct Head {
  int64_t nameBytes, size, accessed, modified, changed;
  uint64_t check; // the digest of the numbers before
  uint64_t digest() const { return digestOf(this, offsetof(Head, check)); }
};

/// What is at the front of a log. Torn: a part of a file, or what a loss of power has left of it:
/// it was not moved then.
enum class Item { File, Torn, Damaged };
} // namespace

static void append(std::string &to, const MovedFile &file) {
  Head head{int64_t(file.name.size()), file.size, file.accessed, file.modified, file.changed, 0};
  head.check = head.digest();
  uint64_t check = digestOf(file.name.data(), file.name.size());
  to.append(reinterpret_cast<const char *>(&head), sizeof head);
  to += file.name;
  to.append(reinterpret_cast<const char *>(&check), sizeof check);
}

static bool isZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

/// Takes one from the front.
static Item take(std::string_view &from, MovedFile &file) {
  Head head;
  uint64_t check;
  if (from.size() < sizeof head || isZero(from))
    return Item::Torn;
  memcpy(&head, from.data(), sizeof head);
  if (head.check != head.digest())
    return isZero(from.substr(sizeof head)) && !head.check ? Item::Torn : Item::Damaged;
  from.remove_prefix(sizeof head);
  auto bytes = uint64_t(head.nameBytes);
  if (from.size() < sizeof check || bytes > from.size() - sizeof check)
    return Item::Torn;
  std::string_view name = from.substr(0, bytes);
  memcpy(&check, from.data() + bytes, sizeof check);
  from.remove_prefix(bytes + sizeof check);
  if (check != digestOf(name.data(), name.size()))
    return isZero(from) && !check ? Item::Torn : Item::Damaged;
  file = {std::string(name), head.size, head.accessed, head.modified, head.changed};
  return Item::File;
}

static std::string problem(const char *what, const std::string &file, int error) {
  return std::string("cannot ") + what + " " + file + ": " + os::errorText(error);
}

MoveLog::~MoveLog() {
  if (fd >= 0)
    os::closeFile(fd);
}

/// The content of a file. Returns 0, or a negative errno.
static int64_t readAll(const std::string &file, std::string &bytes) {
  int fd = os::openFile(file.c_str(), os::Open::Read);
  int64_t got = fd;
  char part[4096];
  while (fd >= 0 && (got = os::readFile(fd, part, sizeof part)) > 0)
    bytes.append(part, size_t(got));
  if (fd >= 0)
    os::closeFile(fd);
  return std::min<int64_t>(got, 0);
}

std::string MoveLog::open(const std::string &where, bool goesOn) {
  path = where;
  if (path.empty())
    return "";
  if (goesOn)
    return read();
  removeAll();
  return "";
}

void MoveLog::removeAll() const {
  std::error_code error;
  std::vector<fs::path> found;
  std::string prefix = fs::path(path + kEnding).filename();
  for (fs::directory_iterator it(fs::path(path).parent_path(), error), end; !error && it != end;
       it.increment(error))
    if (it->path().filename().string().starts_with(prefix))
      found.push_back(it->path());
  for (const fs::path &file : found)
    fs::remove(file, error);
}

std::string MoveLog::read() {
  for (number = saved = behind;; ++number) {
    std::string bytes;
    int64_t failed = readAll(fileOf(number), bytes);
    if (failed == -ENOENT)
      return "";
    if (failed)
      return problem("read", fileOf(number), int(-failed));
    std::string_view from = bytes;
    MovedFile file;
    Item item = Item::Torn;
    while (!from.empty() && (item = take(from, file)) == Item::File)
      if (std::ranges::none_of(again, [&](auto &other) { return other.isSame(file); }))
        again.push_back(file);
    if (item == Item::Damaged)
      return fileOf(number) + ": its bytes have changed: not all files that were moved are known";
  }
}

std::string MoveLog::fileOf(int64_t number) const {
  return path + kEnding + std::to_string(number);
}

/// Makes the file.
std::string MoveLog::begin() {
  std::string file = fileOf(number);
  fd = os::openFile(file.c_str(), os::Open::Append);
  if (fd < 0)
    return problem("make", file, -fd);
  int failed = os::syncDirectory(file.substr(0, file.rfind('/')).c_str());
  return failed ? problem("make", file, -failed) : "";
}

std::string MoveLog::note(const MovedFile &moved) {
  if (path.empty())
    return "";
  if (fd < 0)
    if (std::string wrong = begin(); !wrong.empty())
      return wrong;
  std::string bytes;
  append(bytes, moved);
  int result = os::writeFile(fd, bytes.data(), bytes.size());
  if (result >= 0)
    result = os::syncFile(fd);
  return result < 0 ? problem("write", fileOf(number), -result) : "";
}

//===--- checkpoints ----------------------------------------------------------===//

/// A number is used once, and all before it are there, as what reads them begins with the first.
void MoveLog::save(Saver &saver) {
  if (fd >= 0) {
    os::closeFile(std::exchange(fd, -1));
    ++number;
  }
  saved = number;
  saver.number("log", saved);
  std::string bytes;
  for (const MovedFile &file : again)
    append(bytes, file);
  saver.text("again", bytes);
}

void MoveLog::restore(const Loader &loader) {
  behind = loader.number("log").value_or(0);
  std::string_view from = loader.text("again").value_or("");
  for (MovedFile file; !from.empty() && take(from, file) == Item::File;)
    again.push_back(file);
}

/// By another thread, which alone removes files.
void MoveLog::committed() {
  for (int64_t old = saved - kKept; old >= 0 && !os::removeFile(fileOf(old).c_str()); --old)
    continue;
}

} // namespace sluice
