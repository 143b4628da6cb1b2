//===- os.h - the one seam to the world -------------------------*- C++ -*-===//
//
// Every clock, park and wake, thread start, signal and file of the runtime goes
// through here, so that a test can put something else in its place. Nothing
// throws; what can fail returns a negative errno.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

namespace sluice::os {

//===--- time ---------------------------------------------------------------===//
constexpr int64_t kNanos = 1'000'000'000;
/// Nanoseconds of a clock that only moves forward.
int64_t now();
/// Seconds and nanoseconds since 1970.
void wallClock(int64_t &seconds, uint32_t &nanos);
/// A counter of constant rate that is quicker to read than a clock: the time stamp
/// counter, the time base.
inline uint64_t cycles() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__powerpc64__)
  return __builtin_ppc_get_timebase();
#else
  return uint64_t(now());
#endif
}

//===--- threads ------------------------------------------------------------===//
/// A thread with a stack of our choice; joined by the destructor.
class Thread {
public:
  Thread();
  Thread(std::function<void()> body, size_t stackBytes);
  Thread(Thread &&) noexcept;
  Thread &operator=(Thread &&) noexcept;
  ~Thread();
  void join();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

class Lock {
public:
  Lock();
  ~Lock();
  void lock();
  void unlock();

private:
  friend class Condition;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

class Condition {
public:
  Condition();
  ~Condition();
  void wait(Lock &);
  void wakeAll();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Holds a lock for a scope.
class Held {
public:
  explicit Held(Lock &lock) : lock(lock) { lock.lock(); }
  ~Held() { lock.unlock(); }
  Held(const Held &) = delete;

private:
  Lock &lock;
};

/// Sleeps while *word is `expected`; may return early (futex).
void park(const std::atomic<uint32_t> &word, uint32_t expected);
/// Wakes one or all of those that sleep on the word.
void wake(const std::atomic<uint32_t> &word, bool all);
/// Lets others run.
void yieldThread();
/// For the body of a loop that spins.
inline void spinPause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__powerpc64__)
  asm volatile("or 27,27,27" ::: "memory");
#endif
}
/// The hardware threads that this process may use: affinity mask and the quota
/// of its control group (rounded up), at least 1.
uint32_t usableCpus();
/// The kernel's number of the calling thread.
uint32_t threadId();
/// Seconds of processor time since some moment in the past: of this process, and of all that ran on
/// the processors that it might use when this was first asked (in steps of 10 ms; below 0: not
/// known).
struct CpuTime {
  double own = 0, all = -1;
};
CpuTime cpuTime();
/// The same of the calling thread alone, since it began.
double threadCpuTime();

/// An event that is raised once and wakes everyone who sleeps on it.
class Event {
public:
  Event();
  ~Event();
  Event(const Event &) = delete;
  void raise(); // may be called by a signal handler
  void lower(); // by the only one who sleeps on it
  bool raised() const { return flag.load(std::memory_order_relaxed); }
  /// Sleeps until the event (true) or the time is over (false); nanos < 0: for ever.
  bool sleep(int64_t nanos) const;
  /// Waits until fd can be read (false) or the event is raised (true).
  bool awaitReadable(int fd) const;

private:
  friend bool sleepOn(std::initializer_list<const Event *>, int64_t);
  int fd;
  std::atomic<bool> flag{false};
};

/// Sleeps until one of the events (true) or the time is over (false); nanos < 0: for ever.
bool sleepOn(std::initializer_list<const Event *>, int64_t nanos);

//===--- files --------------------------------------------------------------===//
enum class Open { Read, Truncate, Append };
/// A descriptor, or a negative errno.
int openFile(const char *path, Open mode);
int64_t readFile(int fd, void *to, size_t bytes);
/// Writes everything. 0, or a negative errno.
int writeFile(int fd, const void *from, size_t bytes);
int closeFile(int fd);
/// One level. 0, or a negative errno.
int makeDirectory(const char *path);
int removeFile(const char *path);
int renameFile(const char *from, const char *to);
bool isTerminal(int fd);
/// A regular file: reading it never waits for somebody else.
bool isRegular(int fd);
std::string errorText(int error);

//===--- signals ------------------------------------------------------------===//
/// SIGINT and SIGTERM raise `stop`; a second one, a tenth of a second later, ends the process with
/// 130. Writes to closed pipes and over file size limits become errors.
void catchSignals(Event *stop);
void releaseSignals();
/// SIGUSR1 sets `paused`, SIGUSR2 clears it; both raise `changed`. Null: they are ignored.
void catchPause(std::atomic<bool> *paused, Event *changed);
/// SIGSEGV and the like call `handler`, on a stack of its own. A sanitizer reports
/// them better: nothing is caught in builds with one.
void catchFaults(void (*handler)(int signal));
/// They write `message` and end the process with exit code 70.
void catchFaults(const char *message);
/// A stack for the fault handler of the calling thread.
void useFaultStack();

} // namespace sluice::os
