//===- Outcomes.h - what the output of a KafkaProducer tells ----*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "stdlib/native/Params.h"
#include "toolkits/kafka/operators/KafkaProducer/Confirmations.h"
#include <deque>
#include <vector>

namespace sluice::kafka {

/// Keeps tuples until it is known whether Kafka has taken their messages, and submits what has
/// become of them, in their order. By the thread of the operator, but for refused().
class Outcomes {
public:
  explicit Outcomes(ParamOp &op) : op(op) {}
  /// From the output and the parameter outputErrorsOnly. Handler return values.
  int32_t open();
  /// Kafka has not taken a message of a tuple, whose messages are this set. Any thread.
  void refused(uint64_t set, const char *topic, const char *error, const char *why);
  /// All messages of a tuple are on their way.
  void keep(uint64_t set, const void *tuple);
  /// Submits those of which all is known. Handler return values.
  int32_t submit(const Confirmations &);

private:
  struct Kept {
    uint64_t set;
    std::vector<char> tuple; // as saved
  };
  struct Refusal {
    uint64_t set;
    std::string topic, error, why;
  };

  std::vector<Refusal> refusalsOf(uint64_t set);
  int32_t submit(const Kept &, const std::vector<Refusal> &);

  ParamOp &op;
  const Field *tuple = nullptr, *description = nullptr;
  bool errorsOnly = true;
  std::deque<Kept> kept;
  std::vector<uint64_t> row; // the output tuple

  os::Lock lock; // guards `refusals`
  std::vector<Refusal> refusals;
};

} // namespace sluice::kafka
