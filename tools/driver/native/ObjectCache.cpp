//===- ObjectCache.cpp - runs a compiler, or finds what it would make -------===//
#include "tools/driver/native/ObjectCache.h"
#include "support/Processes.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/xxhash.h"
#include <deque>

using namespace sluice;
using namespace sluice::driver;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// SLUICE_CACHE, or a folder of the user's cache.
static std::string cacheDir() {
  llvm::SmallString<128> dir;
  if (const char *own = getenv("SLUICE_CACHE"))
    dir = own;
  else if (path::cache_directory(dir))
    path::append(dir, "sluice");
  else
    path::system_temp_directory(/*erasedOnReboot=*/true, dir);
  path::append(dir, "native");
  fs::create_directories(dir);
  return std::string(dir);
}

std::string driver::cacheProblem() {
  std::string dir = cacheDir();
  std::error_code error = fs::access(dir, fs::AccessMode::Write);
  return error ? "cannot write to `" + dir + "`: " + error.message() +
                     "; SLUICE_CACHE names another folder"
               : "";
}

static std::string cachedName(llvm::StringRef content, llvm::StringRef ending) {
  auto hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(content));
  llvm::SmallString<128> name(cacheDir());
  path::append(name, llvm::utohexstr(hash.high64, true, 16) +
                         llvm::utohexstr(hash.low64, true, 16) + "." + ending);
  return std::string(name);
}

namespace {
/// A command that runs, and its file under another name until it is whole.
struct Running {
  CacheEntry *entry;
  std::string part, output;
  llvm::sys::ProcessInfo process;
};
} // namespace

/// Removes what is left of a command.
static void forget(const Running &running) {
  for (const std::string &file : {running.part, running.output}) {
    fs::remove(file);
    llvm::sys::DontRemoveFileOnSignal(file);
  }
}

static std::optional<Running> start(CacheEntry &entry, std::string &problem) {
  Running running = {&entry, {}, {}, {}};
  llvm::SmallString<128> part, output;
  fs::createUniquePath(entry.file + ".%%%%%%", part, /*MakeAbsolute=*/false);
  fs::createUniquePath(entry.file + ".%%%%%%.txt", output, /*MakeAbsolute=*/false);
  running.part = std::string(part);
  running.output = std::string(output);
  for (const std::string &file : {running.part, running.output})
    llvm::sys::RemoveFileOnSignal(file);
  std::vector<llvm::StringRef> args(entry.command.begin(), entry.command.end());
  args.insert(args.end(), {"-o", running.part});
  std::optional<llvm::StringRef> files[] = {std::nullopt, llvm::StringRef(running.output),
                                            llvm::StringRef(running.output)};
  bool failed = false;
  running.process =
      llvm::sys::ExecuteNoWait(args[0], args, std::nullopt, files, 0, &problem, &failed);
  if (!failed)
    return running;
  problem = whyNotStarted(problem);
  forget(running);
  return std::nullopt;
}

/// Waits for a command and takes its file over. What went wrong, or an empty text.
static std::string finish(Running &running) {
  llvm::sys::ProcessInfo result = llvm::sys::Wait(running.process, std::nullopt);
  std::string problem;
  if (auto text = llvm::MemoryBuffer::getFile(running.output); text && (*text)->getBufferSize()) {
    if (result.ReturnCode && saysTooMany((*text)->getBuffer())) // clang starts the linker
      problem = whyNotStarted((*text)->getBuffer());
    hideProgress();
    if (problem.empty())
      llvm::errs() << (*text)->getBuffer();
  }
  bool made = result.ReturnCode == 0 && !fs::rename(running.part, running.entry->file);
  if (!made && problem.empty())
    problem = "the C++ of a toolkit does not compile";
  forget(running);
  return problem;
}

std::string driver::makeAll(llvm::MutableArrayRef<CacheEntry> entries) {
  size_t most = std::max(1u, llvm::hardware_concurrency().compute_thread_count());
  std::deque<Running> running;
  std::string problem;
  auto finishOne = [&] {
    std::string wrong = finish(running.front());
    if (problem.empty())
      problem = wrong;
    running.pop_front();
  };
  for (CacheEntry &entry : entries) {
    entry.file = cachedName(llvm::join(entry.command, "\n") + "\n" + entry.content, entry.ending);
    if (fs::exists(entry.file) || !problem.empty())
      continue;
    if (running.size() == most)
      finishOne();
    if (auto one = start(entry, problem))
      running.push_back(std::move(*one));
  }
  while (!running.empty())
    finishOne();
  return problem;
}

std::string driver::cachedText(llvm::StringRef text, llvm::StringRef ending) {
  std::string name = cachedName(text, ending);
  if (fs::exists(name))
    return name;
  llvm::SmallString<128> part;
  fs::createUniquePath(name + ".%%%%%%", part, /*MakeAbsolute=*/false);
  llvm::consumeError(writeFile(part, text)); // who compiles it says that it is not there
  fs::rename(part, name);
  return name;
}
