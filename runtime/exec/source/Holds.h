//===- Holds.h - sources that wait for held ports ---------------*- C++ -*-===//
//
// An operator that wants no more tuples at an input port for now **holds** it (sl_hold). What still
// arrives it keeps itself, so no thread waits inside an operator, and other ports of the operator
// are served as ever. The sources whose tuples come to the port wait, outside all segments, at
// their next forward.
//
// A source does not wait where nobody could let it go on: no other source that leads to another
// port of the operator runs, and no batch is in flight. Such a port holds nobody back any more.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <functional>

namespace sluice {

struct Source;

/// True if tuples of the source may come to the operator.
using Reaches = std::function<bool(const Source &, uint32_t op)>;

/// Whether tuples that an operator submits may come to another, by ids.
using Leads = std::function<bool(uint32_t from, uint32_t to)>;

/// Makes the ports that may be held, before operators are opened.
void makeHeldPorts(Program &);
/// Finds who sends to them, once there are sources.
void connectHolds(Program &, const Reaches &, const Leads &);
/// True if the source is to wait. By any thread.
bool holdsBack(const Source &);
/// True if nobody could let a waiting source go on; `quiet` says whether no batch is in flight.
bool isHopeless(const Source &, const std::function<bool()> &quiet);
/// What blocks the source holds nobody back any more.
void ignoreHolds(const Source &);

} // namespace sluice
