//===- StillDomains.cpp - domains that no other thread is inside ----------===//
#include "runtime/exec/ending/StillDomains.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice {

static constexpr int64_t kPatience = 500'000'000; // ns
/// The owner of the tokens that this thread takes; threads of the program have small ids.
static constexpr uint32_t kOwner = ~0u;

StillDomains::StillDomains(Program &p, const Thread *self)
    : p(p), self(self), still(p.domains.list.size()) {}

/// `t` is this thread, or still: nothing of it changes.
bool StillDomains::isIn(const Thread &t, const Domain &d) const {
  if (d.source != ~0u)
    return t.isSource && static_cast<const Source &>(t).op == d.source;
  return t.self && d.isOwnedBy(t.self->id);
}

/// This thread, or one that stands still, is inside.
bool StillDomains::isHeld(const Domain &d) const {
  // seq_cst: pairs with endStill().
  auto holds = [&](auto &t) {
    return (t.get() == self || t->still.load(std::memory_order_seq_cst)) && isIn(*t, d);
  };
  return std::any_of(p.sources.begin(), p.sources.end(), holds) ||
         std::any_of(p.workers.begin(), p.workers.end(), holds);
}

/// The domain whose thread enters this one without its token (Port::sole), or null.
const Domain *StillDomains::caller(const Domain &d) const {
  if (!d.ports || !d.ports->sole)
    return nullptr;
  uint32_t id = static_cast<const InPort *>(d.ports->user)->id;
  for (uint32_t out = 0; out < p.desc.outPortCount; ++out) {
    const OutPortDesc &port = p.desc.outPorts[out];
    if (std::find(port.consumers, port.consumers + port.consumerCount, id) !=
        port.consumers + port.consumerCount)
      return p.domains.ofOperator[port.op];
  }
  return nullptr;
}

/// Takes the token of a domain that has no owner, for good.
bool StillDomains::take(Domain &d) const {
  if (d.isOwnedBy(kOwner) || isHeld(d))
    return true;
  if (d.source != ~0u) {
    auto it = std::find_if(p.sources.begin(), p.sources.end(),
                           [&](auto &s) { return s->op == d.source; });
    return it == p.sources.end() || (*it)->ended;
  }
  const Domain *from = caller(d);
  return (!from || still[from->number]) && d.win(kOwner);
}

void StillDomains::await() {
  if (!p.scheduler)
    return; // the holder of the baton is the only thread inside the graph
  os::Event never;
  for (int64_t end = os::now() + kPatience;;) {
    for (auto &d : p.domains.list)
      if (!still[d->number])
        still[d->number] = take(*d) && (!d->reorder || d->reorder->idle());
    if (std::find(still.begin(), still.end(), false) == still.end() || os::now() > end)
      return;
    never.sleep(100'000);
  }
}

} // namespace sluice
