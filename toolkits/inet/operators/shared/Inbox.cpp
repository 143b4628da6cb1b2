//===- Inbox.cpp - what clients have sent, until it is submitted ----------===//
#include "toolkits/inet/operators/shared/Inbox.h"
#include "runtime/base/os.h"
#include <cerrno>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace sluice::inet {

Inbox::~Inbox() {
  if (wakes >= 0)
    ::close(wakes);
}

int32_t Inbox::open(Ctx *ctx) {
  wakes = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return wakes < 0 ? sl_error(ctx, "no descriptor: %s", os::errorText(errno).c_str()) : 0;
}

bool Inbox::put(Letter &&letter, bool always) {
  std::lock_guard guard(lock);
  if (isFull() && !always)
    return false;
  bytes += letter.size();
  letters.push_back(std::move(letter));
  if (letters.size() == 1) {
    uint64_t one = 1;
    (void)!write(wakes, &one, sizeof one);
  }
  return true;
}

bool Inbox::hasRoom() const {
  std::lock_guard guard(lock);
  return !isFull();
}

bool Inbox::take(Letter &letter, bool *wasFull) {
  std::lock_guard guard(lock);
  if (letters.empty())
    return false;
  if (wasFull)
    *wasFull = isFull();
  letter = std::move(letters.front());
  letters.pop_front();
  bytes -= letter.size();
  return true;
}

int32_t Inbox::await(Ctx *ctx) {
  if (sl_await_readable(ctx, wakes))
    return 1;
  uint64_t times;
  (void)!read(wakes, &times, sizeof times);
  return 0;
}

} // namespace sluice::inet
