//===- os.h - the operating system ------------------------------*- C++ -*-===//
//
// The runtime uses clocks, threads, parking, signals and files only through these functions, so
// that a test can replace them. None throws. What can fail returns a negative errno.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::os {

//===--- time ---------------------------------------------------------------===//
constexpr int64_t kNanos = 1'000'000'000;
/// ns of a monotonic clock.
int64_t now();
/// Seconds and nanoseconds since 1970.
void wallClock(int64_t &seconds, uint32_t &nanos);
/// A counter of constant rate that is quicker to read than a clock: the time stamp counter
/// (x86-64), or the time base (Power).
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
/// A thread with a stack of a given size; the destructor joins it.
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

/// Ends the process with an error if it may not have so many threads more, or there is no room for
/// their stacks. OpenMP would abort.
void needThreads(uint32_t threads, size_t stackBytes);

/// How many bytes of this thread's stack are left.
uint64_t stackLeft();

//===--- chance -------------------------------------------------------------===//
/// Differs from call to call and from process to process.
uint64_t randomBits();

//===--- memory -------------------------------------------------------------===//
/// `size` bytes of zeros at an address that is a multiple of `align`, on large pages if the kernel
/// has some; null if there are none. Both are multiples of the size of a page.
void *mapPages(uint64_t size, uint64_t align);
void unmapPages(void *, uint64_t size);
/// Moves pages with their content in place of those at `to`; copies only if they cannot be moved.
void movePages(void *from, uint64_t size, void *to);

//===--- locks --------------------------------------------------------------===//
/// A mutex. The constructor of Held locks it for a scope.
class Lock {
public:
  Lock();
  ~Lock();
  void lock();
  bool tryLock();
  void unlock();

private:
  friend class Condition;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// A condition variable.
class Condition {
public:
  Condition();
  ~Condition();
  void wait(Lock &); // by who holds the lock; may return early
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

/// Sleeps while `value` is `expected`; may return early (futex).
void park(const std::atomic<uint32_t> &value, uint32_t expected);
/// Wakes one or all of the threads that sleep on `value`.
void wake(const std::atomic<uint32_t> &value, bool all);
/// Lets other threads run.
void yieldThread();
/// From now on timed waits of this thread end within microseconds of their time: the kernel may
/// otherwise let 50 us more pass.
void waitExactly();
/// Ends the process at once: no destructors, no handlers.
[[noreturn]] void endProcess(int code);
/// For the body of a loop that spins.
inline void spinPause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__powerpc64__)
  asm volatile("or 27,27,27" ::: "memory");
#endif
}
/// How many hardware threads this process may use: by its affinity mask and the quota of its
/// control group (rounded up); at least 1.
uint32_t usableCpus();
/// Bytes that the machine or a control group of this process has. `system`: the root of the file
/// system, for tests.
uint64_t usableMemory(const std::string &system = "");
/// The kernel's id of the calling thread.
uint32_t threadId();
/// Seconds of processor time since a fixed moment in the past.
struct CpuTime {
  double own = 0;  // of this process
  double all = -1; // of all that ran on the processors that this process was allowed to use when
                   // cpuTime() was first called, in steps of 10 ms; -1: not known
};
CpuTime cpuTime();
/// Seconds of processor time of the calling thread since it began.
double threadCpuTime();
/// The same of any thread of this process, by its id; 0 if it has ended.
double cpuTimeOf(uint32_t thread);

/// An event wakes all threads that sleep on it once it is raised. Any thread may raise and read it.
/// relaxed: the file descriptor behind it orders what was written before.
class Event {
public:
  Event();
  ~Event();
  Event(const Event &) = delete;
  void raise(); // also by a signal handler
  void lower(); // by the only thread that sleeps on it
  bool raised() const { return flag.load(std::memory_order_relaxed); }
  /// Sleeps until the event is raised (true) or `nanos` ns are over (false); below 0: for ever.
  bool sleep(int64_t nanos) const;
  /// Waits until fd can be read (false) or the event is raised (true).
  bool awaitReadable(int fd) const;
  /// Can be read while the event is raised.
  int descriptor() const { return fd; }

private:
  friend bool sleepOn(std::initializer_list<const Event *>, int64_t);
  int fd;
  std::atomic<bool> flag{false};
};

