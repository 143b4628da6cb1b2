//===- os.cpp - clocks, threads, events ---------------------------------===//
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Words.h"
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace sluice::os {

//===--- chance -------------------------------------------------------------===//

uint64_t randomBits() {
  uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != ssize_t(sizeof bits))
    bits = uint64_t(now()); // the machine has just started
  return bits;
}

//===--- time ---------------------------------------------------------------===//

int64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * kNanos + t.tv_nsec;
}

void wallClock(int64_t &seconds, uint32_t &nanos) {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  seconds = t.tv_sec;
  nanos = uint32_t(t.tv_nsec);
}

//===--- threads ------------------------------------------------------------===//

struct Thread::Impl {
  pthread_t handle;
  std::function<void()> body;
};

static void *runThread(void *body) {
  useFaultStack();
  (*static_cast<std::function<void()> *>(body))();
  return nullptr;
}

[[noreturn]] static void cannotStart(uint32_t threads, size_t stackBytes, int error) {
  fprintf(stderr, "error: cannot start %u thread%s with %zu KiB of stack: %s\n", threads,
          plural(threads), stackBytes >> 10, whyNotStarted(error).c_str());
  endProcess(1);
}

void *mapPages(uint64_t size, uint64_t align) {
  uint64_t mapped = size + align;
  void *p = mapped < size
                ? MAP_FAILED
                : mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return nullptr;
  uint64_t before = -uintptr_t(p) & (align - 1);
  char *start = static_cast<char *>(p) + before;
  if (before)
    munmap(p, before);
  munmap(start + size, align - before);
  madvise(start, size, MADV_HUGEPAGE); // nothing depends on it
  return start;
}

void unmapPages(void *p, uint64_t size) { munmap(p, size); }

void movePages(void *from, uint64_t size, void *to) {
  if (mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED)
    return;
  memcpy(to, from, size);
  munmap(from, size);
}

/// Starts so many threads, and ends them. 0, or the error of one that could not be started.
static int tryThreads(uint32_t threads) {
  std::mutex held; // they all wait for it, so that all are there at once
  auto wait = [](void *mutex) -> void * {
    std::lock_guard lock(*static_cast<std::mutex *>(mutex));
    return nullptr;
  };
  std::vector<pthread_t> made;
  int error = 0;
  {
    std::lock_guard lock(held);
    for (pthread_t thread; made.size() < threads && !error;)
      if (!(error = pthread_create(&thread, nullptr, wait, &held)))
        made.push_back(thread);
  }
  for (pthread_t thread : made)
    pthread_join(thread, nullptr);
  return error;
}

void needThreads(uint32_t threads, size_t stackBytes) {
  size_t bytes = threads * stackBytes;
  void *p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    cannotStart(threads, stackBytes, errno);
  munmap(p, bytes);
  if (int error = tryThreads(threads))
    cannotStart(threads, stackBytes, error);
}

Thread::Thread(std::function<void()> body, size_t stackBytes)
    : impl(new Impl{{}, std::move(body)}) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  if (int error = pthread_create(&impl->handle, &attributes, runThread, &impl->body))
    cannotStart(1, stackBytes, error);
  pthread_attr_destroy(&attributes);
}
Thread::Thread() = default;
Thread::Thread(Thread &&) noexcept = default;
Thread &Thread::operator=(Thread &&) noexcept = default;
Thread::~Thread() { join(); }

void Thread::join() {
  if (impl)
    pthread_join(impl->handle, nullptr);
  impl.reset();
}

struct Lock::Impl {
  std::mutex mutex;
};
Lock::Lock() : impl(new Impl) {}
Lock::~Lock() = default;
void Lock::lock() { impl->mutex.lock(); }
bool Lock::tryLock() { return impl->mutex.try_lock(); }
void Lock::unlock() { impl->mutex.unlock(); }

struct Condition::Impl {
  std::condition_variable condition;
};
Condition::Condition() : impl(new Impl) {}
Condition::~Condition() = default;
void Condition::wakeAll() { impl->condition.notify_all(); }
void Condition::wait(Lock &lock) {
  std::unique_lock<std::mutex> held(lock.impl->mutex, std::adopt_lock);
  impl->condition.wait(held);
  held.release();
}

//===--- events -------------------------------------------------------------===//

Event::Event() : fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd >= 0)
    return;
  // The program has not begun: a limit of the machine or of the user (`ulimit -n`).
  fprintf(stderr, "error: cannot make what threads wait for: %s\n", errorText(errno).c_str());
  endProcess(1);
}
Event::~Event() { close(fd); }

void Event::raise() {
  flag.store(true, std::memory_order_relaxed);
  uint64_t one = 1;
  int saved = errno;
  [[maybe_unused]] ssize_t n = write(fd, &one, sizeof one);
  errno = saved;
}

void Event::lower() {
  uint64_t count;
  [[maybe_unused]] ssize_t n = read(fd, &count, sizeof count);
  flag.store(false, std::memory_order_relaxed);
}

bool Event::sleep(int64_t nanos) const { return sleepOn({this}, nanos); }

bool sleepOn(std::initializer_list<const Event *> events, int64_t nanos) {
  std::array<pollfd, 4> files;
  nfds_t count = 0;
  for (const Event *event : events)
    files[count++] = {event->fd, POLLIN, 0};
  int64_t end = nanos < 0 ? 0 : now() + nanos;
  for (;;) {
    timespec left{nanos / kNanos, nanos % kNanos};
    int n = ppoll(files.data(), count, end ? &left : nullptr, nullptr);
    if (n > 0)
      return true;
    if (n == 0)
      return false;
    if (end && (nanos = end - now()) <= 0) // interrupted by a signal
      return false;
  }
}

bool Event::awaitReadable(int file) const {
  for (;;) {
    pollfd p[2] = {{fd, POLLIN, 0}, {file, POLLIN, 0}};
    if (ppoll(p, 2, nullptr, nullptr) < 0)
      continue;
    return p[0].revents != 0;
  }
}

} // namespace sluice::os
