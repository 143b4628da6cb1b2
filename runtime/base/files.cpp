//===- files.cpp - files and signals --------------------------------------===//
#include "runtime/base/files.h"
#include "runtime/base/backtrace.h"
#include "runtime/base/foreign.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/base/stop.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::os {

//===--- files --------------------------------------------------------------===//

/// The descriptor that a path means, as `/dev/stdout` does; else -1.
static int descriptorOf(std::string_view path) {
  for (auto [name, fd] : {std::pair("/dev/stdout", 1), {"/dev/stderr", 2}})
    if (path == name)
      return fd;
  return -1;
}

int openFile(const char *path, Open mode) {
  // Opened by its path, a file that the shell has opened would lose what is written to it already.
  if (int fd = descriptorOf(path); fd >= 0 && mode != Open::Read) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return copy < 0 ? -errno : copy;
  }
  // It was closed (openStandardFiles).
  if (mode == Open::Read && path == std::string_view("/dev/stdin") &&
      (fcntl(0, F_GETFL) & O_ACCMODE) == O_WRONLY)
    return -EBADF;
  // O_NONBLOCK is for the call of open() only.
  int flags = O_CLOEXEC | (mode == Open::Read       ? O_RDONLY | O_NONBLOCK
                           : mode == Open::Pipe     ? O_WRONLY | O_NONBLOCK
                           : mode == Open::Truncate ? O_WRONLY | O_CREAT | O_TRUNC
                           : mode == Open::Keep     ? O_WRONLY | O_CREAT
                                                    : O_WRONLY | O_CREAT | O_APPEND);
  int fd;
  do
    fd = open(path, flags, 0666);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    return -errno;
  if (flags & O_NONBLOCK)
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

int makeDirectory(const char *path) { return mkdir(path, 0777) < 0 ? -errno : 0; }

int makeDirectories(const std::string &path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return -error.value();
}

int64_t readFile(int fd, void *to, size_t bytes) {
  ssize_t n;
  do
    n = read(fd, to, bytes);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : n;
}

