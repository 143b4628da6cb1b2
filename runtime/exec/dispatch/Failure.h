//===- Failure.h - what failed first is what is reported --------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Failure.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace sluice {

struct Thread;

/// Records a failure of an operator, with the text of the last sl_error, as the thread's pending
/// failure and stops the sources. Returns -1. A caught failure is only traced: returns 0.
int32_t fail(Thread &, uint32_t op, int32_t site, bool caught);
/// Records and reports a failure that was kept until the turn of its ticket. Forwards `ports`
/// first: what they hold was submitted before the failure.
void failNow(Thread &, Failure, const std::vector<uint32_t> &ports = {});
/// The end of a segment after a failure: `forwards()` forwards what was submitted before, then the
/// failure is reported, unless one that came of that was. -1, or 0 if nothing has failed.
int32_t unwind(Thread &, const std::function<void()> &forwards);
/// Turns the return value of a handler that the runtime called into 0 or -1. A failure is
/// recorded, and the operator's output ports are forwarded.
int32_t settle(Thread &, uint32_t op, int32_t result);
/// What follows must happen in the order of tickets: waits for the turn. False: an earlier ticket
/// has failed, it is not to happen at all. True at once if the thread runs no ticket.
bool takeTurn(Thread &);

} // namespace sluice
