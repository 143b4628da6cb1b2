//===- resume.h - where operators go on ------------------------*- C++ -*-===//
//
// A process of a job that has died may be started again. With at-least-once delivery an operator
// can note up to where nothing has to be done again, so that it goes on there.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/native.h"
#include <atomic>
#include <optional>

namespace sluice {

/// A position in memory that outlives the process, of one operator.
class ResumePoint {
public:
  ResumePoint() = default;
  explicit ResumePoint(std::atomic<uint64_t> *line) : line(line) {}
  /// Whether positions are kept: else an operator that is started again begins anew.
  explicit operator bool() const { return line; }
  /// Nothing: the operator was not started before, or has noted nothing.
  std::optional<uint64_t> position() const {
    uint64_t noted = line ? line->load() : 0;
    return noted ? std::optional(noted - 1) : std::nullopt;
  }
  /// By a sink, in persist(): what it has written up to there is given to the operating system.
  void note(uint64_t position) {
    if (line)
      line->store(position + 1); // seq_cst: before what is acknowledged next
  }

private:
  std::atomic<uint64_t> *line = nullptr; // the position plus 1; 0: there is none
};

/// By a source between two tuples: all that it has submitted so far was read before this position.
/// That becomes its resume point when all of it is done.
extern "C" void sl_reached(Ctx *, const OperatorDesc *, uint64_t position);
extern "C" void sl_resume_point(Ctx *, const OperatorDesc *, ResumePoint *);

} // namespace sluice
