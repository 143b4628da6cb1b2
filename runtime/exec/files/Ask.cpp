//===- Ask.cpp - asking a run for a checkpoint --------------------------------===//
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exec/files/Directory.h"
#include <cerrno>
#include <charconv>

namespace sluice::checkpoint {

static constexpr int64_t kLook = 10'000'000; // ns between two looks

/// The process that makes checkpoints here.
std::string Directory::findRun(int &process) const {
  std::string file = path + "/lock";
  int lock = os::lockFile(file.c_str());
  if (lock >= 0)
    os::closeFile(lock);
  if (lock >= 0 || lock == -ENOENT)
    return "no run makes checkpoints in " + path;
  if (lock != -EWOULDBLOCK)
    return "cannot lock " + file + ": " + os::errorText(-lock);
  int fd = os::openFile(file.c_str(), os::Open::Read);
  char text[24] = {};
  int64_t size = fd < 0 ? fd : os::readFile(fd, text, sizeof text);
  if (fd >= 0)
    os::closeFile(fd);
  bool isNumber = size > 0 && std::from_chars(text, text + size, process).ec == std::errc();
  return isNumber && process > 0 ? "" : "which process makes checkpoints is not in " + file;
}

/// The first one behind that number that was asked for; 0: there is none.
std::string Directory::findAsked(uint64_t behind, uint64_t &number) const {
  std::vector<uint64_t> numbers;
  std::string failed = list(numbers);
  for (uint64_t other : numbers) {
    Manifest manifest;
    // One that was removed meanwhile cannot be read.
    if (!number && other > behind && readManifest(other, manifest).empty() && manifest.isAsked)
      number = other;
  }
  return failed;
}

std::string Directory::ask(int64_t patience, uint64_t &number) const {
  std::vector<uint64_t> before;
  int process = 0;
  if (std::string wrong = findRun(process); !wrong.empty())
    return wrong;
  if (std::string wrong = list(before); !wrong.empty())
    return wrong;
  os::signalProcess(process, os::kAskSignal);
  os::Event never;
  for (int64_t end = os::now() + patience; !number && os::now() < end;) {
    int still = 0;
    std::string gone = findRun(still);
    if (std::string wrong = findAsked(before.empty() ? 0 : before.back(), number); !wrong.empty())
      return wrong;
    if (!number && (!gone.empty() || still != process))
      return "the run has ended before it made a checkpoint";
    if (!number)
      never.sleep(kLook);
  }
  return number ? "" : "no checkpoint was made so far; the run says why, and tries again";
}

} // namespace sluice::checkpoint
