//===- process.cpp - child processes --------------------------------------===//
#include "runtime/base/process.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/os.h"
#include "support/ProcessLimit.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::os {

const int kEndSignal = SIGTERM, kInterrupt = SIGINT, kAskSignal = SIGURG, kLookSignal = SIGWINCH,
          kKillSignal = SIGKILL;

bool endsPrograms(int signal) { return signal != SIGUSR1 && signal != SIGUSR2; }

static sigset_t parentSet() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGUSR2, SIGIO})
    sigaddset(&set, signal);
  return set;
}

int makePrivateDirectory(std::string &name) { return mkdtemp(name.data()) ? 0 : -errno; }

/// What a link of /proc leads to, or a file of it holds: its beginning.
static std::string_view contentOf(const char *path, std::span<char> text) {
  ssize_t size = readlink(path, text.data(), text.size());
  if (size < 0)
    if (int fd = openFile(path, Open::Read); fd >= 0) {
      size = readFile(fd, text.data(), text.size());
      closeFile(fd);
    }
  return {text.data(), size_t(std::max<ssize_t>(size, 0))};
}

static constexpr const char *kBoot = "/proc/sys/kernel/random/boot_id";

/// A number made of what they hold; not 0.
static uint64_t numberOf(std::initializer_list<const char *> paths) {
  Digest digest;
  char text[256];
  for (const char *path : paths)
    digest.add(contentOf(path, text));
  return std::max<uint64_t>(digest.value(), 1);
}

uint64_t memoryDomain() {
  return numberOf({kBoot, "/proc/self/ns/net", "/proc/self/ns/ipc", "/proc/self/ns/pid"}) ^
         uint64_t(geteuid()) << 32;
}

uint64_t bootNumber() { return numberOf({kBoot}); }

void *mapShared(size_t bytes) {
  void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

void unmapShared(void *p, size_t bytes) { munmap(p, bytes); }

uint64_t secretBits() {
  uint64_t bits;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    ;
  return bits;
}

int readPrivateFile(const std::string &path, std::string &text) {
  int fd = openFile(path.c_str(), Open::Read);
  if (fd < 0)
    return fd;
  struct stat file;
  int result = fstat(fd, &file) ? -errno : 0;
  if (!result && (file.st_uid != geteuid() || file.st_mode & 077))
    result = kNotPrivate;
  char bytes[4096];
  for (int64_t n; !result && (n = readFile(fd, bytes, sizeof bytes)) != 0;)
    if (n < 0)
      result = int(n);
    else
      text.append(bytes, size_t(n));
  closeFile(fd);
  return result;
}

int makePrivateFile(const std::string &path, const std::string &text) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return -errno;
  int result = writeFile(fd, text.data(), text.size());
  closeFile(fd);
  return result;
}

std::string whyNotStarted(int error) { return error == EAGAIN ? kProcessLimit : errorText(error); }

static int parent = 0; // of a child

int forkProcess() {
  int self = getpid(), process = fork();
  if (process < 0)
    return -errno;
  if (process)
    return process;
  parent = self;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (isOrphan()) // it has ended already
    raise(SIGTERM);
  return 0;
}

void nameProcess(const std::string &name) { prctl(PR_SET_NAME, name.c_str()); }

bool isParent(int process) { return process == parent && parent; }

bool isOrphan() { return getppid() != parent; }

void signalProcess(int process, int signal) { kill(process, signal); }

int processNumber() { return getpid(); }

int startProcess(const std::vector<std::string> &words, int &output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return -errno;
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  pid_t process = 0;
  int error = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (!error) {
    output = ends[0];
    return process;
  }
  close(ends[0]);
  return -error;
}

uint64_t residentMemory() {
  char text[128];
  std::string_view content = contentOf("/proc/self/statm", text);
  size_t blank = content.find(' ');
  if (blank == content.npos)
    return 0;
  return strtoull(content.data() + blank, nullptr, 10) * uint64_t(sysconf(_SC_PAGESIZE));
}

std::string executablePath() {
  char path[4096];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, size_t(size)) : "";
}

void askParentToEnd() {
  if (!isOrphan())
    kill(parent, kEndSignal);
}

std::string signalText(int signal) { return strsignal(signal); }

ParentSignals::ParentSignals() {
  for (int each : {SIGINT, SIGTERM, SIGCHLD}) // what is ignored does not come
    signal(each, SIG_DFL);
  sigset_t set = parentSet();
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

ParentSignals::~ParentSignals() {
  signal(SIGIO, SIG_IGN); // one may wait
  sigset_t set = parentSet();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

/// The ends of children that have not been looked at. One signal may stand for several. Those that
/// were killed come first: others may have failed because they had gone.
static std::vector<ChildEnd> endedChildren() {
  std::vector<ChildEnd> ended;
  int status;
  for (int process; (process = waitpid(-1, &status, WNOHANG)) > 0;)
    ended.push_back({process, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                     WIFSIGNALED(status) ? WTERMSIG(status) : 0});
  std::ranges::stable_partition(ended, [](const ChildEnd &end) { return end.signal != 0; });
  return ended;
}

void ParentSignals::wakeOn(int file) {
  f_owner_ex owner = {F_OWNER_TID, gettid()}; // the only thread that waits for it
  fcntl(file, F_SETOWN_EX, &owner);
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_ASYNC);
}

ParentSignals::Event ParentSignals::await() {
  sigset_t set = parentSet();
  siginfo_t info;
  int signal = sigwaitinfo(&set, &info);
  if (signal == SIGIO)
    return {};
  if (signal < 0 || signal == SIGCHLD)
    return {0, 0, false, endedChildren()};
  // Ctrl-C goes to the whole foreground process group, and so does the end of a terminal.
  return {signal, info.si_code == SI_USER ? info.si_pid : 0, info.si_code == SI_KERNEL, {}};
}

} // namespace sluice::os
