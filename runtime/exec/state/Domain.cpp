//===- Domain.cpp - what one thread at a time is inside ------------------===//
#include "runtime/exec/state/Domain.h"
#include "runtime/exec/state/Domains.h"
#include "runtime/exec/state/Tickets.h"

namespace sluice {

Domain::Domain() = default;

Domain::~Domain() { heapEmpty(heap); }

Domains::~Domains() { inPorts.clear(); }

} // namespace sluice
