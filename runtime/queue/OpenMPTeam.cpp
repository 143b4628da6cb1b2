//===- OpenMPTeam.cpp - a team that is one OpenMP parallel region ---------===//
//
// The only file that is compiled with OpenMP: by clang for LLVM's libomp, for our own processes; by
// GCC for libgomp, which becomes part of executables.
//
//===----------------------------------------------------------------------===//
#include "runtime/queue/OpenMPTeam.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <omp.h>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::queue;

/// Before OpenMP reads its settings: libgomp does in a constructor of its own, which runs after
/// this one, and libomp when the process opens its first region, which may be one of native code:
/// its threads become workers later. A setting of the user's stays.
__attribute__((constructor(101))) static void setUpEnvironment() {
  static_assert(Team::kStackBytes == size_t(64) << 20);
  setenv("OMP_STACKSIZE", "64M", /*overwrite=*/0);
  setenv("GOMP_SPINCOUNT", "0", /*overwrite=*/0);
}

#ifdef __clang__
/// Stacks of later threads; and threads that the region leaves behind sleep at once.
static void setUpLibrary() {
  kmp_set_stacksize_s(std::max(Team::kStackBytes, kmp_get_stacksize_s()));
  kmp_set_blocktime(0);
}
static void unbindThisThread() {}
/// libomp finds a second libomp in a process by shared memory that has the number of the process in
/// its name. A process that was killed leaves it behind, perhaps without content: the next one with
/// that number would get a bus error. There is no second libomp here.
static void removeSharedMemory() {
  std::string process = std::to_string(getpid()) + "_" + std::to_string(getuid());
  shm_unlink(("/__KMP_REGISTERED_LIB_" + process).c_str());
}
#else
static cpu_set_t allowed; // what the process may use, if that is known
static bool isAllowedKnown = false;

__attribute__((constructor(101))) static void noteProcessors() { // before libgomp binds a thread
  isAllowedKnown = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
}
static void setUpLibrary() {}
static void removeSharedMemory() {}
/// libgomp binds the first thread of the process when it is loaded, if OMP_PROC_BIND says so; and
/// others would inherit that.
static void unbindThisThread() {
  if (isAllowedKnown)
    sched_setaffinity(0, sizeof allowed, &allowed);
}
#endif

OpenMPTeam::~OpenMPTeam() {
  if (gate.load(std::memory_order_relaxed) == Closed) // only this thread opens it
    openGate(End);
  join(); // its threads use this object
}

uint32_t OpenMPTeam::open(uint32_t threads) {
  unbindThisThread();
  os::needThreads(threads, kStackBytes);
  removeSharedMemory();
  thread = os::Thread([=, this] { host(threads); }, kStackBytes);
  while (opened.load(std::memory_order_acquire) == 0)
    os::park(opened, 0);
  removeSharedMemory(); // our own
  return opened.load(std::memory_order_relaxed);
}

std::vector<uint32_t> queue::numberByPlace(const std::vector<int> &places) {
  std::map<int, uint32_t> seen; // how many threads a place has so far
  std::vector<std::pair<uint32_t, uint32_t>> order;
  for (uint32_t i = 0; i < places.size(); ++i)
    order.push_back({seen[places[i]]++, i});
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> numbers(places.size());
  for (uint32_t worker = 0; worker < order.size(); ++worker)
    numbers[order[worker].second] = worker;
  return numbers;
}

void OpenMPTeam::host(uint32_t threads) {
  setUpLibrary();
  omp_set_dynamic(0);
  const int size = std::min(int(threads), omp_get_thread_limit());
  std::vector<int> places(uint32_t(size), -1);
  std::vector<uint32_t> numbers;
#pragma omp parallel num_threads(size)
  {
    places[uint32_t(omp_get_thread_num())] = omp_get_place_num();
#pragma omp barrier
#pragma omp single
    {
      places.resize(uint32_t(omp_get_num_threads()));
      numbers = numberByPlace(places);
      opened.store(uint32_t(numbers.size()), std::memory_order_release);
      os::wake(opened, true);
    }
    work(numbers[uint32_t(omp_get_thread_num())]);
  }
}

void OpenMPTeam::work(uint32_t worker) {
  os::useFaultStack();
  uint32_t seen;
  while ((seen = gate.load(std::memory_order_acquire)) == Closed)
    os::park(gate, Closed);
  if (seen == Run)
    body(worker);
}

void OpenMPTeam::openGate(Gate to) {
  gate.store(to, std::memory_order_release);
  os::wake(gate, true);
}

void OpenMPTeam::run(Body what) {
  body = std::move(what);
  openGate(Run);
}

void OpenMPTeam::join() { thread.join(); }

void queue::limitOwnRegions(uint32_t threads) {
  cpu_set_t before;
  bool known = sched_getaffinity(0, sizeof before, &before) == 0;
  omp_set_num_threads(std::clamp(int(threads), 1, omp_get_max_threads()));
  // The first call of OpenMP binds the thread to a place if OMP_PROC_BIND says so.
  if (known)
    sched_setaffinity(0, sizeof before, &before);
}
