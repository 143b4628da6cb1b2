//===- Failure.h - what failed first is what is reported ---------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

struct Program;
struct Thread;

/// The failure of an operator.
struct Failure {
  uint32_t op;  // id of the operator
  int32_t site; // index of the failure site, plus 1; 0: the operator itself
  std::string message;
};

/// Records a failure of an operator, with the text of the last sl_error, as the thread's pending
/// failure and stops the sources. Returns -1. A caught failure is only traced: returns 0.
int32_t fail(Thread &, uint32_t op, int32_t site, bool caught);

/// Records and reports a failure that was kept until the turn of its ticket. Forwards `ports`
/// first: what they hold was submitted before the failure.
void failNow(Thread &, Failure, const std::vector<uint32_t> &ports = {});

/// Makes a failure the pending one of the thread, and stops the sources.
void record(Thread &, Failure);

/// Prints an error as a failure of the operator.
void printError(Program &, const Failure &);
/// Prints a warning of the operator; `remark` ends the line.
void printWarning(Program &, const Failure &, const char *remark = "");

/// The line of a warning of the operator, which is called `name` there.
std::string warningOf(const Program &, const Failure &, const char *name);

/// Ends the program because of an operator, by a thread that is not inside it.
void failOutside(Program &, const Failure &);

/// Prints the pending failure of the thread unless the program has reported one before.
void reportPending(Thread &);

/// Turns the return value of a handler that the runtime called into 0 or -1. A failure is
/// recorded, and the operator's output ports are forwarded.
int32_t settle(Thread &, uint32_t op, int32_t result);

/// What follows must happen in the order of tickets: waits for the turn. False: an earlier ticket
/// has failed, it is not to happen at all. True at once if the thread runs no ticket.
bool takeTurn(Thread &);

} // namespace sluice
