//===- Delayed.h - what waits at ports that delay ----------------*- C++ -*-===//
#pragma once
#include "sluice/saved.h"
#include <cstdint>
#include <string>

namespace sluice {
struct Program;
}

namespace sluice::checkpoint {

/// Saves the batches that wait at ports of an operator, and when each came: of one that begins anew
/// only final punctuation, as its streams stay ended. While nothing leaves the ports.
void saveDelayed(Saver &, const Program &, uint32_t op);
/// Has them wait on, before threads run. What is wrong, as a sentence; empty: nothing.
std::string restoreDelayed(Program &, uint32_t op, const Loader &);

} // namespace sluice::checkpoint
