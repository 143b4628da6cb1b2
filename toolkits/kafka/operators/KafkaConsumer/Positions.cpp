//===- Positions.cpp - where the partitions of a consumer are -------------===//
#include "toolkits/kafka/operators/KafkaConsumer/Positions.h"
#include <algorithm>

namespace sluice::kafka {

static const std::string kPosition = "position "; // of numbers in checkpoints: `3 topic` follows

void Positions::passed(const rd_kafka_message_t &message, const char *name) {
  if (!last || message.rkt != topic || message.partition != partition) {
    topic = message.rkt;
    partition = message.partition;
    last = &places[{name, partition}]; // places in a map stay
  }
  last->offset = message.offset + 1;
}

bool Positions::knows(const rd_kafka_topic_partition_t &part) const {
  return places.contains({part.topic, part.partition});
}

void Positions::take(rd_kafka_topic_partition_list_t &list) {
  for (int i = 0; i < list.cnt; ++i) {
    auto &part = list.elems[i];
    auto [found, isNew] = places.try_emplace({part.topic, part.partition}, Place{part.offset});
    Place &place = found->second;
    if (!isNew && place.state == State::Left) // what is before it was submitted here
      place.offset = std::max(place.offset, part.offset);
    place.state = State::Mine;
    part.offset = place.offset;
  }
}

void Positions::leave(const rd_kafka_topic_partition_list_t &list) {
  for (int i = 0; i < list.cnt; ++i)
    if (auto found = places.find({list.elems[i].topic, list.elems[i].partition});
        found != places.end())
      found->second.state = State::Left;
}

void Positions::forget(const rd_kafka_topic_partition_list_t &list) {
  last = nullptr; // it may point there
  for (int i = 0; i < list.cnt; ++i)
    places.erase({list.elems[i].topic, list.elems[i].partition});
}

void Positions::takeAll() {
  for (auto &[key, place] : places)
    place.state = State::Mine;
}

rd_kafka_topic_partition_list_t *Positions::list(const Library &lib) const {
  rd_kafka_topic_partition_list_t *result = nullptr;
  for (const auto &[key, place] : places) {
    if (place.state != State::Mine || place.offset < 0)
      continue;
    if (!result)
      result = lib.rd_kafka_topic_partition_list_new(int(places.size()));
    lib.rd_kafka_topic_partition_list_add(result, key.first.c_str(), key.second)->offset =
        place.offset;
  }
  return result;
}

void Positions::save(Saver &saver) const {
  for (const auto &[key, place] : places)
    saver.number(kPosition + std::to_string(key.second) + " " + key.first, place.offset);
}

void Positions::restore(const Loader &loader) {
  loader.numbers(kPosition, [this](std::string_view rest, int64_t offset) {
    size_t blank = rest.find(' ');
    if (blank != rest.npos)
      places[{std::string(rest.substr(blank + 1)), atoi(std::string(rest).c_str())}] = {
          offset, State::Restored};
  });
}

} // namespace sluice::kafka
