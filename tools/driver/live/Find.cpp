//===- Find.cpp - the jobs of a user --------------------------------------===//
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "runtime/exchange/Registry.h"
#include "tools/driver/live/Live.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace sluice;
using namespace sluice::driver;

/// Takes an entry. One that nobody holds locked is of a process that was killed: it is removed.
static void takeEntry(const std::string &path, std::map<int, LiveJob> &jobs) {
  if (int lock = os::lockFile(path.c_str()); lock >= 0) {
    os::removeFile(path.c_str());
    os::closeFile(lock);
    return;
  }
  auto text = llvm::MemoryBuffer::getFile(path);
  auto value = text ? llvm::json::parse((*text)->getBuffer()) : llvm::json::Value(nullptr);
  if (!value)
    return llvm::consumeError(value.takeError());
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return;
  auto number = [&](llvm::StringRef name) { return object->getInteger(name).value_or(0); };
  LiveJob &job = jobs[int(number("job"))];
  job.number = int(number("job"));
  job.program = object->getString("program").value_or("").str();
  int64_t started = number("started");
  job.started = job.processes.empty() ? started : std::min(job.started, started);
  job.processes.push_back({int(number("process")), int32_t(number("pe"))});
}

llvm::Expected<std::vector<LiveJob>> driver::findLiveJobs() {
  exchange::Registry registry;
  if (std::string problem = registry.open(); !problem.empty())
    return llvm::createStringError(problem);
  std::map<int, LiveJob> jobs;
  for (const exchange::Place &place : registry.entries("", ".job"))
    takeEntry(registry.directory() + "/" + place.name, jobs);
  std::vector<LiveJob> all;
  for (auto &[number, job] : jobs) {
    llvm::sort(job.processes, [](auto &a, auto &b) { return a.pe < b.pe; });
    all.push_back(std::move(job));
  }
  llvm::stable_sort(all, [](auto &a, auto &b) { return a.started < b.started; });
  return std::move(all);
}

llvm::Expected<LiveJob> driver::findLiveJob(llvm::StringRef name) {
  auto jobs = findLiveJobs();
  if (!jobs)
    return jobs.takeError();
  std::vector<LiveJob> found;
  for (LiveJob &job : *jobs)
    if (name == std::to_string(job.number) || name == job.program ||
        llvm::StringRef(job.program).ends_with(("::" + name).str()))
      found.push_back(std::move(job));
  if (found.size() == 1)
    return std::move(found.front());
  std::string numbers;
  for (const LiveJob &job : found)
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(job.number);
  return llvm::createStringError(
      found.empty() ? "no job `" + name.str() + "` runs: `sluice jobs` lists those that do"
                    : "there are several jobs `" + name.str() + "`: give a number, " + numbers);
}
