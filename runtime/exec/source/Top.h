//===- Top.h - a source between two forwards --------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

struct Source;

/// A source, outside all segments, has forwarded `rows` rows of an output port: others get a turn
/// if one is due. 0; or -1: who has filled the port is to stop.
int32_t atTop(Source &, uint32_t port, uint64_t rows);
/// Where sources take turns: others get a turn if one is due.
void yieldTurn(Source &, uint64_t rows);
/// Where sources take turns, by the holder of the baton: ends the daemons if all else has ended.
void endDaemons(Program &);

} // namespace sluice
