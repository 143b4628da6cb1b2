//===- Positions.cpp - where the partitions of a consumer are -------------===//
#include "toolkits/kafka/operators/KafkaConsumer/Positions.h"

namespace sluice::kafka {

static const std::string kPosition = "position "; // of numbers in checkpoints: `3 topic` follows

void Positions::passed(const rd_kafka_message_t &message, const char *name) {
  if (!last || message.rkt != topic || message.partition != partition) {
    topic = message.rkt;
    partition = message.partition;
    last = &next[{name, partition}]; // places in a map stay
  }
  *last = message.offset + 1;
}

bool Positions::apply(rd_kafka_topic_partition_list_t &list) const {
  bool all = true;
  for (int i = 0; i < list.cnt; ++i) {
    auto found = next.find({list.elems[i].topic, list.elems[i].partition});
    if (found != next.end())
      list.elems[i].offset = found->second;
    all &= found != next.end();
  }
  return all;
}

void Positions::forget(const rd_kafka_topic_partition_list_t &list) {
  last = nullptr;
  for (int i = 0; i < list.cnt; ++i)
    next.erase({list.elems[i].topic, list.elems[i].partition});
}

rd_kafka_topic_partition_list_t *Positions::list(const Library &lib) const {
  rd_kafka_topic_partition_list_t *result = lib.rd_kafka_topic_partition_list_new(int(next.size()));
  for (const auto &[key, offset] : next)
    lib.rd_kafka_topic_partition_list_add(result, key.first.c_str(), key.second)->offset = offset;
  return result;
}

void Positions::save(Saver &saver) const {
  for (const auto &[key, offset] : next)
    saver.number(kPosition + std::to_string(key.second) + " " + key.first, offset);
}

void Positions::restore(const Loader &loader) {
  loader.numbers(kPosition, [this](std::string_view rest, int64_t offset) {
    size_t blank = rest.find(' ');
    if (blank != rest.npos)
      next[{std::string(rest.substr(blank + 1)), atoi(std::string(rest).c_str())}] = offset;
  });
}

} // namespace sluice::kafka
