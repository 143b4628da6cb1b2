//===- Sent.h - what became of a batch that was given away -------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

/// Where a batch is after it was given to consumers.
enum class BatchFate : uint8_t {
  Mine,      // still the giver's, and nobody else has it
  Forwarded, // its segment, the only consumer, has forwarded it in place
  Queued     // somebody has kept it: a ring, a DropQueue, a ticket, a back edge
};

/// What giving a batch away came to. Each function that gives one returns it.
struct [[nodiscard]] Sent {
  int32_t status = 0; // below 0: the program is failing, which was reported
  BatchFate fate = BatchFate::Mine;

  bool isMine() const { return fate == BatchFate::Mine; }
};

} // namespace sluice
