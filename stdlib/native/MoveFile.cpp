//===- MoveFile.cpp - moving a file into a directory ----------------------===//
#include "stdlib/native/MoveFile.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include <cerrno>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace sluice {
namespace fs = std::filesystem;

int checkDirectory(const std::string &path, bool moves) {
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (error)
    return -error.value();
  if (!fs::is_directory(status))
    return -ENOTDIR;
  return access(path.c_str(), (moves ? W_OK : R_OK) | X_OK) ? -errno : 0;
}

/// Copies what can be read from one descriptor to another. 0, or a negative errno.
static int copyBytes(int from, int to) {
  constexpr size_t bytes = 256 * 1024;
  std::unique_ptr<char[]> buffer(new char[bytes]);
  for (;;) {
    int64_t n = os::readFile(from, buffer.get(), bytes);
    if (n <= 0)
      return int(n);
    if (int failed = os::writeFile(to, buffer.get(), size_t(n)))
      return failed;
  }
}

static int copyFile(const std::string &source, const std::string &target) {
  int from = os::openFile(source.c_str(), os::Open::Read);
  if (from < 0)
    return from;
  int to = os::openFile(target.c_str(), os::Open::Truncate);
  int failed = to < 0 ? to : copyBytes(from, to);
  os::closeFile(from);
  if (!failed) // else a loss of power might leave neither
    failed = os::syncFile(to);
  if (to >= 0)
    if (int closed = os::closeFile(to); !failed)
      failed = closed;
  if (failed)
    return failed;
  // Who may read it, and its age, are as before where the file system can say so.
  std::error_code ignored;
  fs::permissions(target, fs::status(source, ignored).permissions(), ignored);
  fs::last_write_time(target, fs::last_write_time(source, ignored), ignored);
  return 0;
}

static int copyAndRename(const std::string &file, const std::string &name,
                         const std::string &directory) {
  std::string between = directory + "/.rename", copy = between + "/" + name;
  int failed = 0;
  // Another program may remove the empty directory just now.
  for (int attempt = 0; attempt < 10; ++attempt) {
    failed = os::makeDirectory(between.c_str());
    if (failed && failed != -EEXIST)
      return failed;
    failed = copyFile(file, copy);
    if (failed != -ENOENT)
      break;
  }
  if (!failed)
    failed = os::renameFile(copy.c_str(), (directory + "/" + name).c_str());
  if (!failed)
    failed = os::syncDirectory(directory.c_str());
  if (failed)
    os::removeFile(copy.c_str());
  rmdir(between.c_str()); // fails if somebody else uses it
  return failed ? failed : os::removeFile(file.c_str());
}

int moveFile(const std::string &file, const std::string &directory) {
  std::string name = file.substr(file.rfind('/') + 1);
  int failed = os::renameFile(file.c_str(), (directory + "/" + name).c_str());
  return failed == -EXDEV ? copyAndRename(file, name, directory) : failed;
}

} // namespace sluice