/// Sleeps until one of the events is raised (true) or `nanos` ns are over (false); below 0: for
/// ever.
bool sleepOn(std::initializer_list<const Event *>, int64_t nanos);

//===--- files --------------------------------------------------------------===//
/// Read does not wait for the writer of a named pipe. Pipe writes to one; it fails with ENXIO if
/// that has no reader. Keep writes over what is there.
enum class Open { Read, Truncate, Append, Keep, Pipe };
/// Returns a descriptor, or a negative errno.
int openFile(const char *path, Open mode);
/// Returns how many bytes were read (0: the end), or a negative errno.
int64_t readFile(int fd, void *to, size_t bytes);
/// Writes everything. 0, or a negative errno.
int writeFile(int fd, const void *from, size_t bytes);
int closeFile(int fd);
/// Makes one level of directories. 0, or a negative errno.
int makeDirectory(const char *path);
/// Makes a directory and those around it that are not there. 0, or a negative errno.
int makeDirectories(const std::string &path);
/// Which regular file a path leads to, whatever it is called; nothing if there is none.
struct FileIdentity {
  uint64_t device, number;
  bool operator==(const FileIdentity &) const = default;
};
std::optional<FileIdentity> identityOf(const char *path);
/// Whether to write a new file there destroys nothing that does not begin with this text: there is
/// no file, or an empty one, or none that keeps what it is given.
bool mayReplace(const char *path, std::string_view beginning);
int removeFile(const char *path);
int renameFile(const char *from, const char *to);
/// Gives a file another name, too. 0, or a negative errno.
int linkFile(const char *from, const char *to);
bool isTerminal(int fd);
/// Of a terminal, in characters; 24 by 80 where it does not say.
struct TerminalSize {
  uint32_t rows, columns;
};
TerminalSize terminalSize(int fd);
/// True for a regular file, which can be read without waiting for another process.
bool isRegular(int fd);
/// True for a named pipe.
bool isPipe(const char *path);
/// Opens /dev/null for those of the descriptors 0, 1 and 2 that are closed, so that no file gets
/// their numbers and is taken for the console. It is open for reading: writing still fails.
void openStandardFiles();
/// The text of a (positive) errno.
std::string errorText(int error);
/// The same for a file that could not be opened: tells a URL from a file's name.
std::string openErrorText(const std::string &path, int error);

//===--- signals ------------------------------------------------------------===//
/// Makes SIGINT, SIGTERM and SIGHUP (unless it is ignored, as by nohup) raise `stop`. The first
/// SIGINT says so on stderr if `says`. A second signal, at least a tenth of a second later, ends
/// the process with exit code 128 and its number. Signals of the parent of a process that
/// forkProcess() made are counted apart (process.h). Writes to closed pipes and beyond file size
/// limits return errors.
void catchSignals(Event *stop, bool says = true);
/// What it says. For signal handlers.
void sayStopping();
void releaseSignals();
/// Makes SIGUSR1 set `paused` and SIGUSR2 clear it; both raise `changed`. Null: they are ignored.
void catchPause(std::atomic<bool> *paused, Event *changed);
/// Makes SIGSEGV and other faults call `handler`, on a stack of its own. In builds with a sanitizer
/// nothing is caught, as that reports faults better.
void catchFaults(void (*handler)(int signal));
/// Makes faults write `message` and end the process with exit code 70.
void catchFaults(const char *message);
/// Gives the calling thread a stack for the fault handler.
void useFaultStack();

} // namespace sluice::os
