//===- Commands.cpp - sluice jobs, stats, stop and console ----------------===//
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exchange/Jobs.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/live/Live.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <ctime>
#include <unistd.h>

using namespace sluice;
using namespace sluice::driver;

static constexpr double kPatience = 5; // seconds in which a program is to answer

static std::string dateOf(int64_t seconds) {
  time_t time = time_t(seconds);
  tm local = {};
  localtime_r(&time, &local);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
  return text;
}

/// Cells as columns: all but the first and the last are on the right.
static void printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<unsigned> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(row[i]));
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += (i ? "  " : "") +
              (i && i + 1 < row.size() ? padLeft(row[i], widths[i]) : padRight(row[i], widths[i]));
    llvm::outs() << llvm::StringRef(line).rtrim() << "\n";
  }
}

using Looks = std::map<std::pair<int, int>, LiveLook>;

/// What a job does, by what its processes have said.
static std::string stateOf(const LiveJob &job, const Looks &looks) {
  std::string state;
  bool answered = false;
  for (const JobProcess &process : job.processes) {
    auto found = looks.find({job.number, process.process});
    if (found == looks.end() || !found->second.later)
      continue;
    answered = true;
    const trace::Limit &limit = found->second.later->limit;
    if (state.empty() || (!limit.text.empty() && limit.kind != "input"))
      state = limit.text;
  }
  return !answered       ? "does not answer: it drains, is stopped, or is of another version"
         : state.empty() ? "runs"
                         : state;
}

static llvm::Error printJobs() {
  auto jobs = findLiveJobs();
  if (!jobs)
    return jobs.takeError();
  if (jobs->empty()) {
    llvm::outs() << "no program runs\n";
    return llvm::Error::success();
  }
  auto looks = lookAt(*jobs, kPatience);
  if (!looks)
    return looks.takeError();
  std::vector<std::vector<std::string>> rows{{"job", "PEs", "since", "tuples/s", "program"}};
  for (const LiveJob &job : *jobs) {
    double rate = -1;
    for (const JobProcess &process : job.processes)
      if (auto found = looks->find({job.number, process.process}); found != looks->end())
        if (double own = rateOf(found->second); own >= 0)
          rate = std::max(rate, 0.0) + own;
    rows.push_back({std::to_string(job.number), std::to_string(job.processes.size()),
                    dateOf(job.started), rate < 0 ? "-" : inUnits(rate),
                    job.program + ": " + stateOf(job, *looks)});
  }
  printTable(rows);
  return llvm::Error::success();
}

static int printExports() {
  std::vector<exchange::RunningJob> jobs;
  std::vector<int64_t> silent;
  std::string problem = exchange::findJobs(2 * os::kNanos, jobs, silent);
  if (!problem.empty())
    return fail(llvm::createStringError(problem));
  for (int64_t process : silent)
    llvm::errs() << "sluice: warning: process " << process
                 << " does not answer: it is stopped, or of another version\n";
  llvm::outs() << (jobs.empty() ? "no running program exports or imports streams\n"
                                : exchange::jobsText(jobs));
  return 0;
}

int driver::jobsCommand() {
  if (llvm::Error error = printJobs())
    return fail(std::move(error));
  return printExports();
}

//===--- stats ------------------------------------------------------------------===//

