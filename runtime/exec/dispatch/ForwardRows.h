//===- ForwardRows.h - submits the rows of a frame ---------------*- C++ -*-===//
#pragma once
#include "runtime/remote/frame/Schema.h"
#include "sluice/abi.h"

namespace sluice {

/// Copies the rows and the punctuation of a batch of these columns into the batches of an output
/// port, and forwards them: as many at once as the port forwards. By the source that fills the
/// port. `port`: its id. Handler return values.
int32_t forwardRows(Ctx *, uint32_t port, const remote::Schema &, const Batch &from);

} // namespace sluice
