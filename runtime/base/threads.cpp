//===- threads.cpp - parking, and what the process may use ----------------===//
#include "runtime/base/os.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <linux/futex.h>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace sluice::os {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t), "a futex is the bare value");

void park(const std::atomic<uint32_t> &value, uint32_t expected) {
  syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void wake(const std::atomic<uint32_t> &value, bool all) {
  syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, all ? INT32_MAX : 1, nullptr, nullptr, 0);
}

void yieldThread() { sched_yield(); }

void waitExactly() { prctl(PR_SET_TIMERSLACK, 1); }

void endProcess(int code) { _exit(code); }

/// The lowest address of this thread's stack. One without a limit has some of it.
static uintptr_t stackEnd() {
  static constexpr uintptr_t kMost = 256 << 20;
  uintptr_t here = uintptr_t(__builtin_frame_address(0)), least = here - kMost;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return here - (64 << 10);
  void *end = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &end, &size);
  pthread_attr_destroy(&attributes);
  return std::max(uintptr_t(end), least);
}

uint64_t stackLeft() {
  thread_local const uintptr_t end = stackEnd();
  uintptr_t here = uintptr_t(__builtin_frame_address(0));
  return here > end ? here - end : 0;
}

uint32_t threadId() { return uint32_t(syscall(SYS_gettid)); }

static uint32_t affinityCpus() {
  // Machines with more than 1024 processors need a larger mask.
  for (int cpus = 1024; cpus <= 1 << 16; cpus *= 4) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count)
      return uint32_t(count);
  }
  return uint32_t(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Processors that quota/period of the control group at `path` allow, or 0 for no limit.
static double groupCpus(const std::string &path) {
  FILE *file = fopen((path + "/cpu.max").c_str(), "re");
  double quota = 0, period = 0;
  if (file) { // "max 100000" has no limit
    if (fscanf(file, "%lf %lf", &quota, &period) != 2)
      quota = 0;
    fclose(file);
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

/// Bytes that the control group at `path` may hold, or 0 for no limit.
static double groupMemory(const std::string &path) {
  FILE *file = fopen((path + "/memory.max").c_str(), "re");
  double bytes = 0;
  if (file) { // "max" is no limit
    if (fscanf(file, "%lf", &bytes) != 1)
      bytes = 0;
    fclose(file);
  }
  return bytes;
}

/// The tightest limit from the control group (version 2) of this process up to the root; 0: none.
/// `system`: the root of the file system.
static double leastOfGroups(const std::string &system, double (*limit)(const std::string &path)) {
  FILE *file = fopen((system + "/proc/self/cgroup").c_str(), "re");
  if (!file)
    return 0;
  char line[4096];
  std::string group;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, "0::", 3) == 0)
      group.assign(line + 3, strcspn(line + 3, "\n"));
  fclose(file);
  double least = 0;
  for (;;) {
    double value = limit(system + "/sys/fs/cgroup" + group);
    if (value > 0 && (least == 0 || value < least))
      least = value;
    size_t slash = group.rfind('/');
    if (slash == std::string::npos)
      return least;
    group.resize(slash);
  }
}

uint64_t usableMemory(const std::string &system) {
  uint64_t machine = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  double group = leastOfGroups(system, groupMemory);
  return group > 0 && group < double(machine) ? uint64_t(group) : machine;
}

/// Processor time from a line of /proc/stat: all but idle time and waiting for disks.
static bool addBusy(const char *line, const cpu_set_t &usable, double &ticks) {
  unsigned cpu = 0;
  unsigned long long user = 0, nice = 0, system = 0, idle = 0, disk = 0, irq = 0, softIrq = 0,
                     stolen = 0;
  if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &user, &nice, &system,
             &idle, &disk, &irq, &softIrq, &stolen) < 8)
    return false;
  if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &usable))
    ticks += double(user + nice + system + irq + softIrq + stolen);
  return true;
}

/// The processors that the process was allowed to use at the first call: a difference of two sums
/// needs the same processors in both.
static const cpu_set_t *usableSet() {
  static const std::optional<cpu_set_t> usable = [] {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::optional(set) : std::nullopt;
  }();
  return usable ? &*usable : nullptr;
}

static double secondsOf(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

double cpuTimeOf(uint32_t thread) {
  // The kernel's name for the clock of a thread: as pthread_getcpuclockid() makes it.
  return thread ? secondsOf(clockid_t(~thread << 3 | 6)) : 0;
}

double threadCpuTime() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

CpuTime cpuTime() {
  CpuTime time;
  time.own = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  const cpu_set_t *usable = usableSet();
  FILE *file = usable ? fopen("/proc/stat", "re") : nullptr;
  if (!file)
    return time;
  char line[512]; // the first line is the sum, then there is one for each processor
  double ticks = 0;
  bool any = false;
  if (fgets(line, sizeof line, file))
    while (fgets(line, sizeof line, file) && addBusy(line, *usable, ticks))
      any = true;
  fclose(file);
  if (any)
    time.all = ticks / double(sysconf(_SC_CLK_TCK));
  return time;
}

uint32_t usableCpus() {
  uint32_t cpus = affinityCpus();
  double quota = leastOfGroups("", groupCpus);
  return quota > 0 ? std::clamp(uint32_t(std::ceil(quota)), 1u, cpus) : cpus;
}

} // namespace sluice::os
