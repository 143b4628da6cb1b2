//===- Confirmations.h - which messages Kafka has ---------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "toolkits/kafka/native/Library.h"
#include <atomic>
#include <string>

namespace sluice::kafka {

/// Counts messages that were sent and not confirmed, in two sets: those before the last checkpoint,
/// and those behind it. Any thread.
class Confirmations {
public:
  /// A message is about to be sent. What goes with it.
  void *sent();
  /// It was not sent after all.
  void unsent(void *mark) { left[setOf(mark)].fetch_sub(1, std::memory_order_relaxed); }
  /// librdkafka has heard of it.
  void heard(const Library &, const rd_kafka_message_t &);
  /// What is sent from now on is in the other set. Only when that is empty.
  void turn() { current ^= 1; }
  /// How many of the set before the last turn are not confirmed; of both. acquire: pairs with
  /// heard(), so that a failure is seen with the last of them.
  int64_t leftBefore() const { return left[current ^ 1].load(std::memory_order_acquire); }
  int64_t leftOfAll() const {
    return left[0].load(std::memory_order_acquire) + left[1].load(std::memory_order_acquire);
  }
  /// A failure has been heard of. acquire: pairs with heard().
  bool hasFailed() const { return failures.load(std::memory_order_acquire) != 0; }
  /// What is wrong with the first message that Kafka has not taken, and how many there are.
  std::string failure() const;

private:
  static uint32_t setOf(void *mark) { return mark ? 1 : 0; }

  uint32_t current = 0; // by the operator's thread, and by who saves, while that stands still
  std::atomic<int64_t> left[2] = {0, 0};
  std::atomic<uint64_t> failures{0};
  mutable os::Lock lock; // guards `first`
  std::string first;
};

} // namespace sluice::kafka
