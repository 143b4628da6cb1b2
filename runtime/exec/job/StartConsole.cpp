//===- StartConsole.cpp - the console beside a program --------------------===//
#include "runtime/exec/job/StartConsole.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exec/options/RunOptions.h"
#include <cstdio>
#include <cstdlib>

namespace sluice {

static constexpr const char *kName = "sluice-console";

static bool isThere(const std::string &path) { return os::identityOf(path.c_str()).has_value(); }

/// Beside this executable, or in PATH; empty: nowhere.
static std::string findConsole() {
  std::string own = os::executablePath();
  std::string beside = own.substr(0, own.rfind('/') + 1) + kName;
  if (isThere(beside))
    return beside;
  const char *path = getenv("PATH");
  std::string_view all = path ? path : "";
  for (size_t at = 0; at < all.size();) {
    size_t end = std::min(all.find(':', at), all.size());
    if (std::string found = std::string(all.substr(at, end - at)) + "/" + kName; isThere(found))
      return found;
    at = end + 1;
  }
  return "";
}

/// What it says until it is ready, which is shown. False: it has ended before.
static bool awaitReady(int output) {
  std::string text;
  char byte;
  while (os::readFile(output, &byte, 1) == 1) {
    text += byte;
    if (byte != '\n')
      continue;
    if (text == "ready\n")
      return true;
    fputs(text.c_str(), stderr);
    text.clear();
  }
  return false;
}

std::string startConsole(const RunOptions &options) {
  std::string program = findConsole();
  if (program.empty())
    return std::string(kName) + " is neither beside the program nor in PATH";
  std::vector<std::string> words = {program, "--job=" + std::to_string(options.process)};
  if (options.console)
    words.push_back("--console=" + *options.console);
  if (!options.metricsAt.empty())
    words.push_back("--metrics=" + options.metricsAt);
  if (options.consolePauses)
    words.push_back("--allow-pause");
  if (options.consoleTaps)
    words.push_back("--allow-tap");
  if (!options.consoleToken.empty())
    words.push_back("--token=" + options.consoleToken);
  if (!options.consoleHost.empty())
    words.push_back("--host=" + options.consoleHost);
  if (options.mayListen)
    words.push_back("--allow-listen");
  int output = -1;
  if (int process = os::startProcess(words, output); process < 0)
    return "cannot start " + program + ": " + os::whyNotStarted(-process);
  bool isReady = awaitReady(output);
  os::closeFile(output);
  return isReady ? "" : std::string(kName) + " has not begun";
}

} // namespace sluice
