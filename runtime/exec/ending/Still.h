//===- Still.h - threads that stand still -----------------------*- C++ -*-===//
#pragma once

namespace sluice {

struct Thread;

/// By who is about to call endInside(), which one thread does: another one stays here for ever, and
/// the same one ends the process. `self`: what the calling thread runs, or null.
void claimEnd(Thread *self);
/// A thread waits in the middle of a segment for what another thread does. Once the program ends so
/// endStill() does not return.
void beginStill(Thread &);
void endStill(Thread &);
/// By a thread that is Trouble::still and about to forward, or to call a native operator. If
/// another thread ends the program without it this does not return: sinks may be closed.
void stayIfEnded();

} // namespace sluice
