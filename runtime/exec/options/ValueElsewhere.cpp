//===- ValueElsewhere.cpp - values that are not on the command line -------===//
#include "runtime/exec/options/ValueElsewhere.h"
#include "runtime/base/os.h"
#include <cstdlib>

namespace sluice {

static constexpr size_t kMost = 1024 * 1024; // bytes of a value

static std::string readValue(const std::string &path, std::string &value) {
  std::string problem = "cannot read " + path + ": ";
  int fd = os::openFile(path.c_str(), os::Open::Read);
  if (fd < 0)
    return problem + os::errorText(-fd);
  char block[4096];
  int64_t n;
  while ((n = os::readFile(fd, block, sizeof block)) > 0 && value.size() <= kMost)
    value.append(block, size_t(n));
  os::closeFile(fd);
  if (n < 0)
    return problem + os::errorText(int(-n));
  if (value.size() > kMost)
    return problem + "it has more than 1 MiB";
  if (value.ends_with('\n'))
    value.pop_back();
  if (value.ends_with('\r'))
    value.pop_back();
  return "";
}

bool valueElsewhere(std::string_view what, std::string &value, std::string &problem) {
  constexpr std::string_view file = "@file:", env = "@env:";
  if (what.starts_with(file)) {
    problem = readValue(std::string(what.substr(file.size())), value);
    return true;
  }
  if (!what.starts_with(env))
    return false;
  std::string name(what.substr(env.size()));
  if (const char *set = getenv(name.c_str()))
    value = set;
  else
    problem = "the environment has no variable `" + name + "`";
  return true;
}

} // namespace sluice
