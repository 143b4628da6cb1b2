//===- Ledger.h - what outlives the PEs of a job ----------------*- C++ -*-===//
//
// Memory that the launcher and all PEs share. What a PE has written there is there when it is
// started again. Each number has a line of its own and one writer.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sluice {

/// How much of everything a job has.
struct JobSize {
  uint32_t pes = 0, operators = 0;
};

class Ledger {
public:
  explicit Ledger(JobSize);
  ~Ledger();
  Ledger(const Ledger &) = delete;
  /// False: the system has no memory for it.
  explicit operator bool() const { return lines; }

  /// By the launcher: the PE has ended well.
  void setEnded(uint32_t pe) { set(pe, 0); }
  bool hasEnded(uint32_t pe) const { return get(pe).has_value(); }
  /// By the PE of the operator: where it is to go on.
  void setPosition(uint32_t op, uint64_t position) { set(size.pes + op, position); }
  std::optional<uint64_t> position(uint32_t op) const { return get(size.pes + op); }

private:
  struct alignas(64) Line {
    std::atomic<uint64_t> value; // plus 1; 0: there is none
  };
  // seq_cst: what was written before, to a file or by another process, is seen by who reads it.
  void set(uint32_t line, uint64_t value) { lines[line].value = value + 1; }
  std::optional<uint64_t> get(uint32_t line) const {
    uint64_t value = lines[line].value;
    return value ? std::optional(value - 1) : std::nullopt;
  }

  const JobSize size;
  size_t bytes;
  Line *lines; // null: there is no memory
};

} // namespace sluice
