//===- Held.cpp - batches and tuples that wait at a held port -------------===//
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/state/Source.h"

namespace sluice {

void wakeSenders(const HeldPort &port) {
  for (Source *s : port.senders)
    if (s->waits)
      s->room->raise();
}

} // namespace sluice
