//===- Tickets.h - tickets and shards of a domain ---------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Domain.h"
#include "runtime/exec/state/Failure.h"
#include "runtime/exec/state/InPort.h"
#include "runtime/memory/Memory.h"
#include "sluice/abi.h"
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sluice {

/// The most shards that keyed state has.
constexpr uint32_t kMostShards = 32;

/// What one shard does of a ticket. By the thread that has taken the ticket, then by the one that
/// has the turn of the shard, then by the one that ends the ticket.
struct KeyPart {
  /// A batch that the shard has put out.
  struct Filled {
    Batch *batch;
    uint32_t ran; // rows of the part that had run when it was forwarded
  };
  /// What the shard has put out on one output port.
  struct Out {
    std::vector<Filled> filled;   // in order
    bool isEven = true;           // a row without payload for each row of the part, in one batch
    std::vector<uint32_t> counts; // else: rows and punctuation, by row of the part
  };
  std::span<const uint16_t> rows; // of the input
  // By row of the part and output port: what KeyedRowsFn says, kNotMade for a row that has not run
  // to its end.
  std::vector<uint16_t> made;
  std::vector<Out> outs; // by position in Domain::outPorts
  std::optional<Failure> failure;
  uint32_t failedAt = 0; // row of the input, if one has failed
};

constexpr uint16_t kNotMade = ~0;

struct KeyTicket {
  Batch *batch = nullptr;     // the input
  uint8_t shards[kBatchRows]; // by row of it
  uint16_t rows[kBatchRows];  // of it, shard by shard
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
  Batch *rows = nullptr;     // those of the part that runs, one behind the other, not their payload
  KeyShard() = default;
  KeyShard(const KeyShard &) = delete;
  ~KeyShard() {
    heapEmpty(heap);
    giveMemory(rows);
  }
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
