//===- Restarts.cpp - a program of one process that is started again ------===//
#include "runtime/exec/job/Restarts.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exec/job/KeptFiles.h"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace sluice {

static constexpr int kFault = 70; // the exit code of a crash that was reported (os::catchFaults)

bool hasDied(const os::ChildEnd &end) {
  return end.signal || end.code == kFault || end.code == os::kEndedAtOnce;
}

int codeOf(const os::ChildEnd &end) {
  if (end.signal)
    return 128 + end.signal;
  return end.code == os::kEndedAtOnce ? 1 : end.code;
}

KeptFiles *keepFor(os::ParentSignals &signals, KeptFiles &kept) {
  if (kept.open())
    return nullptr;
  signals.wakeOn(kept.messages().descriptor());
  return &kept;
}

namespace {
class Restarts {
public:
  Restarts(const char *mainName, RunOptions options, const std::function<int(RunOptions)> &run)
      : mainName(mainName), options(std::move(options)), run(run) {}
  int launch();

private:
  bool start();
  bool goesOn(const os::ChildEnd &);
  void say(const std::string &text) const {
    fprintf(stderr, "%s: error: %s\n", mainName, text.c_str());
  }

  const char *mainName;
  RunOptions options;
  const std::function<int(RunOptions)> &run;
  KeptFiles kept;
  int process = 0;
  uint32_t count = 0; // restarts
  int exitCode = 0;
  bool ending = false; // a signal has asked for the end
};
} // namespace

/// False: there is no process. In the process itself it does not return: what is on the stack is
/// its parent's.
bool Restarts::start() {
  fflush(nullptr);
  kept.take();
  process = os::forkProcess();
  if (process == 0)
    exit(run(options));
  if (process > 0)
    return true;
  say("cannot start the program: " + os::whyNotStarted(-process));
  exitCode = 1;
  return false;
}

/// Whether the program was started again, behind its end.
bool Restarts::goesOn(const os::ChildEnd &end) {
  exitCode = codeOf(end);
  if (!hasDied(end) || ending)
    return false;
  std::string text = "the program ";
  text += end.signal           ? "was ended by signal " + std::to_string(end.signal) + " (" +
                                     os::signalText(end.signal) + ")"
          : end.code == kFault ? "has crashed"
                               : "has ended itself";
  std::string most = std::to_string(options.restart);
  if (count == options.restart) {
    say(text + ". It is not started again: --restart=" + most + " allows no more");
    return false;
  }
  say(text + ". It is started again and goes on from its last checkpoint (restart " +
      std::to_string(++count) + " of " + most + ")");
  options.checkpoints.resumes = true;
  return start();
}

int Restarts::launch() {
  os::ParentSignals signals;
  options.kept = keepFor(signals, kept);
  for (bool runs = start(); runs;) {
    os::ParentSignals::Event event = signals.await();
    kept.take();
    ending |= event.signal && os::endsPrograms(event.signal);
    if (event.signal && !event.toAll)
      os::signalProcess(process, event.signal);
    for (const os::ChildEnd &end : event.ended)
      if (end.process == process)
        runs = goesOn(end);
  }
  return exitCode;
}

int runWithRestarts(const char *mainName, RunOptions options,
                    const std::function<int(RunOptions)> &run) {
  return Restarts(mainName, std::move(options), run).launch();
}

} // namespace sluice
