//===- Checkpoint.cpp - `sluice checkpoint` -----------------------------------===//
#include "tools/driver/checkpoint/Checkpoint.h"
#include "runtime/exec/files/Directory.h"
#include "runtime/exec/files/Listing.h"
#include "tools/driver/Output.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice;
using namespace sluice::driver;
using checkpoint::Directory;

static int failed(const std::string &message) {
  return driver::fail(llvm::createStringError(message));
}

static int noneIn(const Directory &directory) {
  return failed("there are no checkpoints in " + directory.name());
}

/// The numbers that were given, or those of all checkpoints: none, where there are but logs of
/// sources. 0, or the exit code.
static int findNumbers(const DriverOptions &options, const Directory &directory,
                       std::vector<uint64_t> &numbers) {
  std::vector<uint64_t> all;
  if (std::string wrong = directory.list(all); !wrong.empty())
    return failed(wrong);
  for (const std::string &word : options.more) {
    uint64_t number = 0;
    if (llvm::StringRef(word).getAsInteger(10, number) || !llvm::is_contained(all, number))
      return failed("there is no checkpoint `" + word + "` in " + directory.name());
    numbers.push_back(number);
  }
  if (numbers.empty())
    numbers = all;
  return numbers.empty() && checkpoint::findLogs(directory.name()).empty() ? noneIn(directory) : 0;
}

/// Calls `run(directory, numbers)` with those that were given, or with all. Returns the exit code.
static int with(const DriverOptions &options,
                llvm::function_ref<int(Directory &, const std::vector<uint64_t> &)> run) {
  Directory directory(options.input);
  std::vector<uint64_t> numbers;
  int code = findNumbers(options, directory, numbers);
  return code ? code : run(directory, numbers);
}

/// As Log::open has it.
static bool mayHaveLostPower(Directory &directory) {
  std::vector<uint64_t> numbers;
  checkpoint::Manifest last;
  bool isKnown = directory.list(numbers).empty() && !numbers.empty() &&
                 directory.readManifest(numbers.back(), last).empty();
  return !isKnown || last.isOfOtherBoot();
}

/// Says what is in the logs of sources.
static int logs(Directory &directory) {
  int code = 0;
  const bool lostPower = mayHaveLostPower(directory);
  for (const std::string &path : checkpoint::findLogs(directory.name())) {
    checkpoint::LogSummary log = checkpoint::summarise(path, lostPower);
    if (log.wrong.empty())
      llvm::outs() << checkpoint::logText(path, log);
    else
      code = failed(log.wrong);
  }
  return code;
}

static int list(Directory &directory, const std::vector<uint64_t> &numbers) {
  std::vector<checkpoint::Manifest> manifests;
  for (uint64_t number : numbers)
    if (std::string wrong = directory.readManifest(number, manifests.emplace_back());
        !wrong.empty())
      return failed(wrong);
  llvm::outs() << checkpoint::listText(manifests);
  return logs(directory);
}

static int show(Directory &directory, const std::vector<uint64_t> &numbers) {
  if (numbers.empty())
    return noneIn(directory);
  checkpoint::Manifest manifest;
  std::vector<checkpoint::Section> sections;
  if (std::string wrong = directory.read(numbers.back(), manifest, sections); !wrong.empty())
    return failed(wrong);
  llvm::outs() << checkpoint::showText(sections);
  return 0;
}

static int verify(Directory &directory, const std::vector<uint64_t> &numbers) {
  int code = 0;
  for (uint64_t number : numbers) {
    checkpoint::Manifest manifest;
    std::vector<checkpoint::Section> sections;
    if (std::string wrong = directory.read(number, manifest, sections); !wrong.empty())
      code = failed(wrong);
    else
      llvm::outs() << "checkpoint " << number << ": " << sections.size() << " sections are right\n";
  }
  return std::max(code, logs(directory));
}

static int remove(Directory &directory, const std::vector<uint64_t> &numbers, bool all) {
  if (std::string wrong = directory.lock(); !wrong.empty())
    return failed(wrong);
  for (uint64_t number : numbers)
    if (std::string wrong = directory.remove(number); !wrong.empty())
      return failed(wrong);
  if (all)
    if (std::string wrong = directory.removeBeside(); !wrong.empty())
      return failed(wrong);
  return 0;
}

int driver::checkpointListCommand(const DriverOptions &options) { return with(options, list); }
int driver::checkpointShowCommand(const DriverOptions &options) { return with(options, show); }
int driver::checkpointVerifyCommand(const DriverOptions &options) { return with(options, verify); }

int driver::checkpointNowCommand(const DriverOptions &options) {
  static constexpr int64_t kPatience = 30'000'000'000; // ns
  uint64_t number = 0;
  if (std::string wrong = Directory(options.input).ask(kPatience, number); !wrong.empty())
    return failed(wrong);
  llvm::outs() << "checkpoint " << number << "\n";
  return 0;
}

int driver::checkpointRemoveCommand(const DriverOptions &options) {
  return with(options, [&](Directory &directory, const std::vector<uint64_t> &numbers) {
    return remove(directory, numbers, options.more.empty());
  });
}
