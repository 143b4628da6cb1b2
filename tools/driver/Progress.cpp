//===- Progress.cpp - what takes so long ----------------------------------===//
#include "tools/driver/Progress.h"
#include "support/Threads.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

using namespace sluice;
using Clock = std::chrono::steady_clock;

namespace {
constexpr auto kPatience = std::chrono::seconds(2), kPeriod = std::chrono::seconds(1);

class Progress {
public:
  explicit Progress(llvm::StringRef what)
      : what(what), began(Clock::now()), thread([this] { run(); }) {}
  ~Progress() {
    {
      std::lock_guard lock(mutex);
      ended = true;
      erase();
    }
    changed.notify_all();
  }
  void show(std::string next) {
    std::lock_guard lock(mutex);
    if (next == step)
      return;
    step = std::move(next);
    if (shown)
      print();
  }
  void hide() {
    std::lock_guard lock(mutex);
    quiet = Clock::now() + kPeriod; // what comes next belongs together
    erase();
  }

private:
  void run() {
    std::unique_lock lock(mutex);
    for (auto next = began + kPatience; !ended; next += kPeriod)
      if (!changed.wait_until(lock, next, [this] { return ended; }) && next > quiet)
        print();
  }
  void print() {
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began).count();
    std::string line = llvm::formatv("{0}: {1}, {2} s", what, step, seconds).str();
    unsigned columns = llvm::sys::Process::StandardErrColumns();
    llvm::errs() << "\r\033[K" + line.substr(0, columns ? columns - 1 : 79);
    shown = true;
  }
  void erase() {
    if (shown)
      llvm::errs() << "\r\033[K";
    shown = false;
  }

  const std::string what;
  const Clock::time_point began;
  std::mutex mutex; // of all that follows, and of the line
  std::condition_variable changed;
  std::string step = "starting";
  Clock::time_point quiet; // until then nothing is shown
  bool shown = false, ended = false;
  Helper thread; // if it is refused, nothing is shown
};

Progress *progress; // of the main thread
} // namespace

void driver::startProgress(llvm::StringRef what) {
  const char *terminal = getenv("TERM");
  if (!progress && llvm::sys::Process::StandardErrIsDisplayed() && terminal &&
      llvm::StringRef(terminal) != "dumb")
    progress = new Progress(what);
}

void driver::showStep(const llvm::Twine &step) {
  if (progress)
    progress->show(step.str());
}

void driver::hideProgress() {
  if (progress)
    progress->hide();
}

void driver::endProgress() {
  delete progress;
  progress = nullptr;
}
