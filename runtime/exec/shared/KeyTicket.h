//===- KeyTicket.h - a ticket whose rows are sharded by key --------*- C++ -*-===//
#pragma once
#include "runtime/exec/program/Failure.h"
#include "sluice/abi.h"
#include <optional>
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

} // namespace sluice
