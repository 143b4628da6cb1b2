//===- Pace.h - how many rows a source forwards at once ----------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

struct Source;

/// The source is about to run; `now` in ns.
void beginPace(Source &, int64_t now);
/// The source, outside all segments, has forwarded `rows` rows: makes its batches larger or
/// smaller. By the source's thread.
void pace(Source &, uint64_t rows, int64_t now);

} // namespace sluice
