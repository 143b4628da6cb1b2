//===- KeyJoin.h - the parts of a ticket become one output -------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Tickets.h"

namespace sluice {

/// Joins what all parts of the ticket have put out, in the order of the rows of the input, up to
/// one that failed; takes that failure along. The ticket is empty afterwards. Returns null if there
/// is nothing. By the thread that ends the ticket.
Kept *joinParts(Thread &, KeyShards &, KeyTicket &);

} // namespace sluice
