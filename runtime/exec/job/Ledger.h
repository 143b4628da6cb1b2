//===- Ledger.h - what outlives the PEs of a job ----------------*- C++ -*-===//
//
// Memory that the launcher and all PEs share. What a PE has written there is there when it is
// started again. Each number has a line of its own and one writer.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/resume.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// What a job consists of.
struct JobSize {
  uint32_t pes = 0, operators = 0;
  std::vector<bool> staysDown; // by PE: it is never started again (config restartable). One entry
                               // where there are none
  uint64_t program = 0;        // its structure
};

class Ledger {
public:
  explicit Ledger(JobSize);
  ~Ledger();
  Ledger(const Ledger &) = delete;
  /// False: the system has no memory for it.
  explicit operator bool() const { return lines; }

  /// By the launcher: the PE has ended well.
  void setEnded(uint32_t pe) { ended(pe).note(0); }
  bool hasEnded(uint32_t pe) const { return ended(pe).position().has_value(); }
  /// By the PE of the operator.
  ResumePoint point(uint32_t op) const { return ResumePoint(&lines[size.pes + op].value); }

private:
  struct alignas(64) Line {
    std::atomic<uint64_t> value;
  };
  ResumePoint ended(uint32_t pe) const { return ResumePoint(&lines[pe].value); }

  const JobSize size;
  size_t bytes;
  Line *lines; // null: there is no memory
};

} // namespace sluice
