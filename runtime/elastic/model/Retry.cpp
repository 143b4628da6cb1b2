//===- Retry.cpp - what is measured a second time --------------------------===//
#include "runtime/elastic/model/Retry.h"
#include <algorithm>

namespace sluice::elastic {

Retry::Doubt Retry::doubt(const Ledger &ledger, const Configuration &set, double rate,
                          const Timing &timing, double now, double end) {
  constexpr double muchMore = 0.3; // a share that the model must promise beyond what `set` has
  constexpr double pause = 2 * doubtInterval;
  const Ledger::Entry *e = settledOnce ? nullptr : ledger.refuted(set, muchMore);
  if (!e || now + 4 * std::max(timing.turn(rate), timing.turn(e->predicted)) + pause > end)
    return {};
  if (doubtEnds < 0)
    doubtEnds = now + pause;
  if (now < doubtEnds)
    return {e, true};
  doubtEnds = -1;
  return {e, false};
}

void Retry::settled(const Ledger &ledger, const Configuration &set, double gain, double now) {
  if (onTrial && settledOnce)
    delay = std::min(longestDelay, 2 * delay);
  onTrial = false;
  settledOnce = true;
  const Ledger::Entry *other = ledger.promising(set, 2 * gain);
  later = other ? std::optional(Trial{other->configuration, now + delay}) : std::nullopt;
}

void Retry::soon(const Configuration &configuration, double now) {
  if (!later)
    later = Trial{configuration, now};
}

const Configuration *Retry::due(double now) const {
  return later && now >= later->at ? &later->configuration : nullptr;
}

} // namespace sluice::elastic
