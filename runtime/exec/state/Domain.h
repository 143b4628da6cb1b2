//===- Domain.h - what one thread at a time is inside ------------*- C++ -*-===//
//
// Operators that direct boundaries connect are a domain. The domain of a source is run by the
// thread of the source. Any other domain has an ownership token (runtime/queue), and whoever owns
// that runs the domain: a worker, or a thread that calls instead of queueing.
//
// A domain whose operators keep no state may have a reorder window: several threads may then be
// inside, each with a ticket (shared/Tickets.cpp). So may a domain whose first operator has keyed
// state: each ticket then has parts (shared/KeyShards.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/memory/Heap.h"
#include "runtime/queue/OwnershipToken.h"
#include "runtime/queue/ReorderWindow.h"
#include "sluice/abi.h"
#include <algorithm>
#include <memory>
#include <vector>

namespace sluice {

struct KeyShards;
using queue::RealSys;

/// A domain is its token, so that whoever has a port of it need not look for it. All but the atomic
/// fields are set before threads run, or belong to whoever is inside.
struct alignas(64) Domain : queue::OwnershipToken<RealSys> {
  Domain();
  Domain(const Domain &) = delete;
  ~Domain();

  /// Where the output port stands in `outPorts`.
  size_t placeOf(uint32_t outPort) const {
    return size_t(std::find(outPorts.begin(), outPorts.end(), outPort) - outPorts.begin());
  }
  /// Several threads may be inside at the same time.
  bool isWide() const { return shared || byKey; }

  // A call touches the cache line of the token: these use the rest of it.
  /// An operator of the domain has failed: it takes no more input. relaxed everywhere: a hint for
  /// others; who has the token or the turn has also seen what the last one wrote.
  std::atomic<bool> failed{false};
  const Replica *replica = nullptr; // that its operators belong to

  // What follows is touched seldom.
  bool hasToken = false;  // a boundary leads to it: it is not the domain of a source
  bool ownThread = false; // one of its ports brings a worker (config threadedPort, @threading)
  bool waits = false;     // one of its operators may sleep as part of its work
  bool shared = false;    // several threads may be inside, as it keeps no state
  bool byKey = false;     // several threads may be inside, as its state is keyed
  uint32_t source = ~0u;  // id of its source operator; ~0: it has none
  uint32_t number = 0;    // index in Domains::list
  std::vector<uint32_t> outPorts; // ids of its output ports that end a segment
  std::unique_ptr<queue::ReorderWindow<RealSys>> ownReorder; // what `reorder` points to
  Heap heap = {};                                            // for the state of its operators
  std::unique_ptr<KeyShards> shards; // made when keyed state is first sharded
};

static_assert(sizeof(queue::OwnershipToken<RealSys>) == 48 && sizeof(Domain) <= 512);

/// The largest width of a domain: tickets that may be taken and not yet released.
constexpr uint32_t kWidest = 64;

} // namespace sluice
