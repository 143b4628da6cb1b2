//===- Failures.h - failures become messages --------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Failure.h"
#include <string>

namespace sluice {

struct Program;
struct Thread;

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

} // namespace sluice
