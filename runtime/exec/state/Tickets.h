//===- Tickets.h - tickets and shards of a domain ---------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Domain.h"
#include "runtime/exec/state/Failure.h"
#include "runtime/exec/state/InPort.h"
#include "sluice/abi.h"
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sluice {

/// What one shard does of a ticket. By the thread that has taken the ticket, then by the one that
/// has the turn of the shard, then by the one that ends the ticket.
struct KeyPart {
  /// How much one row of the input has put out on a port.
  struct Span {
    uint32_t row; // of the input
    uint32_t rows, puncts;
  };
  /// What the shard has put out on one output port.
  struct Out {
    std::vector<Span> spans;                 // those that are not empty, in the order of the input
    std::vector<Batch *> batches;            // the output, but for what the port still fills
    uint32_t rows = 0, puncts = 0;           // in `batches`
    uint32_t notedRows = 0, notedPuncts = 0; // in all spans
  };
  std::vector<uint32_t> rows; // of the input
  std::vector<Out> outs;      // by position in Domain::outPorts
  std::optional<Failure> failure;
  uint32_t failedAt = 0; // row of the input, if one has failed
};

struct KeyTicket {
  Batch *batch = nullptr;     // the input
  std::vector<KeyPart> parts; // by shard
};

/// One shard of the state. By the thread that has the turn of the shard.
struct KeyShard {
  struct alignas(16) Chunk {
    char bytes[16];
  };
  std::vector<Chunk> memory; // a copy of the domain's state: constants are shared with it, keyed
                             // state is the shard's own
  char *state = nullptr;     // what Ctx::state is to be
  Heap heap = {};            // for the keyed state
  ~KeyShard() { heapEmpty(heap); }
};

/// The shards of one domain.
struct KeyShards {
  KeyShards(InPort &, const KeyedDesc &);
  ~KeyShards();

  InPort &in;
  const KeyedDesc &desc;
  std::vector<KeyShard> shards;
  std::vector<std::unique_ptr<KeyTicket>> tickets; // by ticket, modulo the reorder window's size
  KeyPart alone; // of a row that runs without a ticket: the batches that it has filled
};

using Run = queue::Run<RealSys>;

/// What the run of a ticket keeps until its turn. By the thread that runs the ticket, then by the
/// one that releases it.
struct Kept {
  std::vector<std::pair<uint32_t, Batch *>> batches; // with the output ports that they leave by
  std::optional<Failure> failure;                    // that came after them, not yet recorded
};

inline InPort &inPortOf(const Run &run) { return *static_cast<InPort *>(run.port->user); }

} // namespace sluice
