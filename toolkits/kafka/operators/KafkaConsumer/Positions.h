//===- Positions.h - where the partitions of a consumer are -----*- C++ -*-===//
#pragma once
#include "sluice/saved.h"
#include "toolkits/kafka/native/Library.h"
#include <map>
#include <string>

namespace sluice::kafka {

/// The offset of the next message by topic and partition. By the thread of the operator.
class Positions {
public:
  /// The message was submitted.
  void passed(const rd_kafka_message_t &, const char *topic);
  /// These partitions are the consumer's. They begin where it was, if that is known; else where the
  /// list says, a position that it knows from now on. Changes the list so.
  void take(rd_kafka_topic_partition_list_t &);
  /// Whether it knows where the partition is.
  bool knows(const rd_kafka_topic_partition_t &) const;
  /// These partitions are not the consumer's any more.
  void leave(const rd_kafka_topic_partition_list_t &);
  /// Nor will they come back with what is known of them.
  void forget(const rd_kafka_topic_partition_list_t &);
  /// All that are known are the consumer's.
  void takeAll();

  void save(Saver &) const;
  void restore(const Loader &);
  /// Those of the consumer's partitions, for librdkafka. Null: there are none.
  rd_kafka_topic_partition_list_t *list(const Library &) const;

private:
  using Key = std::pair<std::string, int32_t>;
  enum class State {
    Mine,
    Restored, // from a checkpoint, and not yet the consumer's
    Left      // was the consumer's: others may have read behind it
  };
  struct Place {
    int64_t offset = 0;
    State state = State::Mine;
  };
  std::map<Key, Place> places;
  // Of the last message: it is mostly the next one's.
  const void *topic = nullptr;
  int32_t partition = 0;
  Place *last = nullptr;
};

} // namespace sluice::kafka
