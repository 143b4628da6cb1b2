//===- Positions.h - where the partitions of a consumer are -----*- C++ -*-===//
#pragma once
#include "sluice/saved.h"
#include "toolkits/kafka/native/Library.h"
#include <map>
#include <string>
#include <vector>

namespace sluice::kafka {

/// Where a partition begins of which nothing else is known.
enum class Start { Default, Beginning, End, Time, Offset };

/// The offset of the next message by topic and partition. By the thread of the operator.
class Positions {
public:
  /// The message was submitted.
  void passed(const rd_kafka_message_t &, const char *topic);
  /// Gives each partition of the list its position, if it is known. True: each has one.
  bool apply(rd_kafka_topic_partition_list_t &) const;
  /// These partitions are somebody else's.
  void forget(const rd_kafka_topic_partition_list_t &);

  void save(Saver &) const;
  void restore(const Loader &);
  /// As a list for librdkafka.
  rd_kafka_topic_partition_list_t *list(const Library &) const;
  bool empty() const { return next.empty(); }

private:
  using Key = std::pair<std::string, int32_t>;
  std::map<Key, int64_t> next;
  // Of the last message: it is mostly the next one's.
  const void *topic = nullptr;
  int32_t partition = 0;
  int64_t *last = nullptr;
};

} // namespace sluice::kafka
