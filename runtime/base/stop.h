//===- stop.h - whether a signal has asked for the end ------------*- C++ -*-===//
#pragma once

namespace sluice::os {

/// Whether one of the signals of catchSignals() has come. Its handler may write to standard error.
bool stopAsked();

} // namespace sluice::os
