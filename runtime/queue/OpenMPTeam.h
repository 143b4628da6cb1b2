//===- OpenMPTeam.h - a team that is one OpenMP parallel region -*- C++ -*-===//
//
// A host thread opens one parallel region; its threads, the host included, are the workers. So
// OMP_PLACES, OMP_PROC_BIND and OMP_THREAD_LIMIT place and bound them, a region inside a worker has
// one thread, and OMPT tools see the team. Threads that wait sleep on a futex; none of them spins.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/queue/Team.h"
#include <atomic>
#include <vector>

namespace sluice::queue {

/// The worker's number of each thread of a region, given the place of each (-1: not bound). The
/// first thread of every place comes before the second of any, else in the order of threads. Spares
/// have the highest numbers: so they do not take places from workers where there are more threads
/// than places.
std::vector<uint32_t> numberByPlace(const std::vector<int> &places);

class OpenMPTeam final : public Team {
public:
  ~OpenMPTeam() override;
  uint32_t open(uint32_t threads) override;
  void run(Body) override;
  void join() override;

private:
  enum Gate : uint32_t { Closed, Run, End };
  void host(uint32_t threads);
  void work(uint32_t worker);
  void openGate(Gate);

  os::Thread thread; // the host
  Body body;         // set before the gate opens
  /// Threads of the region; 0 until it is open. Release by the host, acquire by open().
  std::atomic<uint32_t> opened{0};
  /// What the threads of the region wait for. Release by openGate(), acquire by work(): who sees
  /// Run sees `body`.
  std::atomic<uint32_t> gate{Closed};
};

} // namespace sluice::queue
