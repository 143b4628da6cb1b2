//===- Confirmations.h - which messages Kafka has ---------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "toolkits/kafka/native/Library.h"
#include <atomic>
#include <deque>
#include <string>

namespace sluice::kafka {

/// Counts messages that were sent and not confirmed, in sets: those before each cut. Any thread.
class Confirmations {
public:
  /// A message is about to be sent. What goes with it.
  void *sent();
  /// librdkafka has heard of it: Kafka has it, or will never take it.
  void heard(void *mark);
  /// Kafka does not take a message. Before heard().
  void failed(const char *topic, const char *why);
  /// Its set.
  static uint64_t setOf(void *mark) { return reinterpret_cast<uint64_t>(mark); }
  /// What is sent from now on is in another set. The number of the set that ends so, which is new.
  uint64_t cut();
  /// How many messages of this set and those before are not confirmed; of all.
  uint64_t leftUpTo(uint64_t set) const;
  uint64_t left() const { return leftUpTo(UINT64_MAX); }
  /// How many were heard of so far. relaxed: it is only compared with itself.
  uint64_t heardOf() const { return all.load(std::memory_order_relaxed); }
  /// A failure has been heard of. acquire: pairs with failed().
  bool hasFailed() const { return failures.load(std::memory_order_acquire) != 0; }
  /// What is wrong with the first message that Kafka has not taken, and how many there are.
  std::string failure() const;

private:
  void dropEmpty();

  mutable os::Lock lock; // guards `sets`, `oldest` and `first`
  std::deque<uint64_t> sets{0};
  uint64_t oldest = 1; // the number of the first one
  std::atomic<uint64_t> failures{0}, all{0};
  std::string first;
};

} // namespace sluice::kafka
