//===- Confirmations.cpp - which messages Kafka has -----------------------===//
#include "toolkits/kafka/operators/KafkaProducer/Confirmations.h"

namespace sluice::kafka {

void *Confirmations::sent() {
  os::Held held(lock);
  ++sets.back();
  return reinterpret_cast<void *>(oldest + sets.size() - 1);
}

/// With the lock. A set stays until those before it are empty.
void Confirmations::dropEmpty() {
  for (; sets.size() > 1 && !sets.front(); ++oldest)
    sets.pop_front();
}

void Confirmations::heard(void *mark) {
  os::Held held(lock);
  --sets[setOf(mark) - oldest];
  all.fetch_add(1, std::memory_order_relaxed); // as heardOf() says
  dropEmpty();
}

void Confirmations::failed(const char *topic, const char *why) {
  os::Held held(lock);
  if (first.empty())
    first = std::string(topic) + ": " + why;
  failures.fetch_add(1, std::memory_order_release); // pairs with hasFailed()
}

uint64_t Confirmations::cut() {
  os::Held held(lock);
  sets.push_back(0);
  uint64_t ended = oldest + sets.size() - 2;
  dropEmpty();
  return ended;
}

uint64_t Confirmations::leftUpTo(uint64_t set) const {
  os::Held held(lock);
  uint64_t left = 0;
  for (size_t i = 0; i < sets.size() && oldest + i <= set; ++i)
    left += sets[i];
  return left;
}

std::string Confirmations::failure() const {
  os::Held held(lock);
  uint64_t count = failures.load(std::memory_order_relaxed); // under the lock
  return "Kafka did not take " +
         (count == 1 ? "a message" : std::to_string(count) + " messages, the first") +
         " for the topic " + first;
}

} // namespace sluice::kafka
