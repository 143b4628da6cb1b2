//===- RestoreProgress.cpp - says that a restore takes long -----------------===//
#include "runtime/exec/checkpoint/RestoreProgress.h"

namespace sluice::checkpoint {

static constexpr int64_t kPeriod = 1'000'000'000; // ns between two lines
static constexpr std::string_view kWiped = "\r\x1b[K";

RestoreProgress::RestoreProgress(std::string what, int fd, int64_t patience)
    : what(std::move(what)), fd(fd), began(os::now()) {
  if (os::isTerminal(fd))
    thread = os::Thread([this, patience] { run(patience); }, 256 << 10);
}

RestoreProgress::~RestoreProgress() {
  end.raise();
  thread.join();
}

void RestoreProgress::run(int64_t patience) const {
  auto put = [&](const std::string &line) { os::writeFile(fd, line.data(), line.size()); };
  bool isShown = false;
  for (int64_t wait = patience; !end.sleep(wait); wait = kPeriod, isShown = true)
    put(std::string(kWiped) + what + ", " + std::to_string((os::now() - began) / os::kNanos) +
        " s");
  if (isShown)
    put(std::string(kWiped));
}

} // namespace sluice::checkpoint
