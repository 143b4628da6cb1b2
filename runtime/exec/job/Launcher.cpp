//===- Launcher.cpp - starts the PEs of a job -----------------------------===//
#include "runtime/exec/job/Launcher.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/job/KeptFiles.h"
#include "runtime/exec/job/Restarts.h"
#include "runtime/remote/peer/Socket.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace sluice {

/// Of a PE with one stream from or to another one. Said here it is said once, not by each PE.
static constexpr uint32_t kFilesOfPe = 44;

namespace {
class Launcher {
public:
  Launcher(const char *mainName, const RunOptions &options, JobSize size,
           const std::function<int(RunOptions)> &run)
      : mainName(mainName), options(options), job(size), run(run), processes(size.pes, 0),
        restarts(size.pes, options.restart), staysDown(size.staysDown) {
    for (uint32_t pe = 0; pe < size.pes; ++pe)
      if (staysDown[pe])
        restarts[pe] = 0;
  }
  int launch();

private:
  bool start(uint32_t pe);
  bool startAll();
  bool makeChannels();
  void takeChannels(uint32_t pe);
  [[noreturn]] void endPe();
  void signalAll(int signal);
  void signalEach(int signal) const;
  /// Whether none of the PEs is to stay down once it has died.
  bool mayResume() const {
    return std::ranges::none_of(staysDown, [](bool stays) { return stays; });
  }
  void take(const os::ParentSignals::Event &);
  bool ended(const os::ChildEnd &);
  bool endedWithState(uint32_t pe, const os::ChildEnd &);
  void reportWithState(uint32_t pe, const os::ChildEnd &, bool again);
  void report(uint32_t pe, const os::ChildEnd &, bool again);
  uint32_t running() const {
    return uint32_t(std::ranges::count_if(processes, [](int process) { return process != 0; }));
  }
  void say(const std::string &text) const {
    fprintf(stderr, "%s: error: %s\n", mainName, text.c_str());
  }

  const char *mainName;
  RunOptions options;
  LocalJob job;
  const std::function<int(RunOptions)> &run;
  std::vector<int> processes;     // by PE; 0: it does not run
  std::vector<int> started;       // all that ever ran
  std::vector<uint32_t> restarts; // by PE: how many are left
  std::vector<bool> staysDown;    // by PE
  int exitCode = 0;               // of the first that failed
  bool interrupted = false, ending = false;
  // Where checkpoints are made:
  std::vector<remote::Socket> ends; // of PE 0, of the sockets to PE 1 and so on, and their others
  KeptFiles kept;
  uint32_t resumptions = 0; // how often the job has gone on from a checkpoint
  bool resuming = false;    // all PEs are ended, and then started again
};
} // namespace

/// "m.json" becomes "m.pe2.json".
static std::string fileOfPe(const std::string &file, uint32_t pe) {
  if (file.empty() || file.starts_with("/dev/")) // a device is one for all
    return file;
  size_t slash = file.rfind('/'), dot = file.rfind('.');
  if (dot == file.npos || dot == 0 || (slash != file.npos && dot <= slash + 1))
    dot = file.size();
  return file.substr(0, dot) + ".pe" + std::to_string(pe) + file.substr(dot);
}

/// What PE `pe` of `count` is started with: its share of what the options give to the job.
static RunOptions optionsOf(const RunOptions &job, uint32_t pe, uint32_t count) {
  RunOptions own = job;
  own.pe = int32_t(pe);
  uint32_t threads = job.threads ? job.threads : os::usableCpus();
  own.threads = std::max((threads + count - 1) / count, 1u);
  own.memory = std::max(job.memory / count, 1u);
  own.memoryLimit = (job.memoryLimit ? job.memoryLimit : os::usableMemory() / 8 * 7) / count;
  own.traceFile = fileOfPe(job.traceFile, pe);
  own.metricsFile = fileOfPe(job.metricsFile, pe);
  return own;
}