int writeFile(int fd, const void *from, size_t bytes) {
  auto *at = static_cast<const char *>(from);
  while (bytes) {
    ssize_t n = write(fd, at, bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -errno;
    at += n;
    bytes -= size_t(n);
  }
  return 0;
}

int64_t sizeOfFile(int fd) {
  struct stat s;
  return fstat(fd, &s) ? -errno : int64_t(s.st_size);
}

int lockFile(const char *path) {
  if (descriptorOf(path) >= 0)
    return -EOPNOTSUPP;
  int fd = open(path, O_WRONLY | O_CLOEXEC); // some file systems lock only what may be written
  if (fd < 0)
    return -errno;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  int error = errno;
  close(fd);
  return -error;
}

int syncFile(int fd) { return fdatasync(fd) ? -errno : 0; }

int copyDescriptor(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  return copy < 0 ? -errno : copy;
}

int syncDirectory(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -errno;
  int result = fsync(fd) ? -errno : 0;
  close(fd);
  return result;
}

int goToByte(int fd, uint64_t byte) { return lseek(fd, off_t(byte), SEEK_SET) < 0 ? -errno : 0; }

int cutFile(int fd, uint64_t bytes) { return ftruncate(fd, off_t(bytes)) ? -errno : 0; }

int closeFile(int fd) { return close(fd) < 0 && errno != EINTR ? -errno : 0; }
int removeFile(const char *path) { return unlink(path) < 0 ? -errno : 0; }
int linkFile(const char *from, const char *to) { return link(from, to) < 0 ? -errno : 0; }
int renameFile(const char *from, const char *to) { return rename(from, to) < 0 ? -errno : 0; }
bool isTerminal(int fd) { return isatty(fd); }

TerminalSize terminalSize(int fd) {
  winsize size = {};
  if (ioctl(fd, TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
    return {24, 80};
  return {size.ws_row, size.ws_col};
}

bool isRegular(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
}

std::optional<FileIdentity> identityOf(const char *path) {
  struct stat s;
  if (stat(path, &s) < 0 || !S_ISREG(s.st_mode))
    return std::nullopt;
  return FileIdentity{uint64_t(s.st_dev), uint64_t(s.st_ino)};
}

bool isReplaced(int fd, const char *path) {
  struct stat s;
  std::optional<FileIdentity> there = identityOf(path);
  return there && fstat(fd, &s) == 0 &&
         *there != FileIdentity{uint64_t(s.st_dev), uint64_t(s.st_ino)};
}

bool mayReplace(const char *path, std::string_view beginning) {
  bool isThere = descriptorOf(path) < 0 && identityOf(path);
  int fd = isThere ? openFile(path, Open::Read) : -1;
  if (fd < 0)
    return true; // or it cannot be read: the attempt to write tells
  std::string text(beginning.size(), 0);
  int64_t size = readFile(fd, text.data(), text.size());
  closeFile(fd);
  return size <= 0 || text == beginning;
}

bool isPipe(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISFIFO(s.st_mode);
}

void openStandardFiles() {
  // To read from the first and to write to the others fails, as with a closed descriptor.
  for (int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0) // then it is the least that is free
      open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

std::string errorText(int error) {
  char buffer[128];
  std::string text = strerror_r(error, buffer, sizeof buffer); // GNU: returns the text
  return error == EMFILE ? text + ": see `ulimit -n`" : text;
}

std::string tooFewFiles(uint32_t needed, const char *what) {
  std::vector<int> files;
  int error = 0;
  while (files.size() < needed && !error)
    if (int fd = eventfd(0, EFD_CLOEXEC); fd >= 0)
      files.push_back(fd);
    else
      error = errno;
  for (int fd : files)
    close(fd);
  if (!error)
    return "";
  return std::string(what) + " needs up to " + std::to_string(needed) +
         " open files more, and may have " + std::to_string(files.size()) + ": " + errorText(error);
}

std::string openErrorText(const std::string &path, int error) {
  bool isUrl = path.find(":/") != std::string::npos; // "//" may have become one
  return errorText(error) + (isUrl ? " (a file is meant here, not a URL)" : "");
}

//===--- signals ------------------------------------------------------------===//

static std::atomic<Event *> stopEvent;

/// By who asked: others, or the parent of a process that forkProcess() made. What comes to a whole
/// group comes to both, and the parent passes it on, whenever it gets to that.
static std::atomic<int64_t> stoppedAt[2]; // ns; 0: not yet

/// ns. A second signal of the same side that comes sooner is not counted: timeout(1) sends one to
/// the process and one to its group.
static constexpr int64_t kOneSignalNanos = 100'000'000;

static std::atomic<bool> saysStop;
static std::atomic<unsigned> linesBelow;

void setLinesBelow(unsigned lines) { linesBelow = lines; }

bool clearLinesBelow() { // a handler calls it: no functions of the C library
  unsigned lines = linesBelow.exchange(0);
  if (!lines)
    return false;
  char text[24] = "\r\x1b[", digits[12];
  size_t length = 3, count = 0;
  for (; lines; lines /= 10)
    digits[count++] = char('0' + lines % 10);
  while (count)
    text[length++] = digits[--count];
  for (char c : {'A', '\x1b', '[', 'J'})
    text[length++] = c;
  [[maybe_unused]] ssize_t n = write(2, text, length);
  return true;
}

/// Who writes to the terminal. Handlers change it: no locks. All accesses are in one order
/// (seq_cst): the exchanges of sayStopping() pair with those of DrawsTerminal.
enum class Terminal { Free, Drawn, DrawnMessageWaits, MessageIsWritten };
static std::atomic<Terminal> terminal;

static void writeStopping() {
  static constexpr char text[] =
      "\nsluice: stopping: tuples that were read are processed, windows that are open are dropped; "
      "a second ctrl-C stops at once\n";
  bool atLineStart = clearLinesBelow();
  [[maybe_unused]] ssize_t n = write(2, text + atLineStart, sizeof text - 1 - atLineStart);
}

void sayStopping() {
  int saved = errno;
  Terminal was = Terminal::Free;
  while (!terminal.compare_exchange_strong(was, Terminal::MessageIsWritten)) {
    if (was != Terminal::Drawn ||
        terminal.compare_exchange_strong(was, Terminal::DrawnMessageWaits)) {
      errno = saved;
      return; // who draws, or another call, writes it
    }
    was = Terminal::Free;
  }
  writeStopping();
  terminal = Terminal::Free;
  errno = saved;
}

DrawsTerminal::DrawsTerminal() {
  Terminal was = Terminal::Free;
  while (!terminal.compare_exchange_strong(was, Terminal::Drawn)) {
    was = Terminal::Free;
    sched_yield(); // a handler on another thread writes a line
  }
}

DrawsTerminal::~DrawsTerminal() {
  Terminal was = Terminal::Drawn;
  if (terminal.compare_exchange_strong(was, Terminal::Free))
    return;
  writeStopping();
  terminal = Terminal::Free;
}

static void onStop(int signal, siginfo_t *info, void *) {
  int64_t first = 0, time = now();
  bool fromParent = info->si_code == SI_USER && isParent(info->si_pid);
  if (!stoppedAt[fromParent].compare_exchange_strong(first, time)) {
    if (time - first > kOneSignalNanos)
      _exit(128 + signal);
    return;
  }
  if (signal == SIGINT && saysStop)
    sayStopping();
  if (Event *event = stopEvent.load())
    event->raise();
}

bool stopAsked() { return stoppedAt[0] != 0 || stoppedAt[1] != 0; }

/// Whether the process was started so that the signal does nothing.
static bool isIgnored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

static void handleStop(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = onStop;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

void catchSignals(Event *stop, bool says) {
  stoppedAt[0] = stoppedAt[1] = 0;
  saysStop = says;
  stopEvent = stop;
  handleStop(SIGINT);
  handleStop(SIGTERM);
  if (!isIgnored(SIGHUP))
    handleStop(SIGHUP);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
  catchPause(nullptr, nullptr);
  sigset_t all; // a child process gets none of them before this (process.h)
  sigemptyset(&all);
  for (int each : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD, SIGIO})
    sigaddset(&all, each);
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
}

/// They raise nothing from now on. A program that has come to its end is not ended by the first
/// one: a PE may be told to end when it has done so by itself.
void releaseSignals() { stopEvent = nullptr; }

static std::atomic<std::atomic<bool> *> pauseFlag;
static std::atomic<Event *> pauseEvent;

static void onPause(int signal) {
  if (std::atomic<bool> *paused = pauseFlag.load())
    paused->store(signal == SIGUSR1);
  if (Event *changed = pauseEvent.load())
    changed->raise();
}

void catchPause(std::atomic<bool> *paused, Event *changed) {
  pauseFlag = paused;
  pauseEvent = changed;
  handle(SIGUSR1, paused ? onPause : SIG_IGN);
  handle(SIGUSR2, paused ? onPause : SIG_IGN);
}

static std::atomic<Event *> askEvent;

static void onAsk(int) {
  if (Event *asked = askEvent.load())
    asked->raise();
}

void catchAsk(Event *asked) {
  askEvent = asked;
  handle(kAskSignal, asked ? onAsk : SIG_DFL);
}

static std::atomic<Event *> lookEvent;

static void onLook(int) {
  if (Event *asked = lookEvent.load())
    asked->raise();
}

void catchLook(Event *asked) {
  lookEvent = asked;
  handle(kLookSignal, asked ? onLook : SIG_DFL);
}

static const char *faultMessage = "";
static thread_local const char *foreign = nullptr;

const char *exchangeForeign(const char *name) { return std::exchange(foreign, name); }

static void onFault(int signal) { // only calls that are safe in a handler
  auto say = [](std::initializer_list<const char *> texts) {
    for (const char *text : texts) [[maybe_unused]]
      ssize_t n = write(2, text, strlen(text));
  };
  if (!foreign) {
    static std::atomic<bool> told; // of a fault: what is said of it may fault as well
    if (!told.exchange(true)) {
      say({faultMessage, sigdescr_np(signal), ", at\n"});
      writeBacktrace(2);
    }
    _exit(70);
  }
  say({"sluice: error: ", foreign, ", C++ of a toolkit, crashed: ", sigdescr_np(signal), "\n"});
  _exit(1);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLUICE_SANITIZED 1 // sanitizers report faults better
#endif
#endif

void catchFaults(const char *message) {
  faultMessage = message;
  catchFaults(onFault);
}

void catchFaults(void (*handler)(int)) {
#ifdef SLUICE_SANITIZED
  return;
#endif
  useFaultStack();
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK | SA_NODEFER; // a fault in the handler reaches it as well
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

void useFaultStack() {
  // Sanitizers install an alternate stack of their own in every thread.
  static thread_local std::unique_ptr<char[]> memory;
  constexpr size_t bytes = 64 * 1024;
  stack_t current;
  if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE))
    return;
  memory.reset(new char[bytes]);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = bytes;
  sigaltstack(&stack, nullptr);
}

} // namespace sluice::os
