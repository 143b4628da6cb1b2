//===- Loops.h - domains that lead to each other ----------------*- C++ -*-===//
//
// A feedback loop closes when the final punctuation of every stream from outside has come and no
// batch is in the loop any more. Until then final punctuation at its ports is held back.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/FeedbackLoop.h"
#include "runtime/queue/Port.h"
#include "runtime/queue/Sys.h"
#include <cstdint>

namespace sluice {

struct InPort;
struct Program;
struct Thread;

/// The loop of a port if a port in it delays, where sources take turns: it may hold batches when
/// everybody waits.
FeedbackLoop *delayLoopOf(const InPort &);
/// Counts a batch that is about to be pushed to a port of the loop.
void enterLoop(FeedbackLoop &);
/// A batch of the loop has run. The thread that runs the last one closes the loop, if the final
/// punctuation of every stream from outside has come.
void leaveLoop(Thread &, FeedbackLoop &);
/// Final punctuation has arrived at a port. True: the port is in a loop that is not empty, and
/// the punctuation is held back. By who is inside the domain of the port.
bool holdsFinal(Program &, uint32_t inPort);
/// True if the final punctuation is the one that leaveLoop() has sent. By the same thread.
bool isHeldFinal(Program &, uint32_t inPort);

} // namespace sluice