/// The sockets between PE 0 and the others. False: there are none, which was reported.
bool Launcher::makeChannels() {
  ends.clear();
  ends.resize(2 * (processes.size() - 1));
  for (size_t i = 0; i < ends.size(); i += 2)
    if (int error = remote::socketPair(ends[i], ends[i + 1])) {
      say("cannot make the sockets for checkpoints: " + os::errorText(-error));
      exitCode = 1;
      return false;
    }
  return true;
}

/// In a PE: it keeps its own sockets. The end of a PE is the end of its sockets.
void Launcher::takeChannels(uint32_t pe) {
  Channels &own = job.job().channels;
  for (size_t i = 0; i < ends.size(); i += 2)
    if (!pe)
      own.members.push_back(std::move(ends[i]));
    else if (pe == i / 2 + 1)
      own.coordinator = std::move(ends[i + 1]);
  ends.clear();
}

/// Forks a PE. False in the PE, when it has run; exitCode is then its own.
bool Launcher::start(uint32_t pe) {
  fflush(nullptr);
  int process = os::forkProcess();
  if (process < 0) {
    say("cannot start PE " + std::to_string(pe) + ": " + os::whyNotStarted(-process));
    exitCode = exitCode ? exitCode : 1;
    return true;
  }
  if (process) {
    processes[pe] = process;
    started.push_back(process);
    return true;
  }
  takeChannels(pe);
  exitCode = run(optionsOf(options, pe, uint32_t(processes.size())));
  if (os::isOrphan())
    job.remove();
  return false;
}

/// In a PE that has run: what is on the stack is the launcher's, as are threads of the compiler.
void Launcher::endPe() { exit(exitCode); }

void Launcher::signalEach(int signal) const {
  for (int process : processes)
    if (process)
      os::signalProcess(process, signal);
}

/// Told to end, PEs are not started again.
void Launcher::signalAll(int signal) {
  ending |= os::endsPrograms(signal);
  signalEach(signal);
}

/// A PE may ask for the end, as by shutdownPE(): one more signal would end the others at once.
void Launcher::take(const os::ParentSignals::Event &event) {
  bool isOwn = event.from && std::ranges::find(started, event.from) != started.end();
  if (event.toAll && !ending) // they have got it as well
    ending |= os::endsPrograms(event.signal);
  else if (event.signal && !(isOwn && ending))
    signalAll(event.signal);
  if (event.signal == os::kInterrupt && !std::exchange(interrupted, true))
    os::sayStopping();
}

static std::string howEnded(uint32_t pe, const os::ChildEnd &end) {
  return "PE " + std::to_string(pe) +
         (end.signal ? " was ended by signal " + std::to_string(end.signal) + " (" +
                           os::signalText(end.signal) + ")"
                     : " has failed (exit code " + std::to_string(codeOf(end)) + ")");
}

void Launcher::report(uint32_t pe, const os::ChildEnd &end, bool again) {
  bool last = !again && !ending && options.restart > 0 && (end.signal || end.code);
  if (!again && !last && (!end.signal || (ending && end.signal == os::kEndSignal)))
    return; // it has said itself what failed, or was told to end before it could do so in order
  std::string text = howEnded(pe, end);
  text += again && options.links.acknowledges
              ? ": the state of its operators is lost; batches that were not acknowledged are "
                "processed again"
              : ": tuples that were in it or on their way to it or from it are lost";
  std::string most = std::to_string(options.restart);
  if (again)
    text += std::string(options.links.acknowledges ? "" : ", and the state of its operators") +
            ". It is started again (restart " + std::to_string(options.restart - restarts[pe]) +
            " of " + most + ")";
  else if (last && staysDown[pe])
    text += ". It is not started again, as `config restartable` of an operator in it is false, and "
            "the job ends";
  else if (last)
    text += ". It is not started again: --restart=" + most + " allows no more, and the job ends";
  say(text);
}

