//===- Confirmations.cpp - which messages Kafka has -----------------------===//
#include "toolkits/kafka/operators/KafkaProducer/Confirmations.h"
#include <mutex>

namespace sluice::kafka {

void *Confirmations::sent() {
  left[current].fetch_add(1, std::memory_order_relaxed);
  return current ? this : nullptr;
}

void Confirmations::heard(const Library &lib, const rd_kafka_message_t &message) {
  if (message.err) {
    std::lock_guard guard(lock);
    if (first.empty())
      first = std::string(lib.rd_kafka_topic_name(message.rkt)) + ": " +
              lib.rd_kafka_err2str(message.err);
    failures.fetch_add(1, std::memory_order_release); // pairs with hasFailed()
  }
  left[setOf(message._private)].fetch_sub(1, std::memory_order_release); // pairs with leftBefore()
}

std::string Confirmations::failure() const {
  std::lock_guard guard(lock);
  uint64_t count = failures.load(std::memory_order_relaxed); // under the lock
  return "Kafka did not take " +
         (count == 1 ? "a message" : std::to_string(count) + " messages, the first") +
         " for the topic " + first;
}

} // namespace sluice::kafka
