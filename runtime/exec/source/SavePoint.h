//===- SavePoint.h - sources that stay where they are ------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

struct Program;
struct Source;
struct Thread;

/// Whether checkpoints are made while the source stays at its save points.
bool hasSavePoints(const Source &);
/// Has the source come to its next save point.
void askForSavePoint(Source &);
/// Whether a thread that is about to wait is a source at a save point.
bool isAtSavePoint(const Thread &);
/// For tests (--checkpoint-stop), by a source that comes to a save point: at the last one it waits
/// until it is to stay.
void countPoint(Source &);
/// The source does nothing until endStay(). It has forwarded all that it had.
void beginStay(Source &);
/// Before a source goes on: waits for room where it did at the checkpoint from which the program
/// goes on. True: the program ends with another one.
bool resumeWait(Source &);
/// Stays on while a checkpoint is made. True: the program ends with that.
bool endStay(Source &);

} // namespace sluice
