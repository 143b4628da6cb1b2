//===- KeyTicket.h - a ticket whose rows are sharded by key --------*- C++ -*-===//
#pragma once
#include "runtime/exec/program/Failure.h"
#include "sluice/abi.h"
#include <optional>
#include <vector>

namespace sluice {

struct KeyShards;
struct Kept;

/// What one shard does of a ticket. By the thread that has taken the ticket, then by the one that
/// has the turn of the shard, then by the one that ends the ticket.
struct KeyPart {
  /// What the shard has put out on one output port.
  struct Out {
    std::vector<uint32_t> rows;   // for each row of output: the row of the input that it is of
    std::vector<Batch *> batches; // the output, but for what the port still fills
    uint32_t kept = 0;            // rows in `batches`
  };
  std::vector<uint32_t> rows; // of the input
  std::vector<Out> outs;      // by position in Domain::outPorts
  std::optional<Failure> failure;
  uint32_t failedAt = 0; // row of the input, if one has failed
  bool alone = false;    // a single row without a ticket: its thread forwards what it puts out
};

struct KeyTicket {
  Batch *batch = nullptr;     // the input
  std::vector<KeyPart> parts; // by shard
};

/// Joins what all parts of the ticket have put out, in the order of the rows of the input, up to
/// one that failed; takes that failure along. The ticket is empty afterwards. Returns null if there
/// is nothing. By the thread that ends the ticket.
Kept *joinParts(Thread &, KeyShards &, KeyTicket &);

} // namespace sluice
