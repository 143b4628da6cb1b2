//===- Relaunches.cpp - how often a run was begun again ---------------------===//
#include "runtime/exec/files/Relaunches.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include <cerrno>
#include <cstdio>
#include <fstream>

namespace sluice::checkpoint {

/// Replaces the file, so that it is whole after a loss of power. 0, or a negative errno.
static int replace(const std::string &directory, const std::string &file, const std::string &text) {
  std::string temporary = file + ".tmp";
  int fd = os::openFile(temporary.c_str(), os::Open::Truncate);
  if (fd < 0)
    return fd;
  int failed = os::writeFile(fd, text.data(), text.size());
  failed = failed ? failed : os::syncFile(fd);
  os::closeFile(fd);
  if (!failed && rename(temporary.c_str(), file.c_str()))
    failed = -errno;
  return failed ? failed : os::syncDirectory(directory.c_str());
}

static std::string fileIn(const std::string &directory) { return directory + "/relaunches"; }

void Relaunches::read(const std::string &directory) {
  std::ifstream(fileIn(directory)) >> count >> attempts >> from;
}

std::string Relaunches::start(const std::string &directory, bool resumes, uint64_t from,
                              bool isChosen) {
  const std::string file = fileIn(directory);
  Relaunches before;
  std::ifstream in(file);
  bool isKnown = bool(in >> before.count >> before.attempts >> before.from);
  *this = {};
  this->from = from;
  if (resumes && (isKnown || from)) {
    count = before.count + 1;
    attempts = isKnown && before.from == from && !isChosen ? before.attempts + 1 : 1;
  }
  std::string text =
      std::to_string(count) + " " + std::to_string(attempts) + " " + std::to_string(from) + "\n";
  int failed = replace(directory, file, text);
  return failed ? "cannot write " + file + ": " + os::errorText(-failed) : "";
}

} // namespace sluice::checkpoint