void Launcher::reportWithState(uint32_t pe, const os::ChildEnd &end, bool again) {
  std::string most = std::to_string(options.restart), text = howEnded(pe, end);
  if (again)
    say(text + ". All PEs go on from the last checkpoint (restart " + std::to_string(resumptions) +
        " of " + most + ")");
  else if (!ending && hasDied(end) && options.restart && !mayResume())
    say(text + ". The job is not started again, as `config restartable` of an operator in it is "
               "false; --resume goes on from the last checkpoint");
  else if (!ending && hasDied(end) && options.restart)
    say(text + ". The job is not started again: --restart=" + most +
        " allows no more, and it ends; --resume goes on from the last checkpoint");
  else if (end.signal && !(ending && end.signal == os::kEndSignal))
    say(text + "; --resume goes on from the last checkpoint");
}

/// Where checkpoints are made all PEs go on from one together: the first that dies ends the others.
/// One that fails, with an error of its own, ends the job. False in a PE that was started again,
/// when it has run.
bool Launcher::endedWithState(uint32_t pe, const os::ChildEnd &end) {
  int code = codeOf(end);
  if (code && !resuming && !exitCode) {
    resuming = hasDied(end) && !ending && resumptions < options.restart && mayResume();
    resumptions += resuming;
    reportWithState(pe, end, resuming);
    exitCode = resuming ? 0 : code;
    if (!resuming) // nobody waits for it while operators are opened
      job.job().ledger->setEnded(pe);
    if (resuming)
      signalEach(os::kKillSignal);
    else if (!ending) // a second signal would end them before they have finished
      signalAll(os::kEndSignal);
  }
  if (!resuming || running())
    return true;
  resuming = false;
  if (ending) // told so meanwhile: as when all PEs had died of that
    return exitCode = 128 + os::kEndSignal, true;
  options.checkpoints.resumes = true;
  return startAll();
}

/// False in a PE, when it has run.
bool Launcher::startAll() {
  if (options.checkpoints.makes() && !makeChannels())
    return true;
  kept.take();
  for (uint32_t pe = 0; pe < processes.size() && !exitCode; ++pe)
    if (!start(pe))
      return false;
  ends.clear();
  if (exitCode)
    signalAll(os::kEndSignal);
  return true;
}

/// False in a PE that was started again, when it has run.
bool Launcher::ended(const os::ChildEnd &end) {
  auto found = std::ranges::find(processes, end.process);
  if (found == processes.end())
    return true;
  *found = 0;
  auto pe = uint32_t(found - processes.begin());
  if (options.checkpoints.makes())
    return endedWithState(pe, end);
  int code = codeOf(end);
  if (!code)
    job.job().ledger->setEnded(pe);
  bool again = code && !ending && restarts[pe] > 0;
  restarts[pe] -= again;
  report(pe, end, again);
  if (again) {
    job.job().isAgain = true;
    if (!start(pe))
      return false;
    if (!processes[pe]) // nobody comes whom the others could wait for
      signalAll(os::kEndSignal);
    return true;
  }
  if (code && !exitCode) {
    exitCode = code;
    if (!ending) // a second signal would end them before they have finished
      signalAll(os::kEndSignal);
  }
  return true;
}

int Launcher::launch() {
  if (!job.problem().empty()) {
    say("cannot make a directory for the job: " + job.problem());
    return 1;
  }
  if (std::string problem = os::tooFewFiles(kFilesOfPe, "each process of a job");
      !problem.empty()) {
    say(problem);
    return 1;
  }
  options.job = &job.job();
  const bool saves = options.checkpoints.makes();
  options.links.restarts = options.restart > 0 && !saves;
  options.links.acknowledges &= !saves; // a link loses nothing that a checkpoint does not hold
  os::ParentSignals signals;
  if (saves && options.restart)
    options.kept = keepFor(signals, kept);
  if (!startAll())
    endPe();
  while (running()) {
    os::ParentSignals::Event event = signals.await();
    kept.take();
    take(event);
    for (const os::ChildEnd &end : event.ended)
      if (!ended(end))
        endPe();
  }
  return exitCode;
}

int launch(const char *mainName, const RunOptions &options, JobSize size,
           const std::function<int(RunOptions)> &run) {
  return Launcher(mainName, options, size, run).launch();
}

} // namespace sluice
