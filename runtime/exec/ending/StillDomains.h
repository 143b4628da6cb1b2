//===- StillDomains.h - domains that no other thread is inside ----*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Program.h"
#include <vector>

namespace sluice {

/// For the thread that ends the program without memory: the domains that it may look at. It keeps
/// them, so that no other thread enters them any more.
class StillDomains {
public:
  /// `self`: the thread, or null if it runs none of the program.
  StillDomains(Program &p, const Thread *self);
  /// Waits until all domains are still, for half a second at most.
  void await();
  bool has(const Domain &d) const { return p.scheduler ? still[d.number] : self != nullptr; }

private:
  bool isIn(const Thread &, const Domain &) const;
  bool isHeld(const Domain &) const;
  bool take(Domain &) const;
  const Domain *caller(const Domain &) const;

  Program &p;
  const Thread *self;
  std::vector<bool> still; // by number of the domain
};

} // namespace sluice
