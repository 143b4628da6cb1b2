//===- stop.h - whether a signal has asked for the end ------------*- C++ -*-===//
#pragma once

namespace sluice::os {

/// Whether one of the signals of catchSignals() has come. Its handler may write to standard error.
bool stopAsked();

/// While it lives, the message of ctrl-C waits: it would come between the commands to a terminal
/// and the lines they are about. One thread at a time has one.
class DrawsTerminal {
public:
  DrawsTerminal();
  ~DrawsTerminal();
  DrawsTerminal(const DrawsTerminal &) = delete;
};

/// Says that so many lines stand below all else on standard error, a terminal, with the cursor
/// behind them.
void setLinesBelow(unsigned lines);
/// Moves the cursor to where they begin, and clears the terminal from there on. sayStopping() does
/// it before its message: lines are cleared once.
/// Returns whether there were any.
bool clearLinesBelow();

} // namespace sluice::os
