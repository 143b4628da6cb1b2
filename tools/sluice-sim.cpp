//===- sluice-sim.cpp - policies on simulated machines --------------------===//
#include "runtime/base/os.h"
#include "tools/sim/SimulatorOptions.h"
#include <cmath>
#include <cstdio>

namespace sluice::simtool {

int fail(int code, const std::string &text) {
  fprintf(stderr, "sluice-sim: %s\n", text.c_str());
  return code;
}

std::string shortNumber(double value) {
  const char *unit = "";
  for (const char *next : {" k", " M", " G"})
    if (value >= 1000 - 0.5) {
      value /= 1000;
      unit = next;
    }
  char text[32];
  snprintf(text, sizeof text,
           value < 10    ? "%.2f%s"
           : value < 100 ? "%.1f%s"
                         : "%.0f%s",
           value, unit);
  return text;
}

bool writeText(const std::string &path, const std::string &text) {
  int fd = os::openFile(path.c_str(), os::Open::Truncate);
  int code = fd < 0 ? fd : os::writeFile(fd, text.data(), text.size());
  if (fd >= 0)
    if (int closed = os::closeFile(fd); code >= 0)
      code = closed;
  if (code < 0)
    fail(1, "cannot write `" + path + "`: " + os::errorText(-code));
  return code >= 0;
}

} // namespace sluice::simtool

int main(int argc, char **argv) {
  using namespace sluice::simtool;
  SimulatorOptions options;
  if (int code = parseCommandLine(argc, argv, options); code >= 0)
    return code;
  return options.run(options);
}