static void printStats(const LiveLook &look) {
  const trace::Figures &now = *look.later, &before = *look.earlier;
  double seconds = now.time - before.time;
  std::vector<std::vector<std::string>> rows{
      {"operator", "tuples in", "tuples out", "in/s", "out/s", "cpu", "sleeps", ""}};
  auto number = [](double value) { return value < 0 ? std::string("-") : inUnits(value); };
  auto rate = [&](double later, double earlier) {
    return later < 0 || earlier < 0 || seconds <= 0 ? -1 : std::max(0.0, later - earlier) / seconds;
  };
  auto percent = [](double share) { return std::to_string(int(100 * share + 0.5)) + " %"; };
  for (size_t i = 0; i < look.header->flow.operators.size() && i < now.operators.size() &&
                     i < before.operators.size();
       ++i) {
    const trace::FlowOperator &op = look.header->flow.operators[i];
    if (!op.isHere)
      continue;
    const trace::OperatorFigures &a = before.operators[i], &b = now.operators[i];
    rows.push_back({op.what.name + (op.part.empty() ? "" : " (part " + op.part + ")"), number(b.in),
                    number(b.out), number(rate(b.in, a.in)), number(rate(b.out, a.out)),
                    percent(rate(b.cpu, a.cpu)), percent(rate(b.waited, a.waited)), ""});
  }
  if (look.header->pe >= 0)
    llvm::outs() << "PE " << look.header->pe << "\n";
  printTable(rows);
  llvm::outs() << "since " << inSeconds(now.time) << ", " << inNumber(now.workers, "worker")
               << " of " << now.mostWorkers << ", "
               << inNumber(
                      uint64_t(llvm::count_if(now.boundaries, [](auto &b) { return b.isQueue; })),
                      "queue")
               << " of " << inNumber(now.boundaries.size(), "boundary", "boundaries") << "\n";
  for (const trace::ThreadFigures &t : now.threads)
    if (t.state == "space" || t.state == "work")
      llvm::outs() << t.thread << (t.state == "space" ? " waits for space before " : " sleeps in ")
                   << look.header->flow.operators[size_t(std::max(t.op, 0))].what.name << " since "
                   << inSeconds(now.time - t.since) << "\n";
  for (const trace::CountFigures &c : now.leftOut)
    llvm::outs() << look.header->flow.operators[c.op].what.name << ": " << c.name << " "
                 << inUnits(c.count) << "\n";
  if (!now.limit.text.empty())
    llvm::outs() << now.limit.text << ".\n";
}

int driver::statsCommand(const DriverOptions &options) {
  auto job = findLiveJob(options.input);
  if (!job)
    return fail(job.takeError());
  auto looks = lookAt({*job}, kPatience);
  if (!looks)
    return fail(looks.takeError());
  bool any = false;
  for (const auto &[key, look] : *looks)
    if (look.earlier && look.later) {
      printStats(look);
      any = true;
    }
  if (!any)
    return fail(llvm::createStringError("job " + std::to_string(job->number) +
                                        " does not answer: it drains, is stopped, or is of "
                                        "another version"));
  return 0;
}

int driver::stopCommand(const DriverOptions &options) {
  auto job = findLiveJob(options.input);
  if (!job)
    return fail(job.takeError());
  os::signalProcess(job->number, os::kEndSignal);
  auto isThere = [&] {
    auto jobs = findLiveJobs();
    if (!jobs)
      return llvm::consumeError(jobs.takeError()), false;
    return llvm::any_of(*jobs, [&](const LiveJob &other) { return other.number == job->number; });
  };
  for (int64_t until = os::now() + 30 * os::kNanos; os::now() < until;) {
    if (!isThere()) {
      llvm::outs() << job->program << " has ended\n";
      return 0;
    }
    timespec pause{0, 50'000'000};
    nanosleep(&pause, nullptr);
  }
  return fail(llvm::createStringError("job " + std::to_string(job->number) +
                                      " was told to end and has not for 30 seconds"));
}

int driver::consoleCommand(const DriverOptions &options) {
  llvm::SmallString<128> program(llvm::sys::path::parent_path(executablePath()));
  llvm::sys::path::append(program, "sluice-console");
  std::string what;
  if (llvm::sys::fs::exists(options.input)) {
    what = "--trace=" + options.input;
  } else {
    auto job = findLiveJob(options.input);
    if (!job)
      return fail(job.takeError());
    what = "--job=" + std::to_string(job->number);
  }
  // In its place: signals are for it.
  const char *words[] = {program.c_str(), what.c_str(), "--console", "--stay", nullptr};
  execv(program.c_str(), const_cast<char **>(words));
  return fail(
      llvm::createStringError("cannot start " + program.str().str() + ": " + os::errorText(errno)));
}
